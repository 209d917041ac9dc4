import Alarms
import CivilTime
import Testing

@testable import Logbook

@Suite struct Notifications {
  @Test func `unconfirmed notifications of missed prompts are found in the record`() throws {
    let directory = TemporaryDirectory()
    var history = History(seed: 6)
    var logbook = try Logbook.open(directory)
    let alarm = try history.alarm()
    let prompts = (0..<3).map { _ in history.prompt(alarm) }
    let ids = prompts.map(\.id)
    let stopped = Stopped(pending: 0, sounding: false, sounded: 1)
    func missed(_ id: PromptID) -> Event {
      .closed(id, .missedNoResponse, reason: .none, stopped)
    }
    let events: [(Event, unconfirmed: [PromptID])] =
      [(.alarmCreated(alarm), [])] + prompts.map { (.planned($0), []) }
      + ids.map { (.escalated($0, position: 0, contact: "bob", reason: .noAnswer), []) } + [
        (missed(ids[0]), [ids[0]]), (missed(ids[1]), [ids[0], ids[1]]),
        (.closed(ids[2], .completed, reason: .none, stopped), [ids[0], ids[1]]),
        (
          .notificationFailed(
            ids[0], position: 0, contact: "bob", attempt: 1, isLast: false, reason: "no network"),
          [ids[0], ids[1]]
        ),
        (.notified(ids[1], position: 0, contact: "bob", attempt: 2), [ids[0]]),
        (.escalated(ids[0], position: 0, contact: "bob", reason: .noAnswer), [ids[0]]),
        (.notified(ids[0], position: 0, contact: "bob", attempt: 1), []),
      ]
    for (event, unconfirmed) in events {
      let record = history.record(event)
      try logbook.record([record], history.changes(by: [record]))
      try logbook.close()
      logbook = try Logbook.open(directory)
      let found = try logbook.restore().unconfirmed
      #expect(found.map(\.prompt) == unconfirmed.sorted(), "\(event.type)")
      #expect(
        found.allSatisfy { $0.contact == "bob" && $0.reason == .noAnswer && $0.position == 0 })
      #expect(try logbook.verify().isOK, "\(event.type)")
    }
  }
}
