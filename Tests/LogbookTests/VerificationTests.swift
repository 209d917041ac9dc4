import Alarms
import CivilTime
import EventCoding
import GRDB
import TestRandom
import Testing

@testable import Logbook

@Suite struct `Verifying` {
  private let directory = TemporaryDirectory()

  /// Makes a record with a history, closes the record, and returns its head.
  private func record(seed: UInt64, batches: Int = 40) throws -> Logbook.Head {
    let logbook = try Logbook.open(directory)
    var history = History(seed: seed)
    try history.playAtOnce(batches, into: logbook)
    defer { try? logbook.close() }
    return logbook.head
  }

  private func verify(anchor: Logbook.Head? = nil) throws -> Verification {
    let logbook = try Logbook.open(directory)
    defer { try? logbook.close() }
    return try logbook.verify(anchor: anchor.map { HeadCode($0) })
  }

  @Test func `an unchanged record of any history is intact`() throws {
    for seed in 0..<UInt64(soak(8)) {
      let directory = TemporaryDirectory()
      let logbook = try Logbook.open(directory)
      var history = History(seed: seed)
      for size in 1...4 {
        try history.playAtOnce(size * 5, into: logbook)
        let found = try logbook.verify(anchor: logbook.head)
        #expect(found.isOK, "seed \(seed): \(found)")
        #expect(found.events == logbook.head.sequence)
        #expect(found.head == logbook.head.hash)
      }
    }
  }

  @Test func `an empty record is intact`() throws {
    #expect(
      try verify()
        == Verification(events: 0, head: EventRow.genesis, firstBadSequence: nil, problem: nil))
  }

  @Test(arguments: EventRow.columnNames)
  func `a change to any column of a row is found at that row`(column: String) throws {
    let head = try record(seed: 1)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<soak(1) {
      let row = Int64.random(in: 1...head.sequence, using: &random)
      let path = TemporaryDirectory()
      writeFile(readFile(directory.record), to: path.record)
      let change =
        column == "seq"
        ? "seq = seq + 1000000"
        : "\(column) = CASE WHEN typeof(\(column)) = 'text' THEN \(column) || ' ' ELSE 7 END"
      try tamper(path.record) { db in
        try db.execute(sql: "UPDATE events SET \(change) WHERE seq = ?", arguments: [row])
      }
      let logbook = try Logbook.open(path)
      let found = try logbook.verify(anchor: head)
      #expect(found.firstBadSequence == row, "\(column) of \(row): \(found)")
      #expect(found.events == row - 1)
    }
  }

  /// Tests a new hash of one row. Somebody changed the previous hash in this row, and computed the
  /// hash of this row again. The hashes of the other rows stay the same.
  @Test func `a row with a new hash of its own breaks the hash chain`() throws {
    let head = try record(seed: 1)
    for row in [1, 2, head.sequence / 2, head.sequence] {
      let path = TemporaryDirectory()
      writeFile(readFile(directory.record), to: path.record)
      let logbook = try Logbook.open(path)
      var changed = try logbook.events(after: row - 1, limit: 1)[0]
      try logbook.close()
      changed.previousHash = String(repeating: "a", count: 64)
      try tamper(path.record) { db in
        try db.execute(
          sql: "UPDATE events SET prev_hash = ?, hash = ? WHERE seq = ?",
          arguments: [changed.previousHash, changed.computedHash(), row])
      }
      let damaged = try Logbook.open(path)
      #expect(try damaged.verify().firstBadSequence == row)
    }
    let path = TemporaryDirectory()
    writeFile(readFile(directory.record), to: path.record)
    let logbook = try Logbook.open(path)
    var changed = try logbook.events(after: head.sequence / 2 - 1, limit: 1)[0]
    try logbook.close()
    changed.wallMilliseconds += 1
    try tamper(path.record) { db in
      try db.execute(
        sql: "UPDATE events SET wall_utc_ms = ?, hash = ? WHERE seq = ?",
        arguments: [changed.wallMilliseconds, changed.computedHash(), changed.sequence])
    }
    let found = try Logbook.open(path).verify()
    #expect(found.firstBadSequence == changed.sequence + 1)
  }

  @Test func `random attacks on a copy are all found with the head`() throws {
    let head = try record(seed: 2)
    let original = readFile(directory.record)
    for seed in 0..<UInt64(soak(40)) {
      let copy = TemporaryDirectory()
      writeFile(original, to: copy.record)
      var attack = Attack(seed: seed, head: head)
      try tamper(copy.record) { db in try attack.run(db) }
      let logbook = try Logbook.open(copy)
      let found = try logbook.verify(anchor: head)
      #expect(!found.isOK, "seed \(seed): \(attack.name)")
      if let row = attack.firstBadSequence {
        #expect(found.firstBadSequence == row, "seed \(seed): \(attack.name): \(found)")
      }
    }
  }

  @Test func `a record with a recomputed hash chain is found only with a known head`() throws {
    let head = try record(seed: 3)
    try tamper(directory.record) { db in
      try db.execute(sql: "UPDATE events SET actor_id = 'uid:0' WHERE seq = 5")
      try reseal(db)
    }
    #expect(try verify().isOK)
    let found = try verify(anchor: head)
    #expect(found.problem == "row \(head.sequence) does not have the known hash")
  }

  @Test func `rows that this process wrote cannot be removed unnoticed`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 4)
    try history.play(30, into: logbook)
    let last = logbook.head.sequence
    try logbook.pool.write { db in
      try db.execute(
        sql: """
          DROP TRIGGER events_no_delete; DELETE FROM contents WHERE seq = \(last);
          UPDATE alarms SET seq = 1 WHERE seq = \(last); DELETE FROM events WHERE seq = \(last)
          """)
      try db.execute(sql: Schema.noDeletion)
    }
    #expect(try logbook.verify().firstBadSequence == last)
  }

  @Test(arguments: [
    "UPDATE prompts SET due_ms = due_ms + 1", "UPDATE prompts SET rings_sounded = 99",
    "DELETE FROM prompts", "UPDATE prompts SET outcome = 'completed' WHERE outcome IS NULL",
    "UPDATE alarms SET version = version + 1", "DELETE FROM alarms",
    "UPDATE alarms SET is_deleted = 1 - is_deleted", "UPDATE tones SET loudness_lufs = -1.0",
    "DELETE FROM tones", "INSERT INTO tones VALUES ('x', 'y', 1, -2.0)",
    "UPDATE prompts SET phase_detail = '{}'", "UPDATE persons SET state = '{}'",
    "DELETE FROM persons", "UPDATE persons SET is_removed = 1 - is_removed",
    "INSERT INTO levels VALUES ('x', 5)",
  ])
  func `a projection that does not follow from the events is found, and can be rebuilt`(sql: String)
    throws
  {
    // For each seed, 120 batches are enough to fill every table.
    let head = try record(seed: 8, batches: 120)
    try tamper(directory.record) { db in try db.execute(sql: sql) }
    let logbook = try Logbook.open(directory)
    let found = try logbook.verify(anchor: head)
    #expect(!found.isOK && found.firstBadSequence == nil, "\(found)")
    try logbook.rebuild()
    #expect(try logbook.verify(anchor: head).isOK)
  }

  @Test func `changed free text is found`() throws {
    _ = try record(seed: 7)
    try tamper(directory.record) { db in
      try db.execute(
        sql: """
          UPDATE contents SET body = '{"reason":"nothing"}' WHERE seq =
            (SELECT max(seq) FROM contents)
          """)
    }
    let found = try verify()
    #expect(found.problem?.hasPrefix("the free text of row") == true)
  }

  @Test func `the events stay readable if any free text is missing`() throws {
    let head = try record(seed: 8)
    var random = SeededGenerator(seed: 9)
    for _ in 0..<10 {
      try tamper(directory.record) { db in
        let rows = try Int64.fetchAll(db, sql: "SELECT seq FROM contents ORDER BY seq")
        for row in rows where Bool.random(using: &random) {
          try db.execute(sql: "DELETE FROM contents WHERE seq = ?", arguments: [row])
        }
      }
      let found = try verify(anchor: head)
      #expect(found.problem == nil, "\(found)")
      #expect(found.finding?.problem.contains("missing, and no erasure deleted it") == true)
    }
    let logbook = try Logbook.open(directory)
    try logbook.rebuild()
    #expect(try logbook.verify(anchor: head).problem == nil)
    _ = try logbook.restore()
    _ = try logbook.prompts(PromptQuery(limit: .max))
  }

  @Test func `the record stays intact if all identities are erased`() throws {
    let head = try record(seed: 8)
    try tamper(directory.record) { db in try db.execute(sql: "DELETE FROM people") }
    let logbook = try Logbook.open(directory)
    #expect(try logbook.verify(anchor: head).isOK)
    for alarm in try logbook.restore().alarms { #expect(alarm.person.text.hasPrefix("P-")) }
  }
}

/// Computes all hashes of the chain again, as the owner of the machine could do.
func reseal(_ db: Database) throws {
  var (previous, sequence) = (EventRow.genesis, Int64(0))
  let rows = try Row.fetchAll(db, sql: "SELECT \(EventRow.selection) FROM events e ORDER BY e.seq")
  for row in rows {
    var event = try EventRow(row)
    let old = event.sequence
    sequence += 1
    (event.sequence, event.previousHash) = (sequence, previous)
    event.hash = event.computedHash()
    previous = event.hash
    try db.execute(
      sql: "UPDATE events SET seq = ?, prev_hash = ?, hash = ? WHERE seq = ?",
      arguments: [event.sequence, event.previousHash, event.hash, old])
  }
}

/// A random change to the rows that an attacker could make.
private struct Attack {
  private var random: SeededGenerator
  private let head: Logbook.Head
  private(set) var name = ""
  /// The number of the row that the verification must report. The number is nil if the test cannot
  /// predict it.
  private(set) var firstBadSequence: Int64?

  init(seed: UInt64, head: Logbook.Head) {
    random = SeededGenerator(seed: seed)
    self.head = head
  }

  mutating func run(_ db: Database) throws {
    let row = Int64.random(in: 1...head.sequence, using: &random)
    firstBadSequence = row
    switch Int.random(in: 0...5, using: &random) {
    case 0:
      name = "edit row \(row)"
      try db.execute(sql: "UPDATE events SET wall_utc_ms = wall_utc_ms + 1 WHERE seq = \(row)")
    case 1:
      name = "delete row \(row)"
      try db.execute(sql: "DELETE FROM events WHERE seq = \(row)")
    case 2:
      name = "delete row \(row) and close the gap"
      try db.execute(sql: "DELETE FROM events WHERE seq = \(row)")
      for later in row + 1..<head.sequence + 1 {
        try db.execute(sql: "UPDATE events SET seq = seq - 1 WHERE seq = \(later)")
      }
    case 3:
      name = "cut off from row \(row)"
      try db.execute(sql: "DELETE FROM events WHERE seq >= \(row)")
    case 4:
      let other = row == head.sequence ? 1 : row + 1
      name = "swap rows \(row) and \(other)"
      firstBadSequence = min(row, other)
      try db.execute(
        sql: """
          UPDATE events SET seq = -1 WHERE seq = \(row);
          UPDATE events SET seq = \(row) WHERE seq = \(other);
          UPDATE events SET seq = \(other) WHERE seq = -1
          """)
    default:
      name = "edit row \(row) and seal anew"
      firstBadSequence = nil
      try db.execute(sql: "UPDATE events SET source = 'x' WHERE seq = \(row)")
      try reseal(db)
    }
  }
}
