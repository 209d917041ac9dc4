import Alarms
import CivilTime
import Testing

@testable import Logbook

@Suite struct `Listing` {
  private let directory = TemporaryDirectory()

  private func logbook() throws -> (Logbook, History) {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 11)
    try history.playAtOnce(150, into: logbook)
    return (logbook, history)
  }

  @Test func `prompts are listed newest first, page by page, each once`() throws {
    let (logbook, history) = try logbook()
    var (found, before): ([PromptRow], PromptID?) = ([], nil)
    while true {
      let page = try logbook.prompts(PromptQuery(before: before, limit: 7))
      guard let last = page.last else { break }
      found += page
      before = last.prompt.id
    }
    let all = history.replay.prompts
    #expect(found.count == all.count && found.count > 30)
    #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.prompt.id, $0.prompt) }) == all)
    for (newer, older) in zip(found, found.dropFirst()) {
      #expect(newer.prompt.dueAt >= older.prompt.dueAt)
    }
  }

  @Test(arguments: [1, 2, 1_000])
  func `each alarm is read once, however many are decoded together`(batch: Int) throws {
    let (logbook, _) = try logbook()
    let all = try logbook.restore().alarms
    let found = try logbook.reading("read the alarms") { db in
      try logbook.alarms(in: db, People(db), batch: batch)
    }
    #expect(found == all && found.count > 2)
  }

  @Test func `only the alarms of cancelled calendar events are listed as cancelled`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 12)
    func remove(_ uid: String?, _ revision: String?) throws -> Alarm {
      var alarm = try history.alarm()
      (alarm.person, alarm.calendarUID, alarm.calendarRevision) = (.patient, uid, revision)
      let records = [Event.alarmCreated(alarm), .alarmDeleted(alarm.id, version: 1)].map {
        history.record($0)
      }
      try logbook.record(records, history.changes(by: records))
      return alarm
    }
    let cancelled = try remove("a@x", "2 - 0 cancelled")
    _ = try remove("b@x", "2 - 0")
    _ = try remove(nil, nil)
    #expect(try logbook.cancelledAlarms(limit: 10).map(\.id) == [cancelled.id])
    // A later import of the calendar event `a@x` made a new alarm. A person, and not the calendar,
    // removed this alarm.
    _ = try remove("a@x", "3 - 0")
    #expect(try logbook.cancelledAlarms(limit: 10).isEmpty)
  }

  @Test func `prompts are found by state, outcome, alarm and due time`() throws {
    let (logbook, history) = try logbook()
    let all = history.replay.prompts.values
    func count(_ query: PromptQuery) throws -> Int { try logbook.prompts(query).count }
    func expected(_ isWanted: (Prompt) -> Bool) -> Int { all.count(where: isWanted) }
    let open = expected { $0.state.isOpen }
    #expect(try count(PromptQuery(state: .open, limit: .max)) == open)
    #expect(try count(PromptQuery(state: .closed, limit: .max)) == all.count - open)
    for outcome in Outcome.allCases {
      let number = expected {
        if case .closed(outcome, _, _) = $0.state { true } else { false }
      }
      #expect(try count(PromptQuery(outcomes: [outcome], limit: .max)) == number)
    }
    let alarm = try #require(all.first).id.alarm
    #expect(
      try count(PromptQuery(alarm: alarm, limit: .max)) == expected { $0.id.alarm == alarm })
    let middle = try #require(all.map(\.dueAt).sorted().dropFirst(all.count / 2).first)
    #expect(
      try count(PromptQuery(dueThrough: middle, limit: .max)) == expected { $0.dueAt <= middle })
    #expect(try count(PromptQuery(outcomes: [], limit: .max)) == 0)
  }

  @Test func `one prompt is found with its label, person and outcome`() throws {
    let (logbook, history) = try logbook()
    for prompt in history.replay.prompts.values {
      let row = try #require(try logbook.prompt(prompt.id))
      #expect(row.prompt == prompt)
      let versions = try logbook.alarmVersions(prompt.id.alarm)
      let alarm = try #require(versions.first { $0.version == prompt.alarmVersion })
      #expect(row.label == alarm.label && row.person == alarm.person)
      if case .closed(let outcome, let reason, let at) = prompt.state {
        #expect(row.outcome == outcome && row.reason == reason && row.closedAt == at)
      } else {
        #expect(row.outcome == nil && row.reason == nil && row.closedAt == nil)
      }
    }
    #expect(try logbook.prompt(PromptID(alarm: AlarmID("nobody"), nominalKey: 0)) == nil)
  }

  @Test func `a page after an unknown prompt is refused by name`() throws {
    let (logbook, _) = try logbook()
    let id = PromptID(alarm: AlarmID("nobody"), nominalKey: 0)
    #expect(throws: LogbookError.notFound("prompt \"nobody@1970-01-01T00:00:00\"")) {
      try logbook.prompts(PromptQuery(before: id))
    }
  }

  @Test func `events come in order after a given one`() throws {
    let (logbook, _) = try logbook()
    let all = try logbook.events(after: 0, limit: .max)
    #expect(all.map(\.sequence) == Array(1...logbook.head.sequence))
    #expect(try logbook.events(after: 10, limit: 5) == Array(all[10..<15]))
    #expect(try logbook.events(after: logbook.head.sequence, limit: 5).isEmpty)
  }

  @Test func `every version of an alarm stays, also of a removed alarm`() throws {
    let (logbook, history) = try logbook()
    let alarm = try #require(history.replay.alarms.values.first { $0.version > 1 })
    #expect(try logbook.alarmVersions(alarm.id).map(\.version) == Array(1...alarm.version))
    #expect(try logbook.alarmVersions(alarm.id).last == alarm)
    let removed = try #require(history.replay.deletedAlarms.first)
    #expect(try !logbook.alarmVersions(removed).isEmpty)
    #expect(try logbook.alarmVersions(AlarmID("nobody")).isEmpty)
  }
}
