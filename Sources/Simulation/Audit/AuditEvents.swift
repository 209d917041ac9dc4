import Alarms
import CivilTime

extension Audit {
  /// The maximum time for which a ring may wait for the speaker, in seconds. The value is the sum
  /// of 30 s for the ring that uses the speaker, 15 s for a player that hangs, and 15 s of
  /// tolerance.
  private static let speakerHoldSeconds: Int64 = 60

  /// Checks that a person cannot keep a prompt silent forever with repeated answers "on my way".
  private mutating func checkOnTheWay(_ id: PromptID, at wall: Instant) {
    guard let first = expectedPrompts[id]?.onTheWayAt else {
      expectedPrompts[id]?.onTheWayAt = wall
      return
    }
    guard let alarm = replay.alarms[id.alarm] else { return }
    let times = Int64(alarm.delayLimit) + 1
    if wall >= first.adding(seconds: times * alarm.escalation.completeBySeconds) {
      fail("I12", "\(id) was delayed by \"on my way\" longer than its alarm allows")
    }
  }

  /// Checks an event. The audit calls this function before it applies the event to `replay`.
  mutating func check(_ record: Record) {
    let wall = record.reading.wall
    if let id = record.event.promptID { checkAlive(id, record.event) }
    checkEdit(record.event)
    checkLead(record.event, at: wall)
    checkHoliday(record.event)
    switch record.event {
    case .planned(let prompt): checkInstant(of: prompt, record)
    case .due(let id, _):
      expectedPrompts[id] = ExpectedPrompt(
        base: replay.prompts[id]?.dueAt ?? wall, callsAt: rules.elapsed)
    case .ringIntent(let id, let ring, _):
      checkRing(id, ring, at: wall)
      checkElapsed(id)
      checkRules(id, ring, record)
    case .ringStarted, .ringEnded, .ringFailed, .ringUncertain: watchSound(record.event, at: wall)
    case .delayed(let id, let until, _):
      expectedPrompts[id]?.answer()
      answered[id] = .some(expectedPrompts[id])
      abortNotifications(of: id)
      begin(id, at: until, now: wall)
      expectedPrompts[id]?.delays += 1
      if let alarm = replay.alarms[id.alarm], expectedPrompts[id]?.delays ?? 0 > alarm.delayLimit {
        fail("I12", "\(id) was delayed more often than its alarm allows")
      }
    case .acknowledged(let id, let until, _):
      expectedPrompts[id]?.answer()
      answered[id] = .some(expectedPrompts[id])
      abortNotifications(of: id)
      begin(id, at: until, now: wall)
      checkOnTheWay(id, at: wall)
    case .held(let id, let suppression):
      checkHolding(id, suppression, record)
      expectedPrompts[id]?.wasHeld.insert(suppression.reason)
      if suppression.reason == .quietHours {
        begin(id, at: suppression.until, now: wall)
        expectedPrompts[id]?.waitsForMorning = true
      }
      if suppression.reason == .cap { expectedPrompts[id]?.base = suppression.until }
    case .repaired(let id, let defect):
      if graceMilliseconds == 0 {
        fail("I1", "\(id) was repaired (\(defect.rawValue)), but nothing was lost")
      }
    case .escalated(let id, let position, let contact, let reason):
      checkEscalation(id, position, contact, reason)
    case .notificationFailed(let id, let position, _, _, let isLast, _):
      if isLast { expectedPrompts[id]?.gaveUp.insert(position) }
    case .clockStep(let milliseconds):
      for id in expectedPrompts.keys { expectedPrompts[id]?.shift(by: milliseconds) }
      for id in answered.keys { answered[id]??.shift(by: milliseconds) }
    case .corrected(let id, _):
      undo(id, at: wall)
      if let due = replay.prompts[id]?.dueAt { over[id.alarm]?[due] = nil }
    case .presented, .saidAgain: checkScreen(record)
    case .response(let id, let response): checkResponse(id, response)
    case .purged(let purge): forget(purge)
    case .closed(let id, let outcome, _, _): checkEnd(of: id, outcome, record)
    default: break
    }
  }

  /// Counts an end of the daemon. After its end, no ring sounds. For an open prompt, the daemon
  /// records that its ring has ended. For a closed prompt, the daemon records no such event, so
  /// this function ends the ring of each answered prompt.
  mutating func noteCrash() {
    crashes += 1
    for id in answered.keys { answered[id]??.endSound(isWhole: false) }
  }

  /// Updates the expected state of a prompt after the start or the end of a ring.
  private mutating func watchSound(_ event: Event, at wall: Instant) {
    switch event {
    case .ringStarted(let id, _, _, _):
      countSound()
      // The rings of a merged ring start at the same time, and a person hears only one sound.
      // Therefore all rings of a merged ring get the same number.
      if newestCall.at != rules.elapsed { newestCall = (ringsSounded, rules.elapsed) }
      expectedPrompts[id]?.sound(newestCall.number, at: rules.elapsed)
      answered[id]??.sound(newestCall.number, at: rules.elapsed)
      if replay.alarms[id.alarm]?.isAnnouncement == false { lastTaskCallAt = rules.elapsed }
    case .ringEnded(let id, let number, _, let frames, _, let stopped):
      if stopped { expectAgain(id, number, at: wall) }
      expectedPrompts[id]?.endSound(isWhole: frames > 0 && !stopped)
      answered[id]??.endSound(isWhole: frames > 0 && !stopped)
    case .ringFailed(let id, _, _), .ringUncertain(let id, _, _):
      expectedPrompts[id]?.endSound(isWhole: false)
      answered[id]??.endSound(isWhole: false)
    default: break
    }
  }

  private mutating func checkEnd(of id: PromptID, _ outcome: Outcome, _ record: Record) {
    count(outcome)
    checkOutcome(id, outcome)
    checkAnswered(id, outcome)
    if let prompt = replay.prompts[id], replay.alarms[id.alarm]?.schedule.isElapsed == true,
      prompt.ringsIntended > 0 || !Self.isWithoutPerson(outcome)
    {
      over[id.alarm, default: [:]][prompt.dueAt] = id
    }
    checkSuppression(id, outcome, record)
    if [.completed, .declined].contains(outcome.kind) { expectedPrompts[id]?.answer() }
    let course = expectedPrompts.removeValue(forKey: id)
    answered[id] = outcome.isPersons ? .some(course) : nil
    ends.append(
      End(
        prompt: id, outcome: outcome, isNotified: !(course?.notified.isEmpty ?? true),
        hasContacts: replay.alarms[id.alarm]?.escalation.notifySteps.isEmpty == false,
        at: record.reading.wall))
  }

  /// Checks that the responses to a question of a prompt have consecutive numbers. A missing number
  /// would show that the daemon lost or overwrote a response.
  private mutating func checkResponse(_ id: PromptID, _ response: Response) {
    let last = replay.prompts[id]?.answers[response.question] ?? 0
    if response.number != last + 1 {
      fail(
        "I2",
        "response \(response.number) to \(response.question) of \(id) follows response \(last)")
    }
  }

  /// If the outcome is `completed`, checks that the required questions of the prompt had responses
  /// before the completion.
  private mutating func checkAnswered(_ id: PromptID, _ outcome: Outcome) {
    guard outcome.kind == .completed, let prompt = replay.prompts[id],
      let checkIn = replay.alarms[id.alarm]?.checkIn, checkIn.holdsCompletion
    else { return }
    let open = checkIn.open(after: prompt.answers).map(\.name)
    if !open.isEmpty { fail("I12", "\(id) is completed, but \(open) is not answered") }
  }

  private mutating func forget(_ purge: Purge) {
    wasPurged = true
    guard purge.closedBefore == nil else { return }
    unvouched = Set(replay.prompts.filter { !$0.value.state.isOpen }.keys)
    over = [:]
  }

  /// Checks the due instant of a planned prompt.
  ///
  /// The due instant must be the instant of the civil time in the zone. There is one exception.
  /// After a change of the home zone, the new local time can already be later than the civil time
  /// of the prompt. In this case, the due instant is the instant of the change.
  private mutating func checkInstant(of prompt: Prompt, _ record: Record) {
    // The daemon can write an event some time after it made the event. If the zones changed between
    // these two times, the check is not possible.
    guard let alarm = replay.alarms[prompt.id.alarm], alarm.schedule.isCivil,
      let environment, record.tzdataVersion == environment.tzdataVersion,
      let zone = environment.zone(prompt.zoneName), prompt.dueAt != record.reading.wall
    else { return }
    if prompt.zoneName != record.zoneName {
      fail("I6", "\(prompt.id) is planned in \(prompt.zoneName), not in \(record.zoneName)")
    }
    let instant = zone.resolve(prompt.id.nominal, fold: prompt.id.fold).instant
    if instant != prompt.dueAt {
      fail("I6", "\(prompt.id) is planned for \(prompt.dueAt), but its time is \(instant)")
    }
  }

  private mutating func begin(_ id: PromptID, at until: Instant, now: Instant) {
    expectedPrompts[id]?.base = until
    expectedPrompts[id]?.rung = []
    expectedPrompts[id]?.lastIntent = nil
    expectedPrompts[id]?.undoneAt = nil
    expectedPrompts[id]?.callsAt = rules.elapsed + until.milliseconds - now.milliseconds
    expectedPrompts[id]?.lastNotified = nil
    expectedPrompts[id]?.waitsForMorning = false
  }

  /// Restores the expected state that a prompt had before its newest answer.
  private mutating func undo(_ id: PromptID, at wall: Instant) {
    guard let prompt = replay.prompts[id], let before = prompt.lastAnswer?.before,
      let course = answered.removeValue(forKey: id)
    else {
      fail("I1", "an answer to \(id) was undone, but there was none")
      return
    }
    if case .closed(let outcome, _, _) = prompt.state { count(outcome, by: -1) }
    expectedPrompts[id] = course
    expectedPrompts[id]?.resume(notifyProgress: before.notifyProgress.pending, at: wall)
  }

  /// Checks that a prompt has no events after its end, except events of a few permitted types. For
  /// example, the event `planned` is permitted if the daemon may plan the prompt again.
  private mutating func checkAlive(_ id: PromptID, _ event: Event) {
    guard let prompt = replay.prompts[id] else {
      if case .planned = event { return }
      fail("I1", "event \(event.type) for \(id), which was never planned")
      return
    }
    guard case .closed(let outcome, _, _) = prompt.state else { return }
    switch event {
    case .planned where Self.isWithoutPerson(outcome) && prompt.ringsIntended == 0: break
    case .planned where unvouched.remove(id) != nil: break
    case .planned, .due, .ringIntent, .acknowledged, .delayed, .held, .closed, .revised,
      .presented, .saidAgain:
      fail("I1", "event \(event.type) for \(id), which had ended as \(outcome.rawValue)")
    default: break
    }
  }

  /// Checks that only one prompt rings for each due time of an elapsed schedule. After a change of
  /// the zones, the same due time can get a second prompt id.
  private mutating func checkElapsed(_ id: PromptID) {
    guard let schedule = replay.alarms[id.alarm]?.schedule, schedule.isElapsed,
      let due = replay.prompts[id]?.dueAt, let other = over[id.alarm]?[due], other != id
    else { return }
    fail("I1", "\(id) rings, but \(other) was due at the same instant and has ended")
  }

  /// Returns true if the outcome has one of these causes: an edit, the clock, or a device that was
  /// off or asleep. If a prompt with this outcome never rang, the audit permits the daemon to plan
  /// the prompt again.
  private static func isWithoutPerson(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .supersededByEdit, .missedDeviceOff, .missedSuspended, .missedClockInvalid: true
    default: false
    }
  }

  private mutating func checkRing(_ id: PromptID, _ ring: Ring, at wall: Instant) {
    guard let alarm = replay.alarms[id.alarm], var course = expectedPrompts[id] else {
      fail("I6", "\(id) rings, but is not due")
      return
    }
    let chain = alarm.rings(isOnTheWay: course.isOnTheWay)
    guard ring.index < chain.count else {
      fail("I12", "\(id) rings more often than its chain has rings")
      return
    }
    if ring.step != chain[ring.index].step {
      fail("I12", "ring \(ring.index) of \(id) is in burst \(ring.step) of its chain")
    }
    if let last = course.lastIntent, last.index != ring.index {
      let next = last.at.adding(
        seconds: chain[ring.index].afterSeconds - chain[last.index].afterSeconds)
      course.base = max(next, course.undoneAt ?? next)
    }
    let late = wall.milliseconds - course.base.milliseconds
    if late < -1_000 { fail("I6", "\(id) rings \(-late) ms before its time") }
    let allowed = alarm.lateWindowSeconds + Self.speakerHoldSeconds
    if late > allowed * 1_000 {
      fail(
        "I6", "ring \(ring.index) of \(id) comes \(late / 1_000) s late; \(allowed) s are allowed")
    }
    if !course.rung.insert(ring.index).inserted, course.crashesAtLastIntent == crashes {
      fail("I5", "ring \(ring.index) of \(id) sounds again without a crash")
    }
    let isUrgent = alarm.chainSteps(isOnTheWay: course.isOnTheWay)[ring.step].isUrgent
    if ring.isRepetition != (ring.index > 0 && course.isHeard && !isUrgent) {
      fail("I12", "ring \(ring.index) of \(id) is counted wrongly for the hourly limit")
    }
    course.crashesAtLastIntent = crashes
    course.hasSounded = false
    course.waitsForMorning = false
    course.lastIntent = (ring.index, wall)
    expectedPrompts[id] = course
  }

  /// Checks that the record contains the cause of the outcome of a prompt.
  ///
  /// If the outcome is `missed_no_response`, the function also checks that a person was able to
  /// know about the prompt.
  private mutating func checkOutcome(_ id: PromptID, _ outcome: Outcome) {
    guard let prompt = replay.prompts[id] else { return }
    let causes: [String]? =
      switch outcome {
      // If a person sets the clock forward, the clock skips a period. The prompts that were due in
      // this period can get the outcome "device off".
      case .missedDeviceOff: ["restart", "clock"]
      case .unknownCrash: ["restart"]
      case .missedSuspended: ["suspend"]
      case .missedClockInvalid: ["clock"]
      // If the device sleeps during a ring, the player does not report the end of the ring in time.
      // Therefore, the suspend of the device can also be the cause.
      case .missedAudioFailed: ["speaker", "suspend"]
      default: nil
      }
    if let causes, troubles.isDisjoint(with: causes) {
      fail(
        "I1",
        "\(id) ended as \(outcome.rawValue), but there was no \(causes.joined(separator: " or "))")
    }
    let course = expectedPrompts[id]
    let isHeard = course?.isHeard ?? false
    // If a person delayed a prompt before its first ring, the person knows about the prompt, even
    // if no ring sounded.
    let isKnown = isHeard || course?.isOnTheWay == true || course?.delays ?? 0 > 0
    if outcome == .missedNoResponse && !isKnown || outcome == .missedAudioFailed && isHeard {
      fail(
        "I13",
        "\(id) ended as \(outcome.rawValue), but \(isHeard ? "a ring" : "no ring") was heard")
    }
    if outcome == .suppressedCap {
      fail("I13", "\(id) ended as \(outcome.rawValue): the hourly limit silences repetitions only")
    }
    if outcome == .missedNoResponse, case .expiring = prompt.state,
      let course = expectedPrompts[id],
      let chain = replay.alarms[id.alarm]?.rings(isOnTheWay: course.isOnTheWay),
      course.lastIntent?.index != chain.count - 1
    {
      fail("I12", "\(id) ended without an answer before the last ring of its chain")
    }
  }
}

extension Outcome {
  /// True if the outcome is the result of an answer that a person gave.
  var isPersons: Bool {
    switch self {
    case .completed, .completedOutOfWindow, .declined, .cancelledBeforeDue, .cancelledWhileRinging:
      true
    default: false
    }
  }
}

extension Schedule {
  /// True if every due time of the schedule is a civil time and not an elapsed time.
  var isCivil: Bool {
    switch self {
    case .once, .within, .random: true
    case .recurring(let rule, _): rule.frequency >= .daily
    case .several(let set): set.rules.allSatisfy { $0.rule.frequency >= .daily }
    case .at, .every, .after: false
    }
  }

  /// True if no due time of the schedule depends on a zone.
  fileprivate var isElapsed: Bool {
    switch self {
    case .at, .every: true
    default: false
    }
  }
}
