import Alarms
import GRDB
import StudyExport
import Testing

@testable import Logbook

/// Tests which of several faults a verification reports.
@Suite struct `The first of several faults` {
  private let directory = TemporaryDirectory()

  @Test func `of the people is the one with the smallest pseudonym`() throws {
    var timeline = try Timeline(in: directory)
    var rows: [String: Int64] = [:]
    for name in ["anna", "bob", "carl", "dora"] {
      let row = try timeline.add(0, .personAdded(Person(id: PersonID(name), version: 1)))
      let code = try #require(try timeline.logbook.code(of: PersonID(name)))
      rows[code] = row
    }
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM people") }
    let first = try #require(rows.keys.min())
    #expect(
      try timeline.logbook.verify().finding
        == .init(
          sequence: rows[first],
          problem: "the identity of \(first) is missing, and no erasure deleted it"))
  }

  @Test func `of a table is the one with the smallest name`() throws {
    var timeline = try Timeline(in: directory)
    for name in ["c", "a", "d", "b"] { try timeline.add(0, .alarmCreated(timeline.alarm(name))) }
    try timeline.logbook.close()
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM alarms") }
    let logbook = try Logbook.open(directory)
    #expect(try logbook.verify().problem == "\"a\" is missing from the table alarms")
  }

  @Test func `of the prompts is the one whose last event is the oldest`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    let prompts = [60, 120, 180].map { timeline.prompt(alarm, due: $0) }
    for prompt in prompts { try timeline.add(1, .planned(prompt)) }
    let none = Stopped(pending: 0, sounding: false, sounded: 0)
    for (place, number) in [2, 0, 1].enumerated() {
      try timeline.add(
        Int64(place) + 2, .closed(prompts[number].id, .declined, reason: .none, none))
    }
    try timeline.logbook.close()
    try tamper(directory.record) { try $0.execute(sql: "UPDATE prompts SET delays = 1") }
    let found = try Logbook.open(directory).verify()
    #expect(
      found.problem == "the stored prompt \"\(prompts[2].id)\" does not match its events")
    #expect(found.firstBadSequence == nil && found.events == 7)
  }
}
