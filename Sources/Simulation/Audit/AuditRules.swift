import Alarms
import CivilTime

// Checks that a prompt sounds only if the rules permit the sound, and that a due prompt is silent
// only because of a rule.
extension Audit {
  /// Returns true if two conditions are met. First, the event is less than a minute older than the
  /// newest event of the present batch. Second, the device has not started and the zones have not
  /// changed since the event. After a failed write, the daemon can record an event that it made
  /// before the zones changed.
  func isFresh(_ record: Record) -> Bool {
    guard let newest, newest.bootID == record.reading.bootID else { return false }
    if wasUnwritable, let zonesChanged, zonesChanged.bootID == record.reading.bootID,
      record.reading.bootNanoseconds <= zonesChanged.bootNanoseconds
    {
      return false
    }
    return newest.bootNanoseconds - record.reading.bootNanoseconds < 60_000_000_000
      && record.tzdataVersion == environment?.tzdataVersion
  }

  /// Checks a ring against quiet hours, phases, pauses and the hourly limit. The hourly limit
  /// applies only to repetitions.
  mutating func checkRules(_ id: PromptID, _ ring: Ring, _ record: Record) {
    guard let alarm = replay.alarms[id.alarm], let prompt = replay.prompts[id] else { return }
    if rules.isControl(alarm.person, at: prompt.dueAt) {
      fail("I12", "\(id) rings, but was due in a control phase of \(alarm.person)")
    }
    if alarm.quiet != .ring, isQuiet(alarm, record) == true {
      fail("I12", "\(id) rings in the quiet hours of \(alarm.person)")
    }
    if ring.isRepetition,
      rules.repetitionsInHour(of: alarm.person) >= rules.ringsAllowed(alarm.person)
    {
      fail(
        "I12",
        "\(id) rings again, but \(alarm.person) has already heard "
          + "\(rules.ringsAllowed(alarm.person)) repetitions in the last hour")
    }
    if alarm.isPaused(id) == true { fail("I12", "\(id) rings in a pause") }
    if !alarm.isAnnouncement, rules.isPaused(alarm.person, at: prompt.dueAt) {
      fail("I12", "\(id) rings, but \(alarm.person) is paused")
    }
  }

  func isQuiet(_ alarm: Alarm, _ record: Record) -> Bool? {
    guard let environment, isFresh(record) else { return nil }
    return rules.isQuiet(alarm.person, at: record.reading.wall, in: environment)
  }

  /// Checks a prompt that the daemon holds back. The suppression contains the reason why the prompt
  /// is silent, for example quiet hours. This reason must exist.
  mutating func checkHolding(_ id: PromptID, _ suppression: Suppression, _ record: Record) {
    guard let alarm = replay.alarms[id.alarm], let prompt = replay.prompts[id] else { return }
    let hasCause: Bool? =
      switch suppression.reason {
      case .controlPhase: rules.isControl(alarm.person, at: prompt.dueAt)
      // If a caretaker changes the quiet hours, the daemon can end the suppression at once. In this
      // case, the old quiet hours no longer exist. Therefore, the audit does not check the cause of
      // a suppression whose end is not in the future.
      case .quietHours, .quietRest:
        suppression.until <= max(record.reading.wall, prompt.dueAt) ? nil : isQuiet(alarm, record)
      // If a change of the hourly limit permits the ring, the daemon ends the suppression at once.
      // Therefore, the audit does not check the reason of a suppression whose end is not in the
      // future.
      case .cap where suppression.until <= record.reading.wall: nil
      case .cap, .capRest: isLimited(id, suppression, of: alarm)
      }
    if hasCause == false {
      fail(
        "I12",
        "\(id) is held back for \(suppression.reason.rawValue), but this cause does not exist")
    }
  }

  /// Returns true if the daemon is allowed to hold back the next ring because of the hourly limit.
  /// Two conditions are necessary. First, the ring is a repetition. Second, at least half of the
  /// permitted repetitions have sounded in the previous hour.
  private mutating func isLimited(_ id: PromptID, _ suppression: Suppression, of alarm: Alarm)
    -> Bool
  {
    guard let course = expectedPrompts[id] else { return false }
    let rings = alarm.rings(isOnTheWay: course.isOnTheWay)
    let allowed = rules.ringsAllowed(alarm.person)
    guard suppression.ring > 0, suppression.ring < rings.count, course.isHeard,
      !alarm.chainSteps(isOnTheWay: course.isOnTheWay)[rings[suppression.ring].step].isUrgent
    else { return false }
    return rules.repetitionsInHour(of: alarm.person) >= allowed - allowed / 2
  }

  /// Checks a prompt that ended with an outcome such as `suppressed_paused`. The outcome names the
  /// reason why the prompt was silent, here a pause. This reason must have existed.
  mutating func checkSuppression(_ id: PromptID, _ outcome: Outcome, _ record: Record) {
    guard let alarm = replay.alarms[id.alarm] else { return }
    let reasons = expectedPrompts[id]?.wasHeld ?? []
    let hasCause: Bool? =
      switch outcome {
      case .suppressedPaused:
        rules.isPaused(alarm.person, at: replay.prompts[id]?.dueAt ?? record.reading.wall)
          ? true : alarm.isPaused(id)
      case .suppressedControlPhase: reasons.contains(.controlPhase)
      case .suppressedCap: reasons.contains(.cap) || reasons.contains(.capRest)
      case .suppressedQuietHours:
        reasons.contains(.quietHours) || reasons.contains(.quietRest)
          ? true : isQuiet(alarm, record)
      default: nil
      }
    if hasCause == false {
      fail("I12", "\(id) ended as \(outcome.rawValue), but there was no cause for it")
    }
  }

  /// Checks that the daemon notifies each contact only once, in the right order and not too early.
  /// The daemon is allowed to repeat a notification only after a crash.
  mutating func checkNotification(
    _ id: PromptID, _ position: Int, _ contact: String, _ reason: NotifyReason
  ) {
    guard let alarm = replay.alarms[id.alarm], position < alarm.escalation.notifySteps.count,
      alarm.escalation.notifySteps[position].contact == contact
    else {
      fail("I12", "\(contact) is notified about \(id), but has another position in its chain")
      return
    }
    if expectedPrompts[id] == nil {
      // After a clock step, the daemon can close a prompt as missed before the daemon records the
      // event `due`. In this case, the audit has no expected state of this prompt yet, and this
      // line creates the state.
      expectedPrompts[id] = ExpectedPrompt(base: Instant(seconds: 0), callsAt: rules.elapsed)
    }
    guard var course = expectedPrompts[id] else { return }
    defer { expectedPrompts[id] = course }
    if let before = course.notified[position] {
      if before == crashes {
        fail("I12", "\(contact) is notified twice about \(id) without a crash")
      }
      course.notified[position] = crashes
      return
    }
    if position != course.notified.count {
      fail("I12", "\(contact) is notified about \(id) out of order")
    }
    let isOpen = !reason.isOutcome
    if isOpen, !course.gaveUp.contains(position - 1) {
      let since = max(course.lastNotified ?? course.callsAt, course.callsAt)
      let early =
        since + alarm.escalation.notifySteps[position].afterSeconds * 1_000 - rules.elapsed
      if early > 1_000 { fail("I12", "\(contact) is notified about \(id) \(early) ms too early") }
    }
    if let due = replay.prompts[id]?.dueAt, rules.isControl(alarm.person, at: due) {
      fail("I12", "\(contact) is notified about \(id), which is in a control phase")
    }
    if isOpen, (reason == .notCompleted) != course.isOnTheWay {
      fail("I12", "\(contact) is notified about \(id) with the wrong reason \(reason.rawValue)")
    }
    let isHeard = course.isHeard || course.isSounding
    let isTrue =
      switch reason {
      case .noAnswer: isHeard
      // This reason is also possible if nobody heard a ring. Example: quiet hours hold a prompt
      // back, a person answers "on my way" or "later", and then nobody completes the task.
      case .missedNoResponse: isHeard || course.isOnTheWay || course.delays > 0
      case .notHeard: !isHeard
      case .due: !isHeard && replay.prompts[id]?.ringsIntended ?? 0 <= 1
      default: true
      }
    if !isTrue {
      fail("I14", "\(contact) is notified about \(id) with the false reason \(reason.rawValue)")
    }
    course.notified[position] = crashes
    course.lastNotified = rules.elapsed
  }

  /// Checks that the daemon notifies a contact about each missed prompt of an alarm with contacts.
  /// If the next prompt of an alarm replaces an older prompt, a notification about the newer prompt
  /// is sufficient. If a prompt was due in a control phase, the check expects no notification.
  mutating func checkEnds() {
    for end in ends where end.outcome.kind == .missed && end.hasContacts && !end.isNotified {
      guard let alarm = replay.alarms[end.prompt.alarm],
        let due = replay.prompts[end.prompt]?.dueAt, !rules.isControl(alarm.person, at: due)
      else { continue }
      // If a prompt has the outcome `missedNoResponse`, the daemon must send a notification about
      // this prompt. If the outcome is different, a notification about a newer prompt of the alarm
      // is sufficient. Example: the patient delays a prompt again and again, so the daemon notifies
      // no contact. When the next prompt of the alarm is due, it replaces the delayed prompt.
      let hasNewer =
        end.outcome != .missedNoResponse
        && projections.values.contains {
          $0.id.alarm == end.prompt.alarm && $0.dueAt > due && $0.dueAt <= end.at
        }
      if !hasNewer {
        fail("I12", "\(end.prompt) ended as \(end.outcome.rawValue), but no contact is notified")
      }
    }
    for end in ends where notifiedAsMissed[end.prompt]?.rawValue == end.outcome.rawValue {
      notifiedAsMissed[end.prompt] = nil
    }
    if let (id, reason) = notifiedAsMissed.min(by: { $0.key < $1.key }) {
      fail("I12", "a contact is notified that \(id) ended as \(reason.rawValue), but it did not")
    }
    ends = []
    notifiedAsMissed = [:]
  }
}
