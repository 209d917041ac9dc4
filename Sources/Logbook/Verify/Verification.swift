import API
import Alarms
import EventCoding
import GRDB
import MessageDigest

/// The result of `verify`.
public struct Verification: Sendable, Hashable {
  /// Number of the last good row, counted from the first.
  public var events: Int64
  /// The hash of the last good row; 64 zeros if there is none.
  public var head: String
  /// The first row that is missing or changed; nil if all rows are good.
  public var firstBadSequence: Int64?
  /// One sentence about the fault; nil if there is none.
  public var problem: String?
  /// How much time was monitored, since the newest purged row.
  public var watch = MonitoredTime()
  /// The purge that removed the beginning of the record; nil if the record is complete.
  public var purged: Purge?

  /// Whether the record proves itself complete and correct.
  public var isOK: Bool { problem == nil }
}

extension Logbook {
  /// Reads and proves the whole record.
  ///
  /// It checks the hash of every row and its place in the chain, every free text against its
  /// digest, that every event can be read, and that the projections equal the sum of the events.
  ///
  /// A chain alone cannot show that its end was cut off, or that somebody wrote all of it again.
  /// This instance knows the head that it wrote last or found when it opened the record. To check
  /// across restarts, give an anchor.
  ///
  /// - Parameters:
  ///   - anchor: a head that was kept away from the device, for example the head of an export.
  ///   - isAwaited: whether a client waits and can ask for the progress.
  /// - Throws: only if the file cannot be read at all. Damage is a finding, not an error.
  public func verify(
    anchor: HeadCode? = nil, isAwaited: Bool = true
  ) throws(LogbookError) -> Verification {
    guard isAwaited else { return try verify(anchor: anchor) { _, _ in } }
    return try progress.during(.verify) { progress throws(LogbookError) in
      try verify(anchor: anchor, progress: progress)
    }
  }

  /// - Parameter progress: called from time to time with the number of processed events and the
  ///   total.
  func verify(
    anchor: HeadCode? = nil, progress: @escaping (_ done: Int64, _ total: Int64) -> Void
  ) throws(LogbookError) -> Verification {
    let own = HeadCode(head)
    return try reading("verify the record") { db in
      // Do not read anything through foreign schema content: it might never end.
      if let problem = try schemaProblem(in: db) {
        return Verification(events: 0, head: EventRow.genesis, problem: problem)
      }
      return try Self.verification(
        of: db, anchors: [own] + (anchor.map { [$0] } ?? []),
        progress: { progress($0, own.sequence) })
    }
  }

  /// Proves the database that a connection sees.
  static func verification(
    of db: Database, anchors: [HeadCode], progress: @escaping (Int64) -> Void = { _ in }
  ) throws -> Verification {
    let damage = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no result"
    var scan = try Scan(db, anchors: anchors)
    scan.progress = progress
    do {
      try scan.run(db)
      if damage != "ok" { throw VerificationFault(nil, "the file is damaged (\(damage))") }
      if let fault = scan.fault { throw fault }
      try scan.checkProjections(db)
      return scan.verification(nil)
    } catch let finding as VerificationFault {
      return scan.verification(finding)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return scan.verification(
        VerificationFault(scan.sequence + 1, "the file is damaged (\(error.message ?? damage))"))
    } catch let error as LogbookError {
      guard case .corrupt = error else { throw error }
      return scan.verification(VerificationFault(scan.sequence + 1, error.description))
    }
  }

  /// Writes the projections again from the events.
  ///
  /// Use it if `verify` found them wrong and the rows good.
  ///
  /// - Throws: `.corrupt` if the rows are not good either.
  public func rebuild() throws(LogbookError) {
    try transaction("rebuild the projections") { db, _ in try Self.rebuildProjections(in: db) }
  }

  /// Writes the projections again, within a transaction.
  static func rebuildProjections(in db: Database) throws {
    var scan = try Scan(db, anchors: [], keepsPrompts: true)
    do {
      try scan.run(db)
    } catch let finding as VerificationFault {
      throw LogbookError.corrupt(doing: "rebuild the projections", reason: finding.problem)
    }
    // If the words of a tone were erased, only this table contains its name.
    let tones = try Row.fetchAll(db, sql: "SELECT name, sha256 FROM tones")
    for row in tones where !scan.erasedTones.contains(try RowReader(row, of: "tones").text(1)) {
      try db.execute(
        sql: "DELETE FROM tones WHERE name = ?",
        arguments: [try RowReader(row, of: "tones").text(0)])
    }
    try db.execute(
      sql: "DELETE FROM alarms; DELETE FROM prompts; DELETE FROM persons; DELETE FROM levels")
    // The same holds for pictures.
    if !scan.hasErasedPictures { try db.execute(sql: "DELETE FROM images") }
    var changes = StateDelta()
    changes.alarms = scan.replay.alarms
    changes.deletedAlarms = scan.replay.deletedAlarms
    changes.prompts = scan.replay.prompts
    changes.tones = scan.replay.tones
    changes.people = scan.replay.people
    changes.levels = scan.replay.levels.mapValues { $0 }
    changes.pictures = scan.replay.pictures
    try ProjectionWriter(db: db).write(
      changes, versions: scan.places, people: scan.pseudonyms, definitions: scan.definitions)
  }
}

/// A fault of the record.
struct VerificationFault: Error {
  var sequence: Int64?
  var problem: String

  init(_ sequence: Int64?, _ problem: String) {
    self.sequence = sequence
    self.problem = problem
  }
}

/// One pass over all rows, first to last, that adds up the events.
struct Scan {
  /// Called from time to time with the number of processed rows.
  var progress: (Int64) -> Void = { _ in }
  /// Interval of progress calls, in rows.
  private static let progressRows: Int64 = 1_000
  /// The last good row.
  private(set) var sequence: Int64 = 0
  private(set) var hash = EventRow.genesis
  private(set) var replay = Replay()
  /// The first event that cannot follow the events before it; nil for none.
  ///
  /// The projections can be computed all the same, so only `verify` reports it.
  private(set) var fault: VerificationFault?
  /// The row of the newest version of each alarm.
  private(set) var places: [AlarmID: (version: Int, sequence: Int64)] = [:]
  /// Digests of tones whose names were erased from the record. Events about them no longer name the
  /// tone.
  let erasedTones: Set<String>
  /// Whether events exist that no longer name their picture.
  private(set) var hasErasedPictures = false
  private let anchors: [HeadCode]
  private var watch = MonitoredTime()
  private let purged: PurgeInForce?
  /// The last row of the purged beginning. Rows up to here may be missing.
  private let beginning: Int64
  /// The purge that is being tested; nil for the record as it is.
  let leaving: PurgeRule?
  /// Compares prompts as they end and releases them; nil if all prompts are to be kept.
  private var prompts: PromptCheck?
  /// The row that defines each person.
  private(set) var definitions: [PersonID: Int64] = [:]
  private let people: People

  /// The pseudonyms of all persons in the record.
  var pseudonyms: [PersonID: String] {
    var names: [PersonID: String] = [:]
    for id in replay.people.keys { names[id] = people.pseudonym(id) }
    return names
  }

  /// - Parameters:
  ///   - keepsPrompts: whether `replay` contains all prompts at the end, and not only the open
  ///     prompts.
  ///   - leaving: a purge whose rows the scan leaves out.
  init(
    _ db: Database, anchors: [HeadCode], keepsPrompts: Bool = false, leaving: PurgeRule? = nil
  ) throws {
    self.anchors = anchors
    self.leaving = leaving
    purged = try PurgeInForce.find(in: db)
    beginning = leaving?.through ?? purged?.purge.throughSequence ?? 0
    if !keepsPrompts { prompts = PromptCheck(leaving: leaving) }
    people = try People(db)
    erasedTones = try Set(
      String.fetchAll(
        db,
        sql: """
          SELECT e.tone_sha256 FROM events e LEFT JOIN contents c USING (seq)
          WHERE e.type IN ('tone_added', 'tone_removed') AND c.seq IS NULL
            AND e.tone_sha256 IS NOT NULL
          """))
  }

  /// - Throws: `VerificationFault` at the first row that is not good.
  mutating func run(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.salt, c.body
        FROM events e LEFT JOIN contents c USING (seq)
        \(leaving.map { "WHERE e.seq > \($0.through) OR e.seq IN (\($0.keptRows))" } ?? "")
        ORDER BY e.seq
        """)
    let width = EventRow.columnNames.count
    try prompts?.begin(db)
    while let row = try rows.next() {
      let cells = RowReader(row, of: "contents")
      let stored = try EventRow(row)
      try check(stored)
      let body = try cells.optionalText(width + 1)
      try check(stored, salt: try cells.optionalText(width), body: body)
      try add(stored, body)
      (sequence, hash) = (stored.sequence, stored.hash)
      try prompts?.check(through: sequence, &replay)
      if sequence % Self.progressRows == 0 { progress(sequence) }
    }
    watch.finish()
    for anchor in anchors where anchor.sequence > sequence {
      throw VerificationFault(
        sequence + 1, "the record ends before row \(anchor.sequence), which existed earlier")
    }
    try checkPurgedAnchors(db)
    let mismatches = "SELECT min(seq) FROM contents WHERE seq NOT IN (SELECT seq FROM events)"
    if let orphan = try Int64.fetchOne(db, sql: mismatches) {
      throw VerificationFault(orphan, "row \(orphan) has free text, but the row does not exist")
    }
  }

  /// Reports anchors of purged rows, because they prove nothing here.
  private func checkPurgedAnchors(_ db: Database) throws {
    guard let purged else { return }
    for anchor in anchors where (1...beginning).contains(anchor.sequence) {
      let isThere = try Bool.fetchOne(
        db, sql: "SELECT count(*) FROM events WHERE seq = ?", arguments: [anchor.sequence])
      if isThere == true { continue }
      throw VerificationFault(
        nil,
        "row \(anchor.sequence) was purged, with all rows up to row "
          + "\(purged.purge.throughSequence); check it with the archive of that purge "
          + "(SHA-256 \(purged.purge.archiveSHA256))")
    }
  }

  private func check(_ stored: EventRow) throws {
    if stored.sequence <= beginning { return try checkKept(stored) }
    let expected = sequence + 1
    guard stored.sequence == expected else {
      throw VerificationFault(expected, "row \(expected) is missing")
    }
    guard stored.previousHash == hash else {
      throw VerificationFault(expected, "row \(expected) does not continue the hash chain")
    }
    guard stored.computedHash() == stored.hash else {
      throw VerificationFault(expected, "row \(expected) was changed after it was written")
    }
    for anchor in anchors where anchor.sequence == expected && !anchor.matches(hash: stored.hash) {
      throw VerificationFault(expected, "row \(expected) does not have the known hash")
    }
  }

  /// Checks a row that remained after a purge. `PurgeInForce.find` proves before the first row is
  /// read which rows remain.
  private func checkKept(_ stored: EventRow) throws {
    guard stored.computedHash() == stored.hash else {
      throw VerificationFault(
        stored.sequence, "row \(stored.sequence) was changed after it was written")
    }
    for anchor in anchors
    where anchor.sequence == stored.sequence && !anchor.matches(hash: stored.hash) {
      throw VerificationFault(
        stored.sequence, "row \(stored.sequence) does not have the known hash")
    }
  }

  private func check(_ stored: EventRow, salt: String?, body: String?) throws {
    guard let salt, let body else { return }
    let digest = bytes(hexadecimal: salt).map { SHA256Digest.hex($0 + Array(body.utf8)) }
    guard let digest, digest == stored.payloadDigest else {
      throw VerificationFault(
        stored.sequence, "the free text of row \(stored.sequence) was changed after it was written")
    }
  }

  private mutating func add(_ stored: EventRow, _ body: String?) throws {
    let event: Event
    do {
      event = try stored.storedEvent(content: body).event(person: people.person)
    } catch let error as EventCodingError {
      throw VerificationFault(stored.sequence, "row \(stored.sequence) cannot be read: \(error)")
    }
    watched(event, stored)
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm):
      places[alarm.id] = (alarm.version, stored.sequence)
    case .personAdded(let person), .personChanged(let person):
      definitions[person.id] = stored.sequence
    case .toneAdded(let tone), .toneRemoved(let tone):
      if erasedTones.contains(tone.sha256) { return }
    case .imageAdded, .imageRemoved, .photographed:
      // The event no longer names its picture.
      if body == nil {
        hasErasedPictures = true
        return
      }
    default: break
    }
    let wasPossible = replay.impossible == nil
    replay.apply(event, at: stored.reading)
    if wasPossible, let impossible = replay.impossible {
      fault = VerificationFault(
        stored.sequence,
        "the event cannot follow the events before it: prompt \"\(impossible.prompt)\" is "
          + "\(impossible.change.state.name)")
    }
  }

  /// Adds the time of an event. Rows that remained after a purge do not count.
  private mutating func watched(_ event: Event, _ stored: EventRow) {
    if stored.sequence > beginning {
      watch.add(event, at: stored.reading)
    } else if stored.sequence == beginning {
      watch.begin(at: stored.reading)
    }
  }

  func verification(_ finding: VerificationFault?) -> Verification {
    Verification(
      events: sequence, head: hash, firstBadSequence: finding?.sequence,
      problem: finding?.problem, watch: watch, purged: purged?.purge)
  }

  /// Compares the projections with the sum of the events. All rows must be good.
  func checkProjections(_ db: Database) throws {
    try prompts?.finish(db, replay)
    try ProjectionCheck(scan: self).run(db)
  }
}

extension HeadCode {
  init(_ head: Logbook.Head) { self.init(sequence: head.sequence, hash: head.hash) }
}
