import Alarms
import GRDB
import Glibc
import Testing

@testable import Logbook

/// Tests the upgrade of a record to a future version.
@Suite struct `Upgrading` {
  private let directory = TemporaryDirectory()
  private struct Bug: Error {}

  private static func next(_ work: @escaping @Sendable (Database) throws -> Void)
    -> DatabaseMigrator
  {
    var migrator = Schema.migrator
    migrator.registerMigration("next") { db in try work(db) }
    return migrator
  }

  private func lived() throws -> Logbook.Head {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try history.playAtOnce(50, into: logbook)
    let head = logbook.head
    try logbook.close()
    return head
  }

  private func open(_ migrator: DatabaseMigrator) throws -> OpenedRecord {
    try Logbook.openInPlace(directory.path, 0, migrator)
  }

  @Test func `keeps every event, and a copy of the record before it`() throws {
    let head = try lived()
    let opened = try open(
      Self.next { db in try db.execute(sql: "CREATE TABLE moods (name TEXT) STRICT") })
    #expect(opened.logbook.head == head)
    #expect(try opened.logbook.verify(anchor: head).isOK)
    #expect(opened.notices.first?.contains("the record was upgraded") == true)
    try opened.logbook.close()
    let kept = TemporaryDirectory()
    writeFile(readFile("\(directory.path)/before-upgrade/record.sqlite"), to: kept.record)
    #expect(try Logbook.open(kept).head == head)
    // The older program refuses to open the upgraded record, and does not change it.
    let error = #expect(throws: LogbookError.self) {
      try Logbook.opening(directory: directory.path, refuge: nil, now: 0)
    }
    #expect(error?.kind == "newer")
  }

  @Test(arguments: ["half-way", "loses a text", "bends a prompt"])
  func `that fails leaves the record as it was and says so`(how: String) throws {
    let head = try lived()
    let before = readFile(directory.record)
    let migrator = Self.next { db in
      try db.execute(sql: "CREATE TABLE moods (name TEXT) STRICT")
      switch how {
      case "half-way": throw Bug()
      case "loses a text":
        try db.execute(sql: "DELETE FROM contents WHERE seq = (SELECT max(seq) FROM contents)")
      default: try db.execute(sql: "UPDATE prompts SET delays = delays + 1")
      }
    }
    let error = #expect(throws: LogbookError.self) { try Upgrade.run(directory.path, migrator) }
    #expect(error?.description.contains("the record is unchanged") == true)
    #expect(readFile(directory.record) == before)
    #expect(TemporaryDirectory.list(directory.path).allSatisfy { !$0.hasPrefix("replacing") })

    // The upgrade has failed, but the known alarms still ring. The daemon uses a copy in memory
    // that contains the rows of the record.
    let refuge = TemporaryDirectory()
    let opened = try Logbook.openCopyInMemory(
      directory.path, "\(refuge.path)/adrift", 0, because: try #require(error), Schema.migrator)
    #expect(opened.logbook.head == head)
    #expect(!opened.snapshot.alarms.isEmpty)
    #expect(readFile(directory.record) == before)
  }

  @Test func `that is killed half-way leaves the record as it was`() async throws {
    let head = try lived()
    let before = readFile(directory.record)
    let path = directory.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let migrator = `Upgrading`.next { db in
        try db.execute(sql: "CREATE TABLE moods (name TEXT) STRICT")
        kill(getpid(), SIGKILL)
      }
      _ = try Upgrade.run(path, migrator)
    }
    #expect(readFile(directory.record) == before)
    let opened = try open(
      Self.next { db in try db.execute(sql: "CREATE TABLE moods (name TEXT) STRICT") })
    #expect(opened.logbook.head == head)
    #expect(try opened.logbook.verify(anchor: head).isOK)
  }
}
