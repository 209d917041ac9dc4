import Alarms
import GRDB
import Glibc
import Testing

@testable import Logbook

/// Tests the record that the daemon uses if the file of the record is missing, empty, damaged or
/// too old.
@Suite struct `The replacement of a record` {
  private let directory = TemporaryDirectory()
  private let refuge = TemporaryDirectory()
  private var path: String { directory.path }
  private var adrift: String { "\(refuge.path)/adrift" }

  private func open() throws -> OpenedRecord {
    try Logbook.opening(directory: path, refuge: nil, now: 99)
  }

  private func repaired(_ reason: String, after event: Int, in directory: String) -> String {
    "the record was damaged (\(reason)); it is repaired and continues after event \(event); "
      + "the damaged file is in \(directory)/damaged-99"
  }

  private func replaced(_ directory: String, _ error: LogbookError) -> String {
    "the record cannot be used in \(directory); nothing is recorded, and alarms ring from a copy in "
      + "memory: \(error)"
  }

  /// Makes a record with this number of events and a replica, and closes the record.
  private func record(_ count: Int64) throws -> Logbook.Head {
    var timeline = try Timeline(in: directory)
    for place in 0..<count { try timeline.add(place, .heartbeat) }
    try timeline.logbook.updateReplica(directory: path)
    try timeline.logbook.close()
    return timeline.logbook.head
  }

  @Test func `is empty if the state directory is missing`() throws {
    let gone = "\(path)/gone"
    let reason = LogbookError.cannotOpen(
      path: "\(gone)/record.sqlite", reason: "No such file or directory")
    #expect(throws: reason) {
      try Logbook.opening(directory: gone, refuge: nil, now: 99)
    }
    // A copy of an earlier process exists.
    mkdir(adrift, 0o700)
    writeFile([1], to: "\(adrift)/old")
    let opened = try Logbook.opening(directory: gone, refuge: refuge.path, now: 99)
    #expect(opened.notices == [replaced(gone, reason)])
    #expect(opened.logbook.isDetached && opened.logbook.head.sequence == 0)
    #expect(!TemporaryDirectory.list(adrift).contains("old"))
    var history = History(seed: 1)
    #expect(
      throws: LogbookError.unwritable(
        doing: "record 1 event", reason: "the disk of \"\(gone)\" is full or cannot be written")
    ) { try opened.logbook.record([history.record(.heartbeat)], .init()) }
    #expect(
      throws: LogbookError.unwritable(
        doing: "create \"\(path)/no/adrift\"", reason: "No such file or directory")
    ) { try Logbook.openCopyInMemory(gone, "\(path)/no/adrift", 99, because: reason) }
  }

  @Test func `has the rows of an old record whose upgrade fails`() throws {
    let dump = String(decoding: readFile("\(fixtures)/record-v2.sql"), as: UTF8.self)
    let queue = try DatabaseQueue(path: directory.record)
    let hash = try queue.writeWithoutTransaction { db in
      try db.execute(sql: dump)
      try db.execute(sql: "UPDATE prompts SET delays = delays + 1; PRAGMA journal_mode = WAL")
      return try String.fetchOne(db, sql: "SELECT hash FROM events ORDER BY seq DESC LIMIT 1")
    }
    try queue.close()
    let failure = #expect(throws: LogbookError.self) { try Upgrade.run(path, Schema.migrator) }
    let error = try #require(failure)
    #expect(error.description.contains("cannot verify the upgraded record"), "\(error)")
    #expect(access("\(path)/replacing", F_OK) != 0)
    let opened = try Logbook.openCopyInMemory(path, adrift, 99, because: error)
    #expect(
      opened.notices == [
        replaced(path, error), repaired(error.description, after: 523, in: adrift),
      ])
    #expect(opened.logbook.head.sequence == 523 && opened.logbook.head.hash == hash)
    #expect(try opened.logbook.verify().problem == nil)
    #expect(!opened.snapshot.alarms.isEmpty && !opened.snapshot.openPrompts.isEmpty)
    #expect(Logbook.damagedRecords(in: adrift) == ["damaged-99"])
    var history = History(seed: 1)
    #expect(
      throws: LogbookError.unwritable(
        doing: "record 1 event", reason: "the record could not be upgraded")
    ) { try opened.logbook.record([history.record(.heartbeat)], .init()) }
    #expect(opened.logbook.isDetached)
  }

  @Test func `has the rows of the damaged file if a row of the replica was changed`() throws {
    let head = try record(3)
    try tamper(Replica.path(in: path)) {
      try $0.execute(sql: "UPDATE events SET source = 'x' WHERE seq = 1")
    }
    try Logbook.markDamaged(directory: path, because: "a page")
    let opened = try open()
    #expect(
      opened.notices == [repaired("the daemon found the damage during use", after: 3, in: path)])
    #expect(opened.logbook.head == head)
    #expect(try opened.logbook.verify(anchor: head).isOK)
    // The recovery removes the changed replica.
    #expect(access("\(path)/snapshot", F_OK) != 0)
    try opened.logbook.updateReplica(directory: path)
    #expect(try #require(Replica.head(in: path)) == head)
  }

  @Test func `comes from the replica if the file is empty`() throws {
    let head = try record(2)
    writeFile([], to: directory.record)
    let opened = try open()
    #expect(opened.notices == [repaired("the file is missing", after: 2, in: path)])
    #expect(opened.logbook.head == head)
  }

  @Test func `is needed only if the replica has an event that the file does not have`() throws {
    #expect(try record(0).sequence == 0)
    #expect(try #require(Replica.head(in: path)) == (0, EventRow.genesis))
    var opened = try open()
    #expect(opened.notices == [] && opened.logbook.head.sequence == 0)
    try opened.logbook.close()
    let head = try record(1)
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM events") }
    opened = try open()
    #expect(
      opened.notices == [
        repaired("it ends before event 1, which existed earlier", after: 1, in: path)
      ])
    #expect(opened.logbook.head == head)
  }
}
