import Alarms
import GRDB
import Glibc
import Testing

@testable import Logbook

/// Tests a record file to which somebody added SQL code, for example a trigger. SQLite runs this
/// code when the daemon uses the record.
@Suite struct `A record that contains something that runs` {
  private let directory = TemporaryDirectory()
  private static let now: Int64 = 1_800_000_000_000

  private func lived(copied: Int = 40, more: Int = 20) throws -> (Logbook.Head, History) {
    var history = History(seed: 21)
    let logbook = try Logbook.open(directory)
    try history.playAtOnce(copied, into: logbook)
    if copied > 0 { try logbook.updateReplica(directory: directory.path) }
    try history.playAtOnce(more, into: logbook)
    let head = logbook.head
    try logbook.close()
    return (head, history)
  }

  private func alter(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The SQL statements that add the code, and a word that must be in the notice.
  static let alterations: [(sql: String, word: String)] = [
    (
      "CREATE TRIGGER late AFTER UPDATE ON settings BEGIN DELETE FROM alarms; END",
      "trigger \"late\""
    ),
    (
      "CREATE TRIGGER late AFTER INSERT ON receipts BEGIN UPDATE prompts SET phase = 'closed'; END",
      "trigger \"late\""
    ),
    ("CREATE VIEW peek AS SELECT * FROM people", "view \"peek\""),
    ("CREATE TABLE extra (a TEXT)", "table \"extra\""),
    ("CREATE INDEX extra ON prompts (outcome)", "index \"extra\""),
    ("CREATE VIRTUAL TABLE words USING fts5(body)", "\"words"),
    ("ALTER TABLE prompts ADD COLUMN more TEXT AS (hex(zeroblob(9)))", "table \"prompts\""),
    ("ALTER TABLE people ADD COLUMN more TEXT", "table \"people\""),
    (
      """
      ALTER TABLE people RENAME TO people_; CREATE TABLE people (person, pseudonym, more);
      INSERT INTO people SELECT person, pseudonym, 1 FROM people_;
      INSERT INTO people VALUES (NULL, NULL, NULL); INSERT INTO people VALUES ('x', X'00', 1);
      CREATE TABLE events_ AS SELECT * FROM events
      """, "which this program does not create"
    ),
    ("DROP TRIGGER events_no_delete", "trigger \"events_no_delete\" is missing"),
    ("DROP INDEX prompts_by_due", "index \"prompts_by_due\" is missing"),
    (
      """
      DROP TRIGGER events_no_update;
      CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END
      """, "trigger \"events_no_update\" was changed"
    ),
    ("ANALYZE", "sqlite_stat"),
    ("DELETE FROM grdb_migrations", "which this program does not create"),
    (
      """
      ALTER TABLE settings RENAME TO settings_;
      CREATE VIEW settings AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT 'device' AS name, i AS value FROM n;
      """, "settings"
    ),
    (
      """
      ALTER TABLE grdb_migrations RENAME TO list;
      CREATE VIEW grdb_migrations AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT i AS identifier FROM n;
      """, "no list of migrations"
    ),
  ]

  @Test(arguments: alterations.indices) func `is refused if it is not the record of the home`(
    index: Int
  ) throws {
    _ = try lived(copied: 0)
    let (sql, word) = Self.alterations[index]
    try alter(directory.record, sql)
    let error = #expect(throws: LogbookError.self) { try Logbook(directory: directory.path) }
    #expect(
      error?.kind == "corrupt" && error?.description.contains(word) == true, "\(error as Any)")
    #expect(throws: LogbookError.self) { try Logbook.prove(directory.path) { _, _ in } }
  }

  @Test(arguments: alterations.indices) func `continues with its rows and drops the added objects`(
    index: Int
  ) throws {
    let (head, history) = try lived()
    let (sql, word) = Self.alterations[index]
    try alter(directory.record, sql)
    let opened = try Logbook.opening(directory: directory.path, refuge: nil, now: Self.now)
    #expect(opened.notices.first?.contains(word) == true, "\(opened.notices)")
    // If a view replaces a table, the view returns no rows. The daemon then uses the replica.
    #expect(opened.logbook.head == head)
    #expect(!opened.snapshot.alarms.isEmpty)
    try expect(opened.snapshot, equals: history.replay)
    // One of the SQL statements removes the salts of the identities. All events are still complete.
    #expect(try opened.logbook.verify(anchor: head).problem == nil)
    try opened.logbook.close()
    let again = try Logbook.opening(directory: directory.path, refuge: nil, now: Self.now + 1)
    #expect(again.notices == [])
  }

  @Test func `has rows that are not read through an endless view`() throws {
    let (_, history) = try lived(copied: 40, more: 0)
    try alter(
      directory.record,
      """
      DROP TRIGGER events_no_delete; DROP TRIGGER events_no_update; DROP TRIGGER events_in_order;
      PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;
      ALTER TABLE events RENAME TO events_;
      CREATE VIEW events AS SELECT e.* FROM events_ e, (
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);
      ALTER TABLE people RENAME TO people_;
      CREATE VIEW people AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT i AS person, i AS pseudonym FROM n
      """)
    let opened = try Logbook.opening(directory: directory.path, refuge: nil, now: Self.now)
    #expect(opened.notices.count == 1)
    try expect(opened.snapshot, equals: history.replay)
  }

  @Test func `is found by a verification while it is in use, and by the replica`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 22)
    try history.playAtOnce(30, into: logbook)
    try logbook.updateReplica(directory: directory.path)
    #expect(try logbook.verify().isOK)
    try alter(
      directory.record,
      "CREATE TRIGGER late AFTER UPDATE ON settings BEGIN DELETE FROM alarms; END")
    #expect(try logbook.verify().problem?.contains("trigger \"late\"") == true)
    let error = #expect(throws: LogbookError.self) {
      try logbook.updateReplica(directory: directory.path)
    }
    #expect(error?.kind == "corrupt", "\(error as Any)")
    try alter(directory.record, "DROP TRIGGER late")
    #expect(try logbook.verify().isOK)
  }

  @Test(arguments: [false, true]) func `gets a new replica if the replica contains the object`(
    isOpen: Bool
  ) throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 23)
    try history.playAtOnce(30, into: logbook)
    if isOpen { try logbook.updateReplica(directory: directory.path) }
    let copy = Replica.path(in: directory.path)
    if !isOpen {
      let other = try Logbook(directory: directory.path)
      try other.updateReplica(directory: directory.path)
      try other.close()
    }
    try alter(
      copy, "CREATE TRIGGER late AFTER INSERT ON events BEGIN DELETE FROM contents; END")
    #expect(Replica.head(in: directory.path) == nil)
    try history.playAtOnce(10, into: logbook)
    try logbook.updateReplica(directory: directory.path)
    #expect(Replica.head(in: directory.path).map { $0 == logbook.head } == true)
    let texts = try DatabaseQueue(path: copy).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM contents")
    }
    #expect(texts.map { $0 > 0 } == true)
  }

  @Test func `is not upgraded from an earlier version`() throws {
    let (head, history) = try lived()
    try alter(
      directory.record,
      "CREATE TRIGGER late AFTER INSERT ON grdb_migrations BEGIN DELETE FROM alarms; END")
    var migrator = Schema.migrator
    migrator.registerMigration("next") {
      try $0.execute(sql: "CREATE TABLE moods (name TEXT) STRICT")
    }
    let opened = try Logbook.openInPlace(directory.path, Self.now, migrator)
    #expect(opened.notices.first?.contains("trigger \"late\"") == true, "\(opened.notices)")
    #expect(opened.logbook.head == head)
    try expect(opened.snapshot, equals: history.replay)
  }
}
