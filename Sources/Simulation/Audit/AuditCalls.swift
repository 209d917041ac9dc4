import Alarms
import CivilTime

/// A call that has no result yet.
struct ExpectedCall {
  var number: Int64
  var askedAt: Instant
}

// Checks messages and calls. The daemon must remove each announcement after its end. Each accepted
// call must get one result: the daemon notified a contact, or could notify no contact. The daemon
// must announce the result to the person.
extension Audit {
  /// The maximum time from a call to its result, in seconds. The daemon notifies the two contacts
  /// of the home one after the other, and each notice expires after one hour. The audit does not
  /// count the time in which the daemon did not run.
  private static let longestCallSeconds: Int64 = 2 * 3_600

  /// Updates the calls for one event, before the audit applies the event.
  mutating func watchCalls(_ record: Record) {
    switch record.event {
    case .call(let person, let number, let change):
      watch(change, of: person, number, at: record.reading.wall)
    case .notice(let notice, .sent):
      if notice.kind == .askedFor { toldNow.insert(notice.contact) }
    case .alarmCreated(let alarm):
      if alarm.isAnnouncement { owedReplies[alarm.person] = nil }
    case .clockStep(let milliseconds):
      for (person, call) in calls {
        calls[person]?.askedAt = call.askedAt.adding(milliseconds: milliseconds)
      }
    case .gap(let from, let to, _):
      // While the device is off or asleep, the daemon sends no notice. Therefore, the gap does not
      // count as waiting time, and `askedAt` moves forward by the length of the gap.
      for (person, call) in calls where to > call.askedAt {
        let missing = to.milliseconds - max(from, call.askedAt).milliseconds
        calls[person]?.askedAt = call.askedAt.adding(milliseconds: missing)
      }
    default: break
    }
  }

  private mutating func watch(
    _ change: CallChange, of person: PersonID, _ number: Int64, at wall: Instant
  ) {
    switch change {
    case .asked:
      if calls[person] != nil { fail("I19", "\(person) has two calls without a result") }
      calls[person] = ExpectedCall(number: number, askedAt: wall)
    case .repeated: break
    case .told, .failed:
      if calls[person]?.number != number {
        fail("I19", "call \(number) of \(person) gets a result, but it does not wait for one")
      }
      calls[person] = nil
      if case .told(let contact) = change, !toldNow.contains(contact) {
        fail("I19", "call \(number): \(contact) was not told")
      }
      if replay.people[person]?.person != nil { owedReplies[person] = number }
    }
  }

  /// At the end of a batch, checks that no call waits too long. If a call of a person got a result
  /// in the batch, the function also checks that the daemon announces the result.
  mutating func checkCalls(_ records: [Record]) {
    for (person, number) in owedReplies where !wasUnwritable {
      fail("I19", "\(person) does not hear the result of call \(number)")
    }
    owedReplies = [:]
    toldNow = []
    guard let now = records.last?.reading.wall, !wasUnwritable,
      records.contains(where: { $0.event == .heartbeat })
    else { return }
    for (person, call) in calls
    where now > call.askedAt.adding(seconds: Self.longestCallSeconds) {
      fail("I19", "call \(call.number) of \(person) has no result after two hours")
      calls[person] = nil
    }
  }

  /// Checks at each heartbeat that the daemon has removed each announcement that is over. An
  /// announcement is not over while it has an open prompt, or while a person can still undo its
  /// answer.
  mutating func checkAnnouncements(_ records: [Record]) {
    guard let now = records.last?.reading.wall, !wasUnwritable,
      records.contains(where: { $0.event == .heartbeat })
    else { return }
    let announcements = Set(replay.alarms.values.filter(\.isAnnouncement).map(\.id))
    if announcements.isEmpty { return }
    let kept = replay.prompts.values.filter { prompt in
      prompt.state.isOpen || prompt.lastAnswer.map { now <= $0.undoUntil } == true
    }
    for id in announcements.subtracting(kept.map(\.id.alarm)).sorted() {
      fail("I22", "announcement \(id) has ended, and stays")
    }
  }
}
