import Alarms
import CivilTime
import GRDB
import Glibc
import StudyExport
import TestRandom
import Testing

@testable import Logbook

@Suite struct `When a disk or a file fails` {
  private let directory = TemporaryDirectory()

  @Test func `a full disk loses no recorded event, and the next event follows the last`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try history.playAtOnce(20, into: logbook)
    let (before, head) = (try logbook.events(after: 0, limit: .max), logbook.head)

    try logbook.limitPages(to: 0)
    let (records, changes) = try history.batch()
    var failures = 0
    // The last pages of the file may still have free space. Therefore, the test writes more rows
    // than these pages can contain.
    let bulk = Array(repeating: records, count: 400).flatMap { $0 }
    for _ in 0..<3 {
      let error = #expect(throws: LogbookError.self) { try logbook.record(bulk, changes) }
      #expect(error?.kind == "full")
      failures += 1
      #expect(logbook.head == head)
    }
    #expect(failures == 3)
    #expect(try logbook.events(after: 0, limit: .max) == before)

    try logbook.limitPages(to: 1 << 30)
    try logbook.record(records, changes)
    #expect(logbook.head.sequence == head.sequence + Int64(records.count))
    #expect(try logbook.verify().isOK)
    try expect(try logbook.restore(), equals: history.replay)
  }

  @Test func `changes that do not follow from the events are refused completely`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 2)
    try history.playAtOnce(20, into: logbook)
    let head = logbook.head
    var changes = StateDelta()
    var alarm = try #require(try logbook.restore().alarms.first)
    alarm.version += 1
    changes.alarms[alarm.id] = alarm
    let error = #expect(throws: LogbookError.self) {
      try logbook.record([history.record(.heartbeat)], changes)
    }
    #expect(error?.kind == "invalid")
    #expect(logbook.head == head)
    #expect(try logbook.verify(anchor: head).isOK)
  }

  /// A commit can report an error although the row is on the disk. In this test, a second
  /// connection writes such a row after the failed write.
  @Test func `after a failed write, the next row follows the newest row of the file`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 2)
    try logbook.record([history.record(.heartbeat)], StateDelta())
    var bad = history.record(.heartbeat)
    bad.actor.id = "\u{0}"
    #expect(throws: LogbookError.self) { try logbook.record([bad], StateDelta()) }
    let durable = try Logbook.open(directory, seed: 2)
    try durable.record([history.record(.heartbeat)], StateDelta())
    try logbook.record([history.record(.heartbeat)], StateDelta())
    #expect(logbook.head.sequence == 3)
    #expect(try logbook.verify().isOK)
  }

  @Test func `a NUL at which SQLite would end the text is refused`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 2)
    var record = history.record(.heartbeat)
    record.actor.id = "uid:1\u{0}000"
    let error = #expect(throws: LogbookError.self) { try logbook.record([record], StateDelta()) }
    #expect(error?.kind == "invalid")
    #expect(logbook.head.sequence == 0)
  }

  @Test func `a pseudonym of a failed record is not remembered`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 3)
    var bad = history.record(.heartbeat)
    bad.person = PersonID("Anna")
    bad.actor.id = "\u{0}"
    var good = bad
    good.actor.id = "uid:1000"
    #expect(throws: LogbookError.self) { try logbook.record([good, bad], StateDelta()) }
    try logbook.record([good], StateDelta())
    #expect(try logbook.verify().isOK)
    let known = try logbook.pool.read { db in try Logbook.readPseudonyms(in: db) }
    #expect(known[PersonID("Anna")] == (try logbook.events(after: 0, limit: 1))[0].person)
  }

  @Test func `a closed record refuses each write and does not crash`() throws {
    let logbook = try Logbook.open(directory)
    try logbook.close()
    var history = History(seed: 4)
    #expect(throws: LogbookError.self) {
      try logbook.record([history.record(.heartbeat)], StateDelta())
    }
    let error = #expect(throws: LogbookError.self) { try logbook.restore() }
    #expect(error?.kind == "failed")
  }

  @Test func `a file that is not a database is reported as damaged`() throws {
    writeFile(
      Array("This is a shopping list, and not a short one at all.\n".utf8), to: directory.record)
    let error = #expect(throws: LogbookError.self) { try Logbook.open(directory) }
    #expect(error?.kind == "corrupt")
    #expect(error?.description.contains(directory.record) == true)
  }

  @Test func `the database of another program is refused and left alone`() throws {
    let queue = try DatabaseQueue(path: directory.record)
    try queue.write { db in try db.execute(sql: "CREATE TABLE recipes (name TEXT)") }
    try queue.close()
    let before = readFile(directory.record)
    let error = #expect(throws: LogbookError.self) { try Logbook.open(directory) }
    #expect(error?.kind == "cannot_open")
    #expect(readFile(directory.record) == before)
  }

  @Test func `a record of a newer version is refused and left alone`() throws {
    try Logbook.open(directory).close()
    try tamper(directory.record) { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')")
    }
    let error = #expect(throws: LogbookError.self) { try Logbook.open(directory) }
    #expect(error == .newer(path: directory.record))
  }

  @Test func `a missing directory is named`() {
    let error = #expect(throws: LogbookError.self) {
      try Logbook(directory: "/no/such/place", study: "home")
    }
    #expect(
      error?.description
        == "cannot open the record \"/no/such/place/record.sqlite\": No such file or directory")
  }

  @Test func `a link in place of the record is not followed`() throws {
    symlink("/dev/null", directory.record)
    let error = #expect(throws: LogbookError.self) { try Logbook.open(directory) }
    #expect(error?.kind == "cannot_open")
  }

  @Test func `any damage to the file gives an error or a finding, never a crash`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    try history.playAtOnce(60, into: logbook)
    let (head, honest) = (logbook.head, try logbook.everything())
    try logbook.close()
    let original = readFile(directory.record)
    var random = SeededGenerator(seed: 6)
    var (errors, findings, harmless) = (0, 0, 0)
    for round in 0..<soak(60) {
      let copy = TemporaryDirectory()
      writeFile(Self.damaged(original, round, &random), to: copy.record)
      do {
        let reopened = try Logbook.open(copy)
        let found = try reopened.verify(anchor: head)
        if found.isOK {
          // The damage changed only free space, or changed no byte. All rows must be the same as
          // before the damage.
          #expect(try reopened.everything() == honest, "round \(round)")
          harmless += 1
        } else {
          findings += 1
          _ = try? reopened.everything()
          _ = try? reopened.writeExport(to: copy.path + "/out", profile: .identified)
          try? reopened.record([history.record(.heartbeat)], StateDelta())
        }
      } catch let error as LogbookError {
        #expect(error.kind != "failed", "round \(round): \(error)")
        errors += 1
      }
    }
    #expect(
      errors > 0 && findings > 0, "\(errors) errors, \(findings) findings, \(harmless) harmless")
  }

  /// Damages a file. The function removes the end of the file, fills a part of the file with noise,
  /// or changes one byte.
  private static func damaged(
    _ original: [UInt8], _ round: Int, _ random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = original
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch round % 4 {
    case 0: bytes.removeSubrange(place...)
    case 1:
      for index in place..<min(place + 512, bytes.count) {
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
    default: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
    }
    return bytes
  }
}

extension Logbook {
  /// Limits the number of pages of the file. If the file already has more pages, SQLite uses the
  /// present number of pages as the limit.
  fileprivate func limitPages(to count: Int) throws {
    try pool.writeWithoutTransaction { db in
      _ = try Row.fetchOne(db, sql: "PRAGMA max_page_count = \(max(count, 1))")
    }
  }

  /// Returns everything that the daemon reads, as one text.
  fileprivate func everything() throws -> String {
    let snapshot = try restore()
    let rows = try prompts(PromptQuery(limit: .max))
    return "\(snapshot.alarms) \(snapshot.openPrompts) \(snapshot.tones) \(rows) "
      + "\(try events(after: 0, limit: .max))"
  }
}
