import Alarms

// Checks of the requests that a screen sends.
extension Audit {
  /// Checks an event about a screen: the report that a screen shows a prompt, or the request to say
  /// the voice of a prompt again.
  mutating func checkScreen(_ record: Record) {
    switch record.event {
    case .presented(let id):
      if replay.prompts[id]?.presentedAt != nil { fail("I12", "\(id) was presented twice") }
      checkShown(id, record, "presented")
    case .saidAgain(let id):
      checkShown(id, record, "said again")
      saidAgain.append(id)
    default: break
    }
  }

  /// If the daemon accepted the report of a screen, checks that the record contains the report.
  mutating func checkReport(_ prompt: Prompt, _ command: Command) {
    guard case .present = command, replay.prompts[prompt.id]?.presentedAt == nil else { return }
    fail("I2", "a screen reported \(prompt.id), but the record does not contain this report")
  }

  /// Checks that a prompt waited for an answer, and not in a control phase, in a pause or in quiet
  /// hours.
  ///
  /// - Parameter what: what happened to the prompt, in words.
  private mutating func checkShown(_ id: PromptID, _ record: Record, _ what: String) {
    guard let alarm = replay.alarms[id.alarm], let prompt = replay.prompts[id] else { return }
    switch prompt.state {
    case .planned, .delayed, .acknowledged, .closed:
      fail("I12", "\(id) was \(what), but it did not wait for an answer")
    // If quiet hours began during the ring, the screen still shows the prompt until the ring ends.
    case .ringing: return
    case .waiting, .expiring, .held: break
    }
    if rules.isControl(alarm.person, at: prompt.dueAt) {
      fail("I12", "\(id) was \(what) in a control phase of \(alarm.person)")
    }
    if alarm.quiet != .ring, isQuiet(alarm, record) == true {
      fail("I12", "\(id) was \(what) in the quiet hours of \(alarm.person)")
    }
    if !alarm.isAnnouncement, rules.isPaused(alarm.person, at: prompt.dueAt) {
      fail("I12", "\(id) was \(what), but \(alarm.person) is paused")
    }
  }

  /// True if a prompt in this state waits for an answer and is not put off.
  func isShown(_ state: PromptState?) -> Bool {
    switch state {
    case .waiting, .expiring, .held, .ringing: true
    case .planned, .delayed, .acknowledged, .closed, nil: false
    }
  }
}
