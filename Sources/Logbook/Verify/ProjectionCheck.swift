import Alarms
import GRDB

/// Compares the row of each prompt in the table `prompts` with the events of the prompt.
///
/// After the last event of a prompt, the check compares the computed prompt with the stored row.
/// Then the check removes the computed prompt from memory. Therefore, the memory does not grow with
/// the length of the record.
///
/// The check reports a wrong prompt only after it has read all events. Reason: if the record also
/// contains a damaged event, `verify` must report the damaged event and not the wrong prompt.
struct PromptCheck {
  /// The planned purge that `provePurge` tests; nil if no purge is tested. The check ignores the
  /// prompts that this purge would remove.
  let leaving: PurgeRule?
  private var rows: RowCursor?
  private var waiting: (sequence: Int64, cells: [DatabaseValue])?
  private var finding: VerificationFault?
  private var compared = 0
  /// The stored row of each prompt that is still open after its last event. The check compares
  /// these rows only at the end of the record, because a later clock step can still change an open
  /// prompt.
  private var open: [PromptID: [DatabaseValue]] = [:]

  /// Selects the stored prompts in the order of their last events. The inner query reads only an
  /// index, not the table. If the result of the inner query does not fit in the cache of SQLite,
  /// SQLite sorts this result on the disk.
  private var query: String {
    """
    SELECT l.seq, l.prompt_id, p.*
    FROM (
      SELECT prompt_id, max(seq) AS seq FROM events INDEXED BY events_by_prompt
      WHERE prompt_id IS NOT NULL \(condition) GROUP BY prompt_id
    ) l LEFT JOIN prompts p USING (prompt_id) ORDER BY l.seq
    """
  }

  private var condition: String {
    leaving.map { "AND prompt_id NOT IN (\($0.goingPrompts))" } ?? ""
  }

  init(leaving: PurgeRule?) { self.leaving = leaving }

  mutating func begin(_ db: Database) throws {
    rows = try Row.fetchCursor(db, sql: query)
    try step()
  }

  mutating func check(through sequence: Int64, _ replay: inout Replay) throws {
    while let row = waiting, row.sequence <= sequence {
      try compare(row.cells, &replay)
      try step()
    }
  }

  /// Compares the prompts that are still open, and searches for stored prompts without events.
  ///
  /// - Throws: `VerificationFault` if this function or an earlier call of `check` found a wrong
  ///   prompt.
  func finish(_ db: Database, _ replay: Replay) throws {
    if let finding { throw finding }
    for (id, cells) in open where replay.prompts[id]?.cells != cells {
      throw VerificationFault(nil, "the stored prompt \"\(id)\" does not match its events")
    }
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM prompts WHERE 1 \(condition)") ?? 0
    guard count > compared else { return }
    let orphan = try String.fetchOne(
      db,
      sql: """
        SELECT prompt_id FROM prompts
        WHERE prompt_id NOT IN (SELECT prompt_id FROM events WHERE prompt_id IS NOT NULL) LIMIT 1
        """)
    throw VerificationFault(
      nil, "the stored prompt \"\(orphan ?? "?")\" has no events")
  }

  private mutating func step() throws {
    guard let row = try rows?.next() else {
      waiting = nil
      return
    }
    let values = Array(row.databaseValues)
    waiting = (Int64.fromDatabaseValue(values[0]) ?? .max, Array(values.dropFirst()))
  }

  /// - Parameter row: the prompt id from the events, then the columns of the table `prompts`. If
  ///   the table has no row with this id, all columns of the table are null.
  private mutating func compare(_ row: [DatabaseValue], _ replay: inout Replay) throws {
    let name = row.first.flatMap(String.fromDatabaseValue) ?? "?"
    let found = Array(row.dropFirst())
    let id = PromptID(name)
    guard let id, let prompt = replay.takeEnded(id) ?? replay.prompts[id] else {
      // Events contain this id, but no event planned the prompt, so the replay has no prompt with
      // this id. Therefore, the table `prompts` must not contain a row with this id.
      if let first = found.first, !first.isNull {
        note("the stored prompt \"\(name)\" does not match its events")
      }
      return
    }
    if found.first?.isNull != false { return note("the prompt \"\(name)\" is missing") }
    compared += 1
    if prompt.state.isOpen {
      open[id] = found
    } else if found != prompt.cells {
      note("the stored prompt \"\(name)\" does not match its events")
    }
  }

  private mutating func note(_ problem: String) {
    finding = finding ?? VerificationFault(nil, problem)
  }
}

/// Compares all projections except `prompts` with the state that `Scan` computed from the events.
struct ProjectionCheck {
  let scan: Scan

  func run(_ db: Database) throws {
    var alarms: [(String, [DatabaseValue])] = []
    for (id, place) in scan.places {
      let isDeleted = scan.replay.deletedAlarms.contains(id)
      alarms.append((id.text, ProjectionWriter.cells(id, place, isDeleted: isDeleted)))
    }
    let used = scan.leaving.map { "is_deleted = 0 OR alarm_id IN (\($0.usedAlarms))" }
    try compare(db, "alarms", with: alarms, where: used ?? "1")
    try compare(
      db, "supplies", with: scan.replay.supplies.values.map { ($0.id.text, $0.cells) })
    let names = scan.pseudonyms
    try compare(
      db, "levels",
      with: scan.replay.levels.map { ($0, [$0.databaseValue, $1.databaseValue]) })
    try compare(
      db, "persons",
      with: scan.replay.people.values.map { state in
        let name = names[state.id] ?? state.id.text
        return (name, state.cells(pseudonym: name, definition: scan.definitions[state.id]))
      })
    // If the content of an event about a picture was erased, the events no longer show which
    // pictures are stored. Therefore, compare the table `images` only if the content of all these
    // events still exists.
    if !scan.hasErasedPictures {
      try compare(
        db, "images", with: scan.replay.pictures.values.map { ($0.sha256, $0.cells) })
    }
    try compare(
      db, "tones", with: scan.replay.tones.values.map { ($0.name, $0.cells) },
      where: "sha256 NOT IN (\(scan.erasedTones.map { "'\($0)'" }.joined(separator: ", ")))")
  }

  /// - Parameter rows: the expected rows. The first element of each pair is the value of the first
  ///   column, which identifies the row. The second element contains the values of all columns.
  private func compare(
    _ db: Database, _ table: String, with rows: [(String, [DatabaseValue])],
    where condition: String = "1"
  ) throws {
    var expected = Dictionary(uniqueKeysWithValues: rows)
    let found = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) WHERE \(condition)")
    while let row = try found.next() {
      let cells = Array(row.databaseValues)
      let name = cells.first.flatMap(String.fromDatabaseValue) ?? "?"
      guard expected.removeValue(forKey: name) == cells else {
        throw VerificationFault(nil, "\"\(name)\" in the table \(table) does not match the events")
      }
    }
    if let name = expected.keys.min() {
      throw VerificationFault(nil, "\"\(name)\" is missing from the table \(table)")
    }
  }
}
