import Alarms
import CivilTime
import EventCoding
import GRDB
import TestRandom
import Testing

@testable import Logbook

/// Tests changes that the owner of the machine can make to the record. Each test compares the
/// changed record with a head code. The owner cannot change this code, because the code is stored
/// elsewhere.
@Suite struct `Attacks on a record` {
  private let directory = TemporaryDirectory()

  @Test(arguments: [false, true])
  func `each kind of attack, on each column, is found with the head code`(isPurged: Bool) throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 12)
    try history.playAtOnce(9, into: logbook)
    if isPurged {
      try history.playAtOnce(40, into: logbook)
      try history.export(from: logbook)
      let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
      try logbook.purge(through: plan.throughSequence)
    }
    let code = try #require(HeadCode(HeadCode(logbook.head).description))
    try logbook.close()
    let queue = try DatabaseQueue(path: directory.record)
    try queue.writeWithoutTransaction { db in
      let triggers = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      for name in triggers { try db.execute(sql: "DROP TRIGGER \(name)") }
      let honest = try Logbook.verification(of: db, anchors: [code])
      #expect(honest.isOK, "\(honest)")
      // The test makes more than a thousand changes. The second change with the same kind and the
      // same column uses other random rows than the first change.
      let combinations = RowAttack.Kind.allCases.count * RowAttack.columns.count
      for number in 0..<soak(isPurged ? combinations : 2 * combinations) {
        try db.inTransaction {
          var attack = RowAttack(number: number, last: code.sequence)
          while try !attack.run(db) {}
          let found = try Logbook.verification(of: db, anchors: [code])
          if found.isOK { Issue.record("attack \(number), \(attack.kind), was not found") }
          return .rollback
        }
      }
    }
    try queue.close()
  }
}

/// A change to the rows of a record. The parameter `number` of `init` decides the kind and the
/// column of the change. A random generator with the seed `number` chooses the rows.
private struct RowAttack {
  enum Kind: String, CaseIterable {
    case edit, editAndSeal, delete, deleteAndClose, deleteAndSeal, cut, cutAndGrow, swap,
      swapAndSeal, repeated,
      words, wordsSwapped, promptEdited, promptGone, hash
  }

  /// The columns that an attack edits.
  static let columns = EventRow.columnNames.filter { !["seq", "hash", "prev_hash"].contains($0) }

  let kind: Kind
  private let column: String
  private var random: SeededGenerator
  private let last: Int64

  init(number: Int, last: Int64) {
    random = SeededGenerator(seed: UInt64(number))
    self.last = last
    let kinds = Kind.allCases
    kind = kinds[number % kinds.count]
    column = Self.columns[number / kinds.count % Self.columns.count]
  }

  /// - Returns: false if the attack changed nothing.
  mutating func run(_ db: Database) throws -> Bool {
    let row = Int64.random(in: 1...last, using: &random)
    let other = Int64.random(in: 1...last, using: &random)
    let before = db.totalChangesCount
    switch kind {
    case .edit, .editAndSeal: try edit(row, db)
    case .hash:
      try db.execute(sql: "UPDATE events SET hash = lower(hex(randomblob(32))) WHERE seq = \(row)")
    case .delete, .deleteAndSeal: try db.execute(sql: "DELETE FROM events WHERE seq = \(row)")
    case .deleteAndClose:
      try db.execute(sql: "DELETE FROM events WHERE seq = \(row)")
      for later in (row + 1)..<(last + 1) {
        try db.execute(sql: "UPDATE events SET seq = seq - 1 WHERE seq = \(later)")
      }
    case .cut: try db.execute(sql: "DELETE FROM events WHERE seq >= \(row)")
    case .cutAndGrow:
      // The attack changes the events at the end of the record into invented heartbeats. The number
      // of rows stays the same.
      try db.execute(
        sql: """
          UPDATE events SET type = 'heartbeat', payload = '{}', payload_digest = NULL, prompt_id = NULL,
            ring_no = NULL, alarm_id = NULL, alarm_version = NULL, tone_sha256 = NULL, person = NULL,
            actor_id = 'forged'
          WHERE seq >= \(row)
          """)
    case .swap, .swapAndSeal:
      if row == other { return false }
      try db.execute(
        sql: """
          UPDATE events SET seq = -1 WHERE seq = \(row); UPDATE events SET seq = \(row) WHERE seq = \(other);
          UPDATE events SET seq = \(other) WHERE seq = -1
          """)
    case .repeated:
      try db.execute(
        sql: """
          CREATE TEMP TABLE again AS SELECT * FROM events WHERE seq = \(row);
          UPDATE again SET seq = \(last + 1); INSERT INTO events SELECT * FROM again; DROP TABLE again
          """)
    case .words:
      try db.execute(sql: "UPDATE contents SET body = body || ' ' WHERE seq = \(row)")
    case .wordsSwapped:
      try db.execute(
        sql: """
          UPDATE contents SET body = (SELECT body FROM contents WHERE seq = \(other)) WHERE seq = \(row)
            AND body <> (SELECT body FROM contents WHERE seq = \(other))
          """)
    case .promptEdited:
      try db.execute(
        sql: "UPDATE prompts SET rings_sounded = rings_sounded + 1 WHERE \(Self.drawnPrompt(row))")
    case .promptGone: try db.execute(sql: "DELETE FROM prompts WHERE \(Self.drawnPrompt(row))")
    }
    if db.totalChangesCount == before { return false }
    switch kind {
    case .editAndSeal, .deleteAndSeal, .swapAndSeal, .cutAndGrow: try reseal(db)
    default: break
    }
    return true
  }

  private static func drawnPrompt(_ row: Int64) -> String {
    "prompt_id = (SELECT prompt_id FROM prompts ORDER BY prompt_id LIMIT 1 OFFSET \(row) % (SELECT max(1, count(*)) FROM prompts))"
  }

  private func edit(_ row: Int64, _ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE events SET \(column) =
          CASE WHEN typeof(\(column)) = 'text' THEN \(column) || 'x' ELSE coalesce(\(column), 6) + 1 END
        WHERE seq = \(row)
        """)
  }
}
