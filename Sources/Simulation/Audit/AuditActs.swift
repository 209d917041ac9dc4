import Alarms
import CivilTime

extension Audit {
  /// Checks a request of the daemon to play a ring. The record must contain the ring intent. No
  /// other ring may sound at the same time.
  mutating func plays(_ order: PlayOrder, speaker: SimulatedSpeaker, isRecordWritable: Bool) {
    if order.isAgain {
      if isRecordWritable, saidAgain.popFirst() != order.prompt {
        fail("I3", "\(order.prompt) is said again, but the record does not contain the request")
      }
    } else if isRecordWritable && !isIntended(order) {
      fail("I3", "\(order.prompt) sounds without a recorded ring intent")
    }
    if let job = speaker.job, !job.isStopAsked {
      fail("I10", "\(order.prompt) sounds while \(job.order.prompt) still sounds")
    }
    if isRecordWritable, !wasUnwritable { checkMerged(order) }
  }

  /// Checks a notification that the daemon sends. Before the daemon sends a notification, the
  /// daemon must have recorded exactly one event about this notification.
  mutating func notifies(_ order: ContactNotification, isRecordWritable: Bool) {
    guard isRecordWritable else { return }
    guard
      expectedNotifications.remove(
        ExpectedNotification(subject: order.subject, position: order.position)) != nil
    else {
      fail(
        "I3",
        "\(order.contact) is notified about \(order.subject), but the record does not contain "
          + "this notification")
      return
    }
    checkPerson(order)
  }

  /// Checks that a notification is about the right person.
  private mutating func checkPerson(_ order: ContactNotification) {
    let person: PersonID? =
      switch order.subject {
      case .prompt(let id): replay.alarms[id.alarm]?.person
      case .inactivity(let id): id
      case .notice: nil
      }
    if let person, order.person != person {
      fail("I14", "\(order.contact) is notified about \(order.person) instead of \(person)")
    }
  }

  private func isIntended(_ order: PlayOrder) -> Bool {
    guard let prompt = replay.prompts[order.prompt], case .ringing(let ring, _) = prompt.state
    else {
      return false
    }
    return ring.number == order.ring
  }

  /// Checks a reply of the daemon. If the reply says that a request succeeded, the record must
  /// contain the result of the request.
  ///
  /// - Parameter sounding: the prompt whose ring sounded when the request arrived; nil if no ring
  ///   sounded.
  mutating func acknowledged(_ command: Command, _ reply: Reply?, sounding: PromptID?) {
    if command.isNameless, case .answered(let answered) = reply {
      checkCalled(answered, sounding: sounding)
    }
    if case .respond(_, let forms, _, _) = command, case .answered(let answered) = reply {
      checkResponses(answered, forms)
      return
    }
    if case .undo = command, case .answered(let answered) = reply {
      if replay.prompts[answered.prompt.id] != answered.prompt {
        fail("I2", "the undo of an answer to \(answered.prompt.id) differs from its reply")
      }
      return
    }
    switch reply {
    case .alarm(let alarm, _, _):
      // If the only prompt of an announcement ends, the daemon removes the announcement. This
      // removal and an edit of the announcement can happen in the same call of `step`. Then the
      // record contains the edit, but `replay.alarms` no longer contains the announcement.
      let isOver = alarm.isAnnouncement && replay.alarms[alarm.id] == nil
      if replay.alarms[alarm.id] != alarm, !isOver {
        fail("I2", "alarm \(alarm.id) was acknowledged, but is not in the record")
      }
    case .removed(let alarm, _):
      if replay.alarms[alarm.id] != nil {
        fail("I2", "the removal of alarm \(alarm.id) was acknowledged, but is not in the record")
      }
    case .answered(let answered):
      checkAnswer(answered)
    case .prompt(let prompt): checkReport(prompt, command)
    case .person(let state, _):
      if replay.people[state.id] ?? (state.id == .patient ? .ofNewHome : state) != state {
        fail("I2", "the settings of \(state.id) were acknowledged, but are not in the record")
      }
    case .paused(let paused):
      for state in paused.people where replay.people[state.id]?.pause != state.pause {
        fail("I2", "the pause of \(state.id) was acknowledged, but is not in the record")
      }
    case .phases(let id, let phases):
      if replay.people[id]?.phases != phases {
        fail("I2", "the phases of \(id) were acknowledged, but are not in the record")
      }
    case .picture(let picture):
      if replay.pictures[picture.sha256].map({ $0 != picture }) ?? false {
        fail("I2", "picture \(picture.sha256) differs from the picture that was acknowledged")
      }
    case .call(let call, _):
      if call.state == .waiting, calls[call.person]?.number != call.number {
        fail("I2", "call \(call.number) was acknowledged, but is not in the record")
      }
    case .supply(let supply):
      if replay.supplies[supply.id].map({ $0 != supply }) ?? false {
        fail("I2", "supply \(supply.id) differs from the supply that was acknowledged")
      }
    case .holidays(let holidays): checkHolidays(holidays)
    case .tone, .reward, .done, .imported, .notice: break
    case nil: fail("I2", "a command was carried out without a reply")
    }
  }

  /// If the newest rings of two prompts are at most 120 s apart, the audit assumes that both
  /// prompts rang together.
  private static let togetherMilliseconds: Int64 = 120_000

  /// Checks an answer that a person gave without a prompt id. The prompt that got the answer must
  /// have called at the time of the answer.
  ///
  /// A prompt calls in three cases:
  /// - A ring of the prompt sounds.
  /// - The prompt has sounded and waits for its next ring.
  /// - All rings of the prompt have sounded, and no prompt of a different task rang more than
  ///   `togetherMilliseconds` after the last of these rings.
  ///
  /// If several prompts call, the answer is for the prompt that sounded last.
  private mutating func checkCalled(_ answered: AnsweredPrompt, sounding: PromptID?) {
    let id = answered.prompt.id
    if id == sounding || wasUnwritable { return }
    // If the state of the prompt before the answer is unknown, the audit cannot check the answer.
    guard let before = answered.prompt.lastAnswer?.before,
      let course = expectedPrompts[id] ?? self.answered[id] ?? nil
    else { return }
    let isTask = replay.alarms[id.alarm]?.isAnnouncement == false
    switch before.state {
    case .ringing: return
    case .waiting where course.lastCall > 0: break
    case .held(let suppression)
    where suppression.reason == .quietHours || suppression.reason == .controlPhase:
      fail("I16", "\(id) was answered without an id, but it is held back")
    case .expiring, .held:
      let isOvertaken = lastTaskCallAt - course.lastCallAt > Self.togetherMilliseconds
      if course.lastCall == 0 || isTask && isOvertaken {
        fail("I16", "\(id) was answered without an id, but it has been silent for a long time")
      }
    default:
      fail("I16", "\(id) was answered without an id, but it does not call")
    }
    let later = expectedPrompts.filter { other, its in
      guard its.lastCall > course.lastCall, other != id,
        case .waiting = replay.prompts[other]?.state
      else { return false }
      return replay.alarms[other.alarm]?.isAnnouncement == false
    }
    if let other = later.keys.min() {
      fail("I16", "an answer without an id went to \(id), but \(other) sounded later")
    }
  }

  private mutating func checkResponses(_ answered: AnsweredPrompt, _ forms: [ResponseForm]) {
    let id = answered.prompt.id
    let known = replay.prompts[id]
    if known?.answers != answered.prompt.answers
      || forms.contains(where: { known?.answers[$0.question] == nil })
    {
      fail("I2", "responses to \(id) were acknowledged, but are not in the record")
    }
    if answered.prompt.state.isOpen != known?.state.isOpen {
      fail("I2", "the state of \(id) differs from the reply to the responses")
    }
  }

  private mutating func checkAnswer(_ answered: AnsweredPrompt) {
    let id = answered.prompt.id
    guard let known = replay.prompts[id] else {
      fail("I2", "an answer to \(id) was acknowledged, but the prompt is not in the record")
      return
    }
    switch answered.prompt.state {
    case .closed where known.state == answered.prompt.state: break
    case .delayed where known.delays >= answered.prompt.delays: break
    case .acknowledged where known.state.isOpen: break
    default: fail("I2", "an answer to \(id) was acknowledged, but is not in the record")
    }
  }

  /// Checks the state after the daemon has handled all due inputs. `armed` is the instant at which
  /// the timer fires. The timer must fire in time for the next action of every open prompt. An
  /// answered prompt must not sound.
  mutating func settled(_ home: HomeState, armed: Instant, wall: Instant, speaker: SimulatedSpeaker)
  {
    home.forEachOpenPrompt { prompt in
      guard let at = prompt.nextStepAt else { return }
      if at > wall, armed > at.adding(milliseconds: graceMilliseconds) {
        fail("I1", "no timer is set for \(prompt.id), which is due at \(at)")
      }
      if isForgotten(prompt.id, isDue: at <= wall && home.sounding == nil) {
        fail(
          "I1", "\(prompt.id) has been due since \(at), the speaker is free, and nothing happens")
      }
      checkQuiet(prompt, at: wall)
    }
    guard let job = speaker.job, !job.isStopAsked else { return }
    let parts = [(job.order.prompt, job.order.ring)] + job.order.others.map { ($0.prompt, $0.ring) }
    for (id, number) in parts {
      if job.order.isAgain, isShown(home.prompt(id)?.state) { continue }
      if case .ringing(let ring, _)? = home.prompt(id)?.state, ring.number == number { continue }
      if job.soundsUntil > time { fail("I4", "\(id) was answered, but it still sounds") }
    }
  }

  /// If the daemon holds a prompt back until the end of quiet hours, checks that the present time
  /// is in quiet hours.
  private mutating func checkQuiet(_ prompt: Prompt, at wall: Instant) {
    guard case .held(let suppression) = prompt.state, suppression.reason == .quietHours,
      suppression.until > wall,
      prompt.dueAt <= wall, let environment, let alarm = replay.alarms[prompt.id.alarm],
      rules.isQuiet(alarm.person, at: wall, in: environment) == false
    else { return }
    fail("I12", "\(prompt.id) waits for the end of quiet hours, but there are none")
  }

  /// Returns true if a prompt has been due for longer than `graceMilliseconds`, and the daemon has
  /// not handled the prompt. The self-audit should have found such a prompt.
  private mutating func isForgotten(_ id: PromptID, isDue: Bool) -> Bool {
    if graceMilliseconds == 0 { return isDue }
    guard isDue else {
      dueSince[id] = nil
      return false
    }
    let since = dueSince[id, default: time]
    dueSince[id] = since
    return time - since > graceMilliseconds
  }

  /// For each alarm with future occurrences, checks that a prompt is planned for the next
  /// occurrence.
  mutating func checkPlans(_ home: HomeState, wall: Instant) {
    if !wasUnwritable, Set(home.openPrompts.map(\.id)) != open {
      fail("I9", "the open prompts of the home differ from those of the record")
    }
    for alarm in home.alarms {
      checkInterval(of: alarm, home, wall: wall)
      checkLatest(of: alarm, home, wall: wall)
      guard let next = home.nextOccurrences(of: alarm.id, after: wall, count: 1).first else {
        continue
      }
      guard let id = home.name(of: next, of: alarm.id), home.prompt(id) == nil else { continue }
      // The check accepts a planned prompt whose id differs from `id`, for two reasons. First, the
      // planned prompt can be for an earlier occurrence that is in a pause. Second, after a change
      // of the zones, an occurrence of an elapsed schedule has a different local date-time, but the
      // planned prompt for this occurrence keeps its id.
      let isPlanned = home.openPrompts.contains {
        $0.id.alarm == alarm.id && $0.state == .planned && $0.dueAt <= next.instant
      }
      if !isPlanned { fail("I1", "\(id) is in the future, but is not planned") }
    }
  }

  /// Checks an alarm with an `every` schedule. The prompt for the next due time must be planned, or
  /// must have ended already. The due times of an `every` schedule do not depend on a zone.
  /// Therefore, the function can compute the next due time without the code of the daemon.
  private mutating func checkInterval(of alarm: Alarm, _ home: HomeState, wall: Instant) {
    guard case .every(let seconds, let from) = alarm.schedule, alarm.earlyReminders.isEmpty,
      !wasPurged,
      !wasUnwritable
    else { return }
    // The first prompt of the schedule is due one interval after `from`.
    let elapsed = wall.seconds - from.seconds
    let turns =
      elapsed < 0 && elapsed >= -seconds
      ? 0 : Int64((Double(elapsed) / Double(seconds)).rounded(.down))
    let next = Instant(seconds: from.seconds + (turns + 1) * seconds)
    if over[alarm.id]?[next] != nil { return }
    // A prompt for this due time can already be open, because it rang before somebody set the clock
    // back to a time before `next`.
    let isKnown = home.openPrompts.contains {
      $0.id.alarm == alarm.id && ($0.state == .planned ? $0.dueAt <= next : $0.dueAt == next)
    }
    if !isKnown {
      fail("I1", "\(alarm.id) is due at \(next), but no prompt is planned for that time")
    }
  }
}

extension Command {
  /// True if the answer has no prompt id.
  fileprivate var isNameless: Bool {
    switch self {
    case .answer(nil, _), .respond(nil, _, _, _): true
    default: false
    }
  }
}
