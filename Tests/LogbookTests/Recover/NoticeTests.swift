import Alarms
import GRDB
import Glibc
import Testing

@testable import Logbook

/// Tests the exact notices to the administrator, and which files remain.
@Suite struct `A notice about the record` {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path }

  /// Makes a record with two events and closes it. The second event has a text.
  private func record(hasReplica: Bool = false) throws -> Logbook.Head {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .heartbeat)
    try timeline.add(1, .audioLost(reason: "no card"))
    if hasReplica { try timeline.logbook.updateReplica(directory: path) }
    try timeline.logbook.close()
    return timeline.logbook.head
  }

  private func open() throws -> OpenedRecord {
    try Logbook.opening(directory: path, refuge: nil, now: 99)
  }

  private func repaired(_ reason: String, after event: Int) -> String {
    "the record was damaged (\(reason)); it is repaired and continues after event \(event); "
      + "the damaged file is in \(path)/damaged-99"
  }

  @Test(arguments: [false, true])
  func `names the damage, the last event and the old file`(hasReplica: Bool) throws {
    let head = try record(hasReplica: hasReplica)
    #expect(Logbook.damagedRecords(in: path) == [])
    try Logbook.markDamaged(directory: path, because: "a page")
    #expect(readFile("\(path)/damaged") == Array("a page".utf8))
    let opened = try open()
    #expect(opened.notices == [repaired("the daemon found the damage during use", after: 2)])
    #expect(opened.logbook.head == head)
    #expect(Logbook.damagedRecords(in: path) == ["damaged-99"])
    #expect(access("\(path)/damaged", F_OK) != 0 && access("\(path)/replacing", F_OK) != 0)
    try opened.logbook.close()
    #expect(try open().notices == [])
  }

  @Test func `says that the file is missing, or shorter or other than its copy`() throws {
    _ = try record(hasReplica: true)
    unlink(directory.record)
    var opened = try open()
    #expect(opened.notices == [repaired("the file is missing", after: 2)])
    try opened.logbook.close()
    try tamper(directory.record) { db in
      try db.execute(sql: "DELETE FROM contents; DELETE FROM events WHERE seq = 2")
    }
    opened = try open()
    #expect(
      opened.notices == [repaired("it ends before event 2, which existed earlier", after: 2)])
    try opened.logbook.close()
    try tamper(directory.record) {
      try $0.execute(sql: "UPDATE events SET hash = 'x' WHERE seq = 2")
    }
    opened = try open()
    #expect(opened.notices == [repaired("event 2 does not have the known hash", after: 2)])
    #expect(try opened.logbook.verify().isOK)
  }

  @Test func `counts the events and texts of an upgraded record`() throws {
    let head = try record()
    var migrator = Schema.migrator
    migrator.registerMigration("next") { try $0.execute(sql: "CREATE TABLE moods (name) STRICT") }
    #expect(throws: LogbookError.self) { try Upgrade.run(path, migrator) }
    migrator = Schema.migrator
    migrator.registerMigration("next") {
      try $0.execute(sql: "CREATE TABLE moods (name TEXT) STRICT")
    }
    #expect(try Upgrade.isNeeded(directory.record, migrator))
    #expect(try !Upgrade.isNeeded(directory.record, Schema.migrator))
    #expect(try !Upgrade.isNeeded("\(path)/none", migrator))
    #expect(
      try Upgrade.run(path, migrator)
        == "the record was upgraded (2 events up to \(head.hash.prefix(12)), 1 texts); "
        + "the old record is in \(path)/before-upgrade")
    #expect(try !Upgrade.isNeeded(directory.record, migrator))
    // A program that knows only the older schema does not upgrade the record.
    #expect(try !Upgrade.isNeeded(directory.record, Schema.migrator))
  }

  @Test func `says why alarms ring from a copy, and each refused write says why`() throws {
    _ = try record()
    let refuge = TemporaryDirectory()
    let reason = LogbookError.full(doing: "open the record")
    let opened = try Logbook.openCopyInMemory(path, "\(refuge.path)/adrift", 99, because: reason)
    #expect(
      opened.notices == [
        "the record cannot be used in \(path); nothing is recorded, and alarms ring from a copy in "
          + "memory: cannot open the record: no space is left on the disk"
      ])
    let logbook = opened.logbook
    var history = History(seed: 1)
    let records = (0..<2).map { _ in history.record(.heartbeat) }
    rename(directory.record, "\(path)/away")
    for count in [1, 2] {
      #expect(
        throws: LogbookError.unwritable(
          doing: count == 1 ? "record 1 event" : "record 2 events",
          reason: "the disk of \"\(path)\" is full or cannot be written")
      ) { try logbook.record(Array(records.prefix(count)), .init()) }
    }
    try Logbook.open(directory).close()
    #expect(
      throws: LogbookError.unwritable(
        doing: "record 1 event", reason: "the record in \"\(path)\" differs from its copy in memory"
      )
    ) { try logbook.record([records[0]], .init()) }
    #expect(logbook.isDetached)
    rename("\(path)/away", directory.record)
    try logbook.record([records[0]], .init())
    #expect(!logbook.isDetached && logbook.head.sequence == 3)
  }

  private static let longName = String(repeating: "x", count: 61)

  @Test(arguments: [
    (
      "CREATE TABLE \"a\"\"bé\u{7f}\u{1f} ~\" (c)", "it contains the table \"a?b??? ~\", which this"
    ),
    (
      "CREATE TABLE \(longName) (c)", "it contains the table \"\(longName.dropLast())\", which this"
    ),
    ("DROP TABLE grdb_migrations", "it has no list of migrations"),
    (
      "DELETE FROM grdb_migrations WHERE identifier = '3'",
      "a migration is missing from the list of applied migrations"
    ),
    ("DROP TABLE levels", "its table \"levels\" is missing"),
    ("ALTER TABLE levels ADD COLUMN more TEXT", "its table \"levels\" was changed"),
    (
      "DROP TABLE levels; CREATE VIEW levels AS SELECT 1",
      "it contains the view \"levels\", which this"
    ),
    ("DROP INDEX purges", "its index \"purges\" is missing"),
    (
      "DROP INDEX purges; CREATE INDEX purges ON events (type)", "its index \"purges\" was changed"
    ),
  ])
  func `names the strange part of the schema`(sql: String, sentence: String) throws {
    _ = try record()
    let queue = try DatabaseQueue(path: directory.record)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    let reason = sentence + (sentence.hasSuffix("this") ? " program does not create" : "")
    #expect(
      throws: LogbookError.corrupt(
        doing: "open the record \"\(directory.record)\"", reason: reason)
    ) { try Logbook.open(directory) }
  }

  @Test func `about a copy names the file that cannot be read or created`() throws {
    let (source, target) = ("\(path)/source", "\(path)/target")
    func failure(_ doing: String, _ reason: String) -> LogbookError {
      .unwritable(doing: "\(doing)", reason: reason)
    }
    #expect(throws: failure("read \"\(source)\"", "No such file or directory")) {
      try copyFile(source, target)
    }
    #expect(TemporaryDirectory.list(path) == [])
    let bytes = (0..<(1 << 18) + 5).map { UInt8(truncatingIfNeeded: $0 &* 3) }
    writeFile(bytes, to: source)
    chmod(source, 0o644)
    try copyFile(source, target)
    #expect(readFile(target) == bytes)
    var status = stat()
    #expect(stat(target, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(throws: failure("create \"\(target)\"", "File exists")) {
      try copyFile(source, target)
    }
    #expect(throws: failure("create \"\(path)/no/replacing\"", "No such file or directory")) {
      _ = try AtomicReplace(of: "\(path)/no")
    }
  }
}
