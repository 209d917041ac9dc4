import Alarms
import CivilTime

/// The state that the audit keeps for a person who has not answered.
///
/// A task rang for the person, and the person has not answered since then.
struct Unanswered {
  /// The elapsed time, in milliseconds, at which a task first rang after the newest answer of the
  /// person.
  var calledAt: Int64
  /// The notified contacts. The key is the index of a contact in the inactivity rule. The value is
  /// the number of daemon crashes before the newest notification of this contact, or `cutShort`.
  var notified: [Int: Int] = [:]
  /// The elapsed time at which the newest notification began, in milliseconds; nil before the first
  /// notification.
  var lastNotified: Int64?
  /// The indices of the contacts whose command succeeded.
  var reached: Set<Int> = []
  /// The indices of the contacts whose command failed in each attempt, including the last permitted
  /// attempt. The daemon does not run the command of such a contact again.
  var gaveUp: Set<Int> = []

  init(calledAt: Int64) { self.calledAt = calledAt }

  /// Continues this state after the person undid the answer that had ended this state. For each
  /// notification without a recorded result, the audit allows the daemon to notify the contact once
  /// more.
  mutating func resume() {
    for position in notified.keys where !reached.contains(position) && !gaveUp.contains(position) {
      notified[position] = Self.cutShort
    }
  }

  /// The value in `notified` for a notification without a recorded result. An answer stopped this
  /// notification, and the person then undid the answer. For all other notifications, `notified`
  /// contains a number of crashes.
  private static let cutShort = -1
}

// Checks the notifications about an inactive person. If a person does not answer for the number of
// hours in the inactivity rule, the daemon must notify each contact of the rule once. After the
// person has answered, the daemon must not notify a contact about the inactivity.
extension Audit {
  /// The maximum time by which a notification can be late, in milliseconds. The value is one
  /// minute.
  private static let lateMilliseconds: Int64 = 60_000
  private static let earlyMilliseconds: Int64 = 2_000

  /// Updates `unanswered` for an event. The audit calls this function before the audit applies the
  /// event to `replay`.
  mutating func watchInactivity(_ record: Record) {
    switch record.event {
    case .ringStarted(let id, let number, _, _): callOut(id, number)
    case .acknowledged(let id, _, _), .delayed(let id, _, _): noteAnswer(to: id)
    case .closed(let id, let outcome, _, _):
      if [.completed, .declined].contains(outcome.kind) { noteAnswer(to: id) }
    case .response(let id, _):
      // No request can undo a response to a question. Therefore, the audit does not need to keep
      // the value of `unanswered` before the response.
      if let person = replay.alarms[id.alarm]?.person { forgetInactivity(of: person) }
    case .corrected(let id, let correction):
      guard correction.undone != .cancelled, let person = replay.alarms[id.alarm]?.person,
        let last = lastAnswered[person], last.prompt == id
      else { return }
      unanswered[person] = last.was
      unanswered[person]?.resume()
      lastAnswered[person] = nil
    case .personAdded(let person), .personChanged(let person):
      if person.inactivity == nil { forgetInactivity(of: person.id) }
    case .personRemoved(let id, _): forgetInactivity(of: id)
    case .inactivity(let id, let change): check(change, of: id, record)
    default: break
    }
  }

  private mutating func callOut(_ id: PromptID, _ number: Int) {
    guard let alarm = replay.alarms[id.alarm], !alarm.isAnnouncement,
      case .ringing(let ring, _) = replay.prompts[id]?.state, ring.number == number,
      rules.people[alarm.person]?.inactivity != nil, unanswered[alarm.person] == nil
    else { return }
    unanswered[alarm.person] = Unanswered(calledAt: rules.elapsed)
  }

  private mutating func noteAnswer(to id: PromptID) {
    guard let person = replay.alarms[id.alarm]?.person else { return }
    lastAnswered[person] = unanswered.removeValue(forKey: person).map { (id, $0) }
  }

  private mutating func forgetInactivity(of id: PersonID) {
    unanswered[id] = nil
    lastAnswered[id] = nil
  }

  private mutating func check(_ change: InactivityChange, of id: PersonID, _ record: Record) {
    switch change {
    case .begun:
      if unanswered[id] == nil {
        fail("I12", "inactivity of \(id) began, but no prompt rang for this person")
      }
    case .ended:
      if unanswered[id] != nil {
        fail("I12", "inactivity of \(id) ended, but this person answered nothing")
      }
    case .resumed: break
    case .notifying(let position, let contact, let since, let hours):
      expectedNotifications.insert(
        ExpectedNotification(subject: .inactivity(id), position: position))
      checkNotification(ofInactivity: id, position, contact, record)
      if rules.people[id]?.inactivity?.hours != hours {
        fail(
          "I12",
          "\(contact) is notified that \(id) has answered nothing for \(hours) hours, but the rule "
            + "has other hours")
      }
      let length = rules.elapsed - (unanswered[id]?.calledAt ?? rules.elapsed)
      let claimed = record.reading.wall.milliseconds - since.milliseconds
      if abs(claimed - length) > Self.earlyMilliseconds {
        fail(
          "I12",
          "the notification says that \(id) has answered nothing for \(claimed) ms, but it is "
            + "\(length) ms")
      }
      if isFresh(record), isAllPaused(id, at: record.reading.wall) {
        fail("I12", "\(contact) is notified about \(id), but all alarms of \(id) are paused")
      }
    case .failed(let position, _, _, let isLast, _):
      if isLast { unanswered[id]?.gaveUp.insert(position) }
    case .notified(let position, _, _):
      unanswered[id]?.reached.insert(position)
      lastAnswered[id]?.was.reached.insert(position)
    case .stopUntilLater:
      if isFresh(record), isSomethingAhead(id, at: record.reading.wall) {
        fail(
          "I12",
          "notifications about \(id) are suspended, but an alarm that is not paused will ring")
      }
      forgetInactivity(of: id)
    }
  }

  private mutating func checkNotification(
    ofInactivity id: PersonID, _ position: Int, _ contact: String, _ record: Record
  ) {
    guard var inactivity = unanswered[id], let rule = rules.people[id]?.inactivity,
      position < rule.notifySteps.count, rule.notifySteps[position].contact == contact
    else {
      fail("I12", "\(contact) is notified that \(id) is inactive, but \(id) is not")
      return
    }
    defer { unanswered[id] = inactivity }
    if let before = inactivity.notified[position] {
      if before == crashes { fail("I12", "\(contact) is notified twice that \(id) is inactive") }
      inactivity.notified[position] = crashes
      return
    }
    if position != inactivity.notified.count {
      fail("I12", "\(contact) is notified about \(id) out of order")
    }
    let after = rule.notifySteps[position].afterSeconds * 1_000
    var early: Int64 = 0
    if position == 0 {
      let loud = loudMilliseconds(id, since: inactivity.calledAt, record)
      early = loud.map { Int64(rule.hours) * 3_600_000 - $0 } ?? 0
    } else if !inactivity.gaveUp.contains(position - 1), let last = inactivity.lastNotified {
      early = last + after - rules.elapsed
    }
    if early > Self.earlyMilliseconds {
      fail("I12", "\(contact) is notified \(early) ms too early that \(id) is inactive")
    }
    inactivity.notified[position] = crashes
    inactivity.lastNotified = rules.elapsed
  }

  /// If the batch contains a heartbeat, checks the notifications about inactivity. The inactivity
  /// rule of a person states the maximum time without an answer. If a longer time has passed, the
  /// daemon must have notified a contact.
  mutating func checkInactivities(_ records: [Record]) {
    guard let beat = records.last(where: \.isHeartbeat) else { return }
    for (id, inactivity) in unanswered where inactivity.notified.isEmpty {
      guard let rule = rules.people[id]?.inactivity, let first = rule.notifySteps.first else {
        continue
      }
      let due = Int64(rule.hours) * 3_600_000 + first.afterSeconds * 1_000 + Self.lateMilliseconds
      guard rules.elapsed - inactivity.calledAt > due,
        let loud = loudMilliseconds(id, since: inactivity.calledAt, beat), loud > due
      else { continue }
      fail("I12", "\(id) has answered nothing for \(loud) ms, but no contact is notified")
    }
  }

  /// Returns the time from `since` to the event `record`, without quiet hours and control phases,
  /// in milliseconds.
  ///
  /// - Returns: nil if `isFresh` is false for the event, or if the audit cannot decide whether
  ///   quiet hours apply.
  ///
  /// The function divides the time into periods of five minutes. It adds the lengths of the periods
  /// outside quiet hours, and subtracts the control phases in these periods. The sum is exact,
  /// because all quiet hours in the simulated homes begin and end at multiples of five minutes.
  private func loudMilliseconds(
    _ id: PersonID, since: Int64, _ record: Record
  ) -> Int64? {
    guard let environment, isFresh(record) else { return nil }
    let end = record.reading.wall.milliseconds
    var at = end - (rules.elapsed - since)
    var sum: Int64 = 0
    let block: Int64 = 300_000
    while at < end {
      let next = min(end, at - ((at % block) + block) % block + block)
      let isQuiet = rules.isQuiet(id, at: Instant(milliseconds: at), in: environment)
      if isQuiet == nil, rules.people[id]?.quiet != nil { return nil }
      if isQuiet != true { sum += next - at - rules.controlMilliseconds(id, at..<next) }
      at = next
    }
    return sum
  }

  /// Returns true in three cases: the person is paused; each alarm with an open prompt of the
  /// person is paused; or the person has neither an open prompt nor an alarm.
  private func isAllPaused(_ id: PersonID, at wall: Instant) -> Bool {
    if rules.isPaused(id, at: wall) { return true }
    let ahead = alarmsAhead(of: id)
    return ahead.isEmpty
      ? !replay.alarms.values.contains { $0.person == id && !$0.isAnnouncement }
      : ahead.allSatisfy { isPaused($0, at: wall) }
  }

  private func isSomethingAhead(_ id: PersonID, at wall: Instant) -> Bool {
    !rules.isPaused(id, at: wall) && alarmsAhead(of: id).contains { !isPaused($0, at: wall) }
  }

  /// Returns the alarms of a person that have at least one open prompt in `replay`. The result
  /// contains no announcements.
  private func alarmsAhead(of id: PersonID) -> [Alarm] {
    let ahead = Set(replay.prompts.values.lazy.filter(\.state.isOpen).map(\.id.alarm))
    return ahead.compactMap { replay.alarms[$0] }.filter { $0.person == id && !$0.isAnnouncement }
  }

  private func isPaused(_ alarm: Alarm, at wall: Instant) -> Bool {
    guard let zone = environment?.zone(of: alarm) else { return false }
    let local = zone.civil(at: wall).dateTime
    return alarm.pauses.until.map { local < $0 } ?? false
      || alarm.pauses.days.contains { $0.contains(local.date) }
  }
}
