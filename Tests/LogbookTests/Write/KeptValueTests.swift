import Alarms
import CivilTime
import GRDB
import Testing

@testable import Logbook

/// Tests the secrets, the stored replies and the free pages of a record.
@Suite struct `The file of a record` {
  private let directory = TemporaryDirectory()
  private static let anna = PersonID("anna")

  @Test func `contains a secret of 32 bytes for exports, and salts of 16 bytes`() throws {
    var timeline = try Timeline(in: directory)
    let logbook = timeline.logbook
    func settings() throws -> [String: String] {
      try logbook.pool.read { db in
        let rows = try Row.fetchAll(db, sql: "SELECT name, value FROM settings")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) })
      }
    }
    try timeline.add(0, .personAdded(Person(id: Self.anna, version: 1, name: "Anna")))
    let before = try settings()
    #expect(before.keys.sorted() == ["device", "export_secret"])
    #expect(before["device"] == logbook.device && before["export_secret"]?.count == 64)
    let salts = try logbook.pool.read {
      try String.fetchAll($0, sql: "SELECT salt FROM people UNION ALL SELECT salt FROM contents")
    }
    #expect(salts.map(\.count) == [32, 32] && salts[0] != salts[1])
    try timeline.add(1, .rekeyed)
    let after = try settings()
    #expect(after.keys.sorted() == ["device", "export_secret", "pseudonym_key"])
    #expect(after["device"] == logbook.device)
    #expect(after["export_secret"]?.count == 64 && after["pseudonym_key"]?.count == 64)
    #expect(Set([before, after].compactMap { $0["export_secret"] }).count == 2)
    #expect(after["export_secret"] != after["pseudonym_key"])
    #expect(logbook.pool.configuration.label == "logbook")
    #expect(logbook.pool.configuration.maximumReaderCount == 3)
  }

  @Test func `contains a new pseudonym with a new proof for a person after an erasure`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    func person(_ version: Int) -> Person { Person(id: Self.anna, version: version) }
    for event: Event in [
      .personAdded(person(1)), .personChanged(person(2)), .erased(.identity(Self.anna)),
      .personAdded(person(1)), .personChanged(person(2)),
    ] { try history.write(event, into: logbook) }
    let rows = try logbook.events(after: 0, limit: 9)
    #expect(
      rows.map { $0.payload.contains(#""identity":"#) } == [true, false, false, true, false])
    #expect(Set(rows.prefix(3).map(\.person)).count == 1)
    #expect(Set(rows.suffix(2).map(\.person)).count == 1 && rows[3].person != rows[0].person)
    #expect(rows.allSatisfy { $0.person?.hasPrefix("P-") == true })
  }

  private let at = Instant(milliseconds: 1_800_000_000_000)

  private func keep(_ actor: String, _ key: String, in logbook: Logbook) throws {
    try logbook.keep(
      IdempotencyRecord(
        actor: actor, key: key, requestDigest: "d", status: 200, contentType: "text/plain",
        headers: [:], body: [], at: at))
  }

  /// Stores replies with consecutive numbers. `actor` is an SQL expression for the actor of the
  /// reply `i`.
  private func keep(_ count: Int, actor: String, in logbook: Logbook) throws {
    try logbook.pool.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT INTO receipts (actor, key, digest, status, content_type, headers, body, at_ms)
          SELECT \(actor), 'k' || i, 'd', 200, 'text/plain', '{}', '', \(at.milliseconds) FROM n
          ORDER BY i
          """)
    }
  }

  private func numbers(_ logbook: Logbook, of actor: String = "") throws -> [Int] {
    try logbook.pool.read { db in
      try Int.fetchAll(
        db, sql: "SELECT number FROM receipts WHERE :actor IN (actor, '') ORDER BY number",
        arguments: ["actor": actor])
    }
  }

  @Test func `contains at most 10,000 replies after each 64th reply`() throws {
    let logbook = try Logbook.open(directory)
    try keep(10_046, actor: "'uid:' || i", in: logbook)
    try keep("uid:0", "a", in: logbook)
    #expect(try numbers(logbook) == Array(1...10_047))
    try keep("uid:0", "b", in: logbook)
    #expect(try numbers(logbook) == Array(49...10_048))
    try keep("uid:0", "c", in: logbook)
    #expect(try numbers(logbook) == Array(49...10_049))
  }

  @Test func `contains at most 2,000 replies of one actor, and all replies of others`() throws {
    let logbook = try Logbook.open(directory)
    try keep(5, actor: "'uid:2'", in: logbook)
    try keep(2_041, actor: "'uid:1'", in: logbook)
    try keep("uid:1", "a", in: logbook)
    #expect(try numbers(logbook) == Array(1...2_047))
    try keep("uid:1", "b", in: logbook)
    #expect(try numbers(logbook, of: "uid:1") == Array(49...2_048))
    #expect(try numbers(logbook, of: "uid:2") == Array(1...5))
  }

  @Test func `keeps its free pages if it was created without incremental vacuum`() throws {
    let queue = try DatabaseQueue(path: directory.record)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    }
    try queue.close()
    let logbook = try Logbook.open(directory)
    try keep(200, actor: "hex(zeroblob(1000)) || i", in: logbook)
    try logbook.pool.write { try $0.execute(sql: "DELETE FROM receipts") }
    let free = try #require(try logbook.pragma("freelist_count"))
    #expect(try logbook.pragma("auto_vacuum") == "0" && free != "0")
    try logbook.reclaimSpace()
    #expect(try logbook.pragma("freelist_count") == free)
  }
}
