import Alarms

// Checks the requests that a screen sends.
extension Audit {
  /// Checks two kinds of events: a screen shows a prompt, or a person wants to hear the voice of a
  /// prompt again.
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

  /// Checks that the record contains the report of a screen if the daemon accepted the report.
  mutating func checkReport(_ prompt: Prompt, _ command: Command) {
    guard case .present = command, replay.prompts[prompt.id]?.presentedAt == nil else { return }
    fail("I2", "a screen reported \(prompt.id), but the record does not contain this report")
  }

  /// Checks that a prompt waited for an answer, and that no control phase, pause or quiet hours
  /// applied to the prompt.
  ///
  /// - Parameter what: the text that describes the event of the prompt in an error.
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

  /// Returns true if a prompt in this state waits for an answer. While the answer "later" or "on my
  /// way" applies, the prompt does not wait for an answer.
  func isShown(_ state: PromptState?) -> Bool {
    switch state {
    case .waiting, .expiring, .held, .ringing: true
    case .planned, .delayed, .acknowledged, .closed, nil: false
    }
  }
}
