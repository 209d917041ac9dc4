import Alarms
import CivilTime
import GRDB
import Glibc
import JSONValue
import StudyExport

/// Receives the events and prompts of one pass over the record, and writes them into tables.
protocol ExportSink {
  /// Writes the next event to the tables.
  mutating func take(_ event: RawRow, type: String, at stamp: Stamp) throws

  /// Writes a prompt to the tables. The export pass calls this function for each prompt, after it
  /// has read the last event of the prompt.
  mutating func take(_ prompt: PromptEnd) throws

  /// Completes all files and returns them.
  mutating func finish() throws -> [ExportedFile]
}

/// The data of a prompt after its last event. The export computes these data from all events of the
/// prompt.
struct PromptEnd {
  /// The row that the query `ExportPass.prompts` returned for the prompt.
  var row: RawRow
  var life: PromptMetrics
  /// The pseudonym of the person; nil if the person is unknown.
  var person: String?
  /// The label; nil if the label was erased, or if the profile does not include labels.
  var label: String?
  /// True if the prompt is an announcement.
  var isAnnouncement: Bool
  /// The questions of the check-in, in order.
  var items: [PromptItem]
  /// The study phase of the person at the due time; nil if the person was in no phase.
  var phase: String?
  /// The study of the person at the due time; empty if the person was in no study.
  var studyID: String
  /// The UTC offset of the prompt's own clock (see `RowClock`), in seconds. The value is nil if the
  /// export shows the time of the wall clock.
  var clockOffset: Int64?

  /// Returns the UTC offset with which the export shows an instant, in seconds.
  ///
  /// - Parameter wall: the UTC offset of the wall clock at the instant.
  func offset(at milliseconds: Int64, wall: Int64) -> Int64 {
    let latency = milliseconds - row.integer(PromptColumn.due)
    return clockOffset.flatMap { RowClock.isNear(latency) ? $0 : nil } ?? wall
  }
}

/// One pass over all events and prompts for an export.
///
/// The pass reads the events in the order of `seq`. The pass reads the prompts in the order of the
/// last event of each prompt. The pass removes a prompt from memory after it has read the last
/// event of the prompt. Therefore, the memory does not grow with the length of the record.
struct ExportPass {
  private let db: Database
  private let profile: ExportProfile
  private let owner: String?
  private let progress: (_ done: Int64, _ total: Int64) -> Void
  private var lives: [String: PromptMetrics] = [:]
  private var boots = Boots()
  /// The faults of the record that this pass found.
  private(set) var flaws: RecordFlaws
  /// The sequence numbers of rows about purged prompts. A purge removed these prompts, but kept
  /// these rows.
  private let rowsOfPurgedPrompts: Set<Int64>
  private var alarms: AlarmWords
  private let studies: StudyHistory
  private let clock: RowClock

  /// The value that replaces the event type of a row about a purged prompt. A sink writes such a
  /// row to the table of events, and to no other table.
  private static let left = ""

  /// The number of events between two calls of `progress`.
  private static let progressEvents: Int64 = 10_000

  init(
    _ db: Database, _ profile: ExportProfile, owner: String?,
    progress: @escaping (_ done: Int64, _ total: Int64) -> Void
  ) throws {
    self.db = db
    self.profile = profile
    self.owner = owner
    self.progress = progress
    alarms = AlarmWords(db, knowsLabels: profile == .identified)
    studies = try StudyHistory(db, names: People(db))
    clock = RowClock(profile)
    let purged = try PurgeInForce.find(in: db)
    flaws = RecordFlaws(purged)
    rowsOfPurgedPrompts = try Set(
      Int64.fetchAll(
        db,
        sql: """
          SELECT seq FROM events e WHERE seq <= ? AND prompt_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM prompts p WHERE p.prompt_id = e.prompt_id)
          """, arguments: [purged?.purge.throughSequence ?? 0]))
  }

  /// Selects columns of `prompts`. For each prompt, also selects the sequence number of its last
  /// event. The inner query reads only an index, not the table. If the selected rows do not fit in
  /// the cache of SQLite, SQLite sorts these rows on the disk.
  private static let prompts = """
    SELECT l.seq, p.prompt_id, p.alarm_id, p.nominal_key, p.alarm_version, p.due_ms, p.tz_name,
      p.utc_offset_s, p.outcome, p.reason, p.closed_ms, p.rings_intended, p.rings_sounded,
      p.rings_failed, p.delays, p.also_nominal,
      coalesce(json_extract(p.course, '$.delivered'), 0)
    FROM (
      SELECT prompt_id, max(seq) AS seq FROM events INDEXED BY events_by_prompt
      WHERE prompt_id IS NOT NULL GROUP BY prompt_id
    ) l JOIN prompts p USING (prompt_id) ORDER BY l.seq
    """

  mutating func run(through last: Int64, into sink: inout some ExportSink) throws {
    let showsContent = profile == .identified
    let clock = clock
    let events = try RawRows(
      db,
      sql: """
        SELECT \(EventRow.selection), \(showsContent ? "c.body" : "NULL")\(clock.selection)
        FROM events e
        \(showsContent ? "LEFT JOIN contents c USING (seq)" : "") \(clock.join)
        \(owner == nil ? "" : "WHERE e.person = ?") ORDER BY e.seq
        """, arguments: owner.map { [$0] } ?? [])
    let prompts = try RawRows(db, sql: Self.prompts)
    var next = try prompts.next()
    while let event = try events.next() {
      let sequence = event.integer(EventColumn.seq)
      if owner == nil { flaws.check(event, sequence) }
      let type = event.string(EventColumn.type) ?? ""
      if clock.isHidden(type) { continue }
      let stamp = Stamp(
        wallMilliseconds: event.integer(EventColumn.wall),
        offsetSeconds: clock.offset(of: event, type: type),
        boot: boots.number(event.text(EventColumn.bootID)),
        bootNanoseconds: event.integer(EventColumn.bootTime))
      if rowsOfPurgedPrompts.contains(sequence) {
        try sink.take(event, type: Self.left, at: stamp)
        continue
      }
      try sink.take(event, type: type, at: stamp)
      // A diary entry contains data from outside Prompter, and a researcher can add the entry weeks
      // after the prompt. Therefore, the metrics of the prompt do not include diary entries.
      if type != "diary", let id = event.string(EventColumn.promptID) {
        lives[id, default: PromptMetrics()].add(event, type: type, stamp)
      }
      while let prompt = next, prompt.integer(0) <= sequence {
        try end(prompt, &sink)
        next = try prompts.next()
      }
      if sequence % Self.progressEvents == 0 { progress(sequence, last) }
    }
    progress(last, last)
  }

  private mutating func end(_ row: RawRow, _ sink: inout some ExportSink) throws {
    let words = try alarms.words(
      of: row.string(PromptColumn.alarmID) ?? "", row.integer(PromptColumn.alarmVersion))
    if let owner, words.person != owner { return }
    let life =
      lives.removeValue(forKey: row.string(PromptColumn.promptID) ?? "") ?? PromptMetrics()
    let due = Instant(milliseconds: row.integer(PromptColumn.due))
    try sink.take(
      PromptEnd(
        row: row, life: life, person: words.person, label: words.label,
        isAnnouncement: words.isAnnouncement,
        items: words.items.map { item in
          var item = item
          item.isAnswered = life.responses[item.name] != nil
          return item
        },
        phase: studies.phase(of: words.person, at: due, recorded: life.phase),
        studyID: studies.study(of: words.person, at: due, recorded: life.studyID),
        clockOffset: clock.offset(
          nominalKey: row.integer(PromptColumn.nominalKey), due: due,
          zone: row.integer(PromptColumn.offset))))
  }
}

/// The faults that an export finds in the record.
///
/// An export only checks that no sequence number is missing, and that each `prev_hash` is the
/// `hash` of the previous row. An export does not compute hashes. Only the function `verify`
/// computes the hashes again and compares them with the stored hashes.
struct RecordFlaws {
  private let purged: PurgeInForce?
  private(set) var missing: Int64 = 0
  private(set) var breaks: Int64 = 0
  private(set) var firstSequence: Int64?
  private var last: Int64 = 0
  private var hash = Array(EventRow.genesis.utf8)

  init(_ purged: PurgeInForce?) { self.purged = purged }

  mutating func check(_ event: RawRow, _ sequence: Int64) {
    if sequence <= purged?.purge.throughSequence ?? 0 {
      // The row is in the range of the newest purge. `PurgeInForce.find` has already checked the
      // rows in this range.
    } else if sequence != last + 1 {
      missing += max(0, sequence - last - 1)
      firstSequence = firstSequence ?? last + 1
    } else if !isEqual(event.text(EventColumn.previousHash), hash) {
      breaks += 1
      firstSequence = firstSequence ?? sequence
    }
    last = sequence
    let new = event.text(EventColumn.hash)
    if let new, new.count == hash.count {
      hash.withUnsafeMutableBytes { $0.copyMemory(from: new) }
    } else {
      hash = new.map { Array($0) } ?? []
    }
  }

  /// Returns true if the two texts have the same bytes. The function uses `memcmp`. The function
  /// `elementsEqual` would take more time than all the rest of `check`.
  private func isEqual(_ text: UnsafeRawBufferPointer?, _ known: [UInt8]) -> Bool {
    guard let text, text.count == known.count, let start = text.baseAddress else { return false }
    return memcmp(start, known, known.count) == 0
  }

  /// Returns the faults as the manifest of an export contains them. A manifest with the profile
  /// `safe_harbor` contains no number of an event.
  func json(_ profile: ExportProfile) -> JSON {
    let counts = [("missing_events", missing), ("broken_links", breaks)]
    let purgedEvents = purged?.purge.gone ?? 0
    if profile == .safeHarbor {
      return .object(
        (counts + [("purged_events", purgedEvents)]).map {
          ($0.0, .integer(SafeNumber.amount($0.1)))
        })
    }
    return .object(
      counts.map { ($0.0, .integer($0.1)) } + [
        ("first_bad_seq", .optional(firstSequence.map { Int($0) })),
        ("purged_through_seq", .optional(purged.map { Int($0.purge.throughSequence) })),
        ("purged_events", .integer(purgedEvents)),
      ])
  }
}

/// The index of each column in the result of the query `ExportPass.prompts`.
enum PromptColumn {
  static let promptID = 1
  static let alarmID = 2
  static let nominalKey = 3
  static let alarmVersion = 4
  static let due = 5
  static let zone = 6
  static let offset = 7
  static let outcome = 8
  static let reason = 9
  static let closed = 10
  static let ringsIntended = 11
  static let ringsSounded = 12
  static let ringsFailed = 13
  static let delays = 14
  static let alsoNominal = 15
  static let delivered = 16
}

/// Computes an index for each boot. Two rows with the same index are from the same boot. Therefore,
/// the export does not have to store the boot id of each row.
///
/// All rows of a boot are consecutive. Therefore, a new boot starts at each row whose boot id
/// differs from the boot id of the previous row. Each boot has exactly one index.
private struct Boots {
  private var last: [UInt8] = []
  private var count = 0

  mutating func number(_ name: UnsafeRawBufferPointer?) -> Int {
    guard let name else { return count }
    if !last.elementsEqual(name) {
      last = Array(name)
      count += 1
    }
    return count
  }
}

/// A cache of the person and the label of each alarm version. When the cache contains 8,192
/// entries, the export empties the cache.
private struct AlarmWords {
  typealias Words = (
    person: String?, label: String?, isAnnouncement: Bool, items: [PromptItem]
  )

  private let db: Database
  private let knowsLabels: Bool
  private var known: [String: Words] = [:]

  init(_ db: Database, knowsLabels: Bool) {
    self.db = db
    self.knowsLabels = knowsLabels
  }

  mutating func words(of alarm: String, _ version: Int64) throws -> Words {
    let key = "\(alarm)#\(version)"
    if let words = known[key] { return words }
    if known.count == 8_192 { known.removeAll(keepingCapacity: true) }
    let rows = try RawRows(
      db,
      sql: """
        SELECT e.person, c.body, e.payload FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.alarm_id = ? AND e.alarm_version = ? AND e.type IN ('alarm_created', 'alarm_edited')
        """, arguments: [alarm, version])
    let row = try rows.next()
    let label = knowsLabels ? try row?.string(1).map(Logbook.label) : nil
    let payload = row?.text(2).map { PayloadScan(bytes: $0) }
    let words = (
      person: row?.string(0), label: label,
      isAnnouncement: payload?.bool("announcement") ?? false,
      items: PromptItem.items(payload: row?.string(2))
    )
    known[key] = words
    return words
  }
}
