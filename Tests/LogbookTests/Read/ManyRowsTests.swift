import Alarms
import CivilTime
import GRDB
import StudyExport
import Testing

@testable import Logbook

/// Tests work that is done in several pieces because there are many rows.
@Suite struct `A record with many rows` {
  private let directory = TemporaryDirectory()

  /// Makes a record with this number of heartbeats.
  private func record(_ count: Int) throws -> Logbook {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try logbook.record((0..<count).map { _ in history.record(.heartbeat) }, .init())
    return logbook
  }

  @Test func `has each alarm once if two threads decode the alarms`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    var records: [Alarms.Record] = []
    var changes = StateDelta()
    // A thread decodes at most 1,024 alarms.
    for _ in 0..<1_025 {
      let alarm = try history.alarm()
      records.append(history.record(.alarmCreated(alarm)))
      changes.alarms[alarm.id] = alarm
    }
    try logbook.record(records, changes)
    let found = try logbook.restore().alarms
    #expect(found.map(\.id.text) == changes.alarms.keys.map(\.text).sorted())
    #expect(found.allSatisfy { changes.alarms[$0.id] == $0 })
  }

  @Test func `is in an archive in pieces of 500 rows`() throws {
    let archive = try record(1_001).rowArchive(through: 1_001)
    var lines: [Int] = []
    while let piece = try archive.next() { lines.append(piece.count { $0 == 0x0A }) }
    #expect(lines == [1, 500, 500, 1] && archive.rows == 1_001)
  }

  @Test func `has each row once in an export that is larger than its buffer`() throws {
    let path = "\(directory.path)/out"
    let summary = try record(1_000).writeExport(to: path, profile: .limited)
    let file = try #require(summary.files.first { $0.name == "events.csv" })
    #expect(file.rows == 1_000 && file.bytes > 2 * ExportFile.bufferSize)
    #expect(Table("\(path)/events.csv").rows.map { $0["seq"] } == (1...1_000).map { "\($0)" })
  }

  @Test func `has each alarm once on a page that is larger than its buffer`() throws {
    var timeline = try Timeline(in: directory)
    for name in ["alpha", "beta"] {
      var alarm = timeline.alarm(name, label: "\(name) pills")
      alarm.instructions = String(repeating: "x", count: 140_000)
      try timeline.add(0, .alarmCreated(alarm))
    }
    let path = "\(directory.path)/own"
    _ = try timeline.logbook.writeOwnData(of: PersonID("anna"), pictures: [], to: path)
    let page = String(decoding: readFile("\(path)/my-data.html"), as: UTF8.self)
    for text in ["<h1>", "alpha pills", "beta pills", "<h2>Diary</h2>", "</html>"] {
      #expect(page.ranges(of: text).count == 1, "\(text)")
    }
    #expect(page.utf8.count { $0 == UInt8(ascii: "x") } >= 280_000)
  }

  @Test func `leaves no free page in its replica after a purge`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 11)
    try history.playAtOnce(150, into: logbook)
    try history.export(from: logbook)
    try logbook.updateReplica(directory: directory.path)
    let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    try logbook.purge(through: plan.throughSequence)
    try logbook.updateReplica(directory: directory.path)
    let free = try looking(into: Replica.path(in: directory.path)) { db in
      try Int.fetchOne(db, sql: "PRAGMA freelist_count")
    }
    #expect(free == 0 && plan.going > 50)
  }

  /// The first event is before 01:00 in UTC, and its local time is one hour ahead of UTC. Therefore,
  /// its day depends on the sign of the offset.
  @Test func `keeps its study days and gets a new replica after a purge`() throws {
    let seed = try #require(
      (1...99 as ClosedRange<UInt64>).first { seed in
        var history = History(seed: seed)
        return history.record(.heartbeat).reading.wall < Instant(seconds: 1_796_000_400)
      })
    let logbook = try Logbook.open(directory)
    var history = History(seed: seed)
    try logbook.record([history.record(.heartbeat)], .init())
    try logbook.updateReplica(directory: directory.path)
    try history.playAtOnce(150, into: logbook)
    func days(_ name: String) throws -> [String: String] {
      let path = "\(directory.path)/\(name)"
      _ = try logbook.writeExport(to: path, profile: .safeHarbor)
      let rows = Table("\(path)/events.csv").rows
      return Dictionary(
        uniqueKeysWithValues: rows.map { ($0["seq"] ?? "", $0["recorded_day"] ?? "") })
    }
    let before = try days("before")
    try history.export(from: logbook)
    let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    try logbook.purge(through: plan.throughSequence)
    let after = try days("after").filter { before[$0.key] != nil }
    #expect(after.count > 10 && after.count < before.count)
    #expect(after.allSatisfy { before[$0.key] == $0.value } && before.values.contains("1"))
    try logbook.updateReplica(directory: directory.path)
    #expect(try #require(Replica.head(in: directory.path)) == logbook.head)
  }

  @Test func `is listed in pages of 100 prompts with all outcomes and announcements`() {
    let query = PromptQuery()
    #expect(query.limit == 100 && query.state == .any && query.outcomes == nil)
    #expect(!query.includesOpen && !query.tasksOnly)
  }
}
