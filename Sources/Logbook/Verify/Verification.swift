import Alarms
import EventCoding
import GRDB
import MessageDigest

/// What `verify` found.
public struct Verification: Sendable, Hashable {
  /// Rows that were found good, from the first on.
  public var events: Int64
  /// The hash of the last of them; 64 zeros where there is none.
  public var head: String
  /// The first row that is missing or not what was written; nil where the rows are all good.
  public var firstBadSequence: Int64?
  /// What is wrong, in one sentence; nil where nothing is.
  public var problem: String?
  /// How much of its time was watched, since what was purged.
  public var watch = MonitoredTime()
  /// What was taken away of its beginning; nil where all of it is there.
  public var purged: Purge?

  /// Whether the record is whole and true, as far as it can tell by itself.
  public var isOK: Bool { problem == nil }
}

extension Logbook {
  /// Reads the whole record and proves it: every row's hash and place in the chain, every free text
  /// against its digest, every event readable, and the projections equal to what the events add up to.
  ///
  /// A chain cannot show by itself that its end was cut off or that all of it was written anew. This
  /// instance knows the head it last wrote or found when it opened; across that, give an anchor.
  ///
  /// - Parameters:
  ///   - anchor: a head that was kept away from the device, such as an export's.
  ///   - isAwaited: whether somebody waits who may ask how far it is.
  /// - Throws: only where the file cannot be read at all; damage is a finding, not an error.
  public func verify(
    anchor: HeadCode? = nil, isAwaited: Bool = true
  ) throws(LogbookError) -> Verification {
    guard isAwaited else { return try verify(anchor: anchor) { _, _ in } }
    return try progress.during("verify") { progress throws(LogbookError) in
      try verify(anchor: anchor, progress: progress)
    }
  }

  /// - Parameter progress: told now and then how many events of how many are through.
  func verify(
    anchor: HeadCode? = nil, progress: @escaping (_ done: Int64, _ total: Int64) -> Void
  ) throws(LogbookError) -> Verification {
    let own = HeadCode(head)
    return try reading("verify the record") { db in
      // Nothing is read through what somebody else put there: it need never end.
      if let problem = try schemaProblem(in: db) {
        return Verification(events: 0, head: EventRow.genesis, problem: problem)
      }
      return try Self.verification(
        of: db, anchors: [own] + (anchor.map { [$0] } ?? []),
        progress: { progress($0, own.sequence) })
    }
  }

  /// Proves what a connection sees.
  static func verification(
    of db: Database, anchors: [HeadCode], progress: @escaping (Int64) -> Void = { _ in }
  ) throws -> Verification {
    let damage = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no answer"
    var scan = try Scan(db, anchors: anchors)
    scan.progress = progress
    do {
      try scan.run(db)
      if damage != "ok" { throw VerificationFault(nil, "the file is damaged (\(damage))") }
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

  /// Writes the projections anew from the events, after `verify` found them wrong and the rows good.
  ///
  /// - Throws: `.corrupt` where the rows are not good either.
  public func rebuild() throws(LogbookError) {
    try transaction("rebuild the projections") { db, _ in try Self.rebuildProjections(in: db) }
  }

  /// Writes the projections anew within a transaction.
  static func rebuildProjections(in db: Database) throws {
    var scan = try Scan(db, anchors: [], keepsPrompts: true)
    do {
      try scan.run(db)
    } catch let finding as VerificationFault {
      throw LogbookError.corrupt(doing: "rebuild the projections", reason: finding.problem)
    }
    // The names of tones whose words were erased are nowhere but here.
    let tones = try Row.fetchAll(db, sql: "SELECT name, sha256 FROM tones")
    for row in tones where !scan.erasedTones.contains(try RowReader(row, of: "tones").text(1)) {
      try db.execute(
        sql: "DELETE FROM tones WHERE name = ?",
        arguments: [try RowReader(row, of: "tones").text(0)])
    }
    try db.execute(
      sql: "DELETE FROM alarms; DELETE FROM prompts; DELETE FROM persons; DELETE FROM levels")
    // The same of pictures.
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

/// Something is wrong with the record.
struct VerificationFault: Error {
  var sequence: Int64?
  var problem: String

  init(_ sequence: Int64?, _ problem: String) {
    self.sequence = sequence
    self.problem = problem
  }
}

/// One pass over all rows, first to last, adding up the events.
struct Scan {
  /// Told now and then how many rows are through.
  var progress: (Int64) -> Void = { _ in }
  /// How often, in rows.
  private static let progressRows: Int64 = 1_000
  /// The last good row.
  private(set) var sequence: Int64 = 0
  private(set) var hash = EventRow.genesis
  private(set) var replay = Replay()
  /// Where the newest version of each alarm is.
  private(set) var places: [AlarmID: (version: Int, sequence: Int64)] = [:]
  /// Tones whose names are gone from the record, by digest. Events about them no longer say which.
  let erasedTones: Set<String>
  /// Whether events no longer say which picture they are about.
  private(set) var hasErasedPictures = false
  private let anchors: [HeadCode]
  private var watch = MonitoredTime()
  private let purged: PurgeInForce?
  /// Up to where rows may be missing.
  private let beginning: Int64
  /// What is to go, while that is only thought of.
  let leaving: PurgeRule?
  /// Compares prompts as they end and lets go of them; nil where they are all to be kept.
  private var prompts: PromptCheck?
  /// Where each person is defined.
  private(set) var definitions: [PersonID: Int64] = [:]
  private let people: People

  /// The names of everybody in the record.
  var pseudonyms: [PersonID: String] {
    var names: [PersonID: String] = [:]
    for id in replay.people.keys { names[id] = people.pseudonym(id) }
    return names
  }

  /// - Parameter keepsPrompts: whether all that ever were are in `replay` at the end, and not just those that
  ///   are open.
  /// - Parameter leaving: what to look at the record without.
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

  /// - Throws: `Finding` at the first row that is not good.
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
        sequence + 1, "the record ends before row \(anchor.sequence), which was known")
    }
    try checkPurgedAnchors(db)
    let strays = "SELECT min(seq) FROM contents WHERE seq NOT IN (SELECT seq FROM events)"
    if let stray = try Int64.fetchOne(db, sql: strays) {
      throw VerificationFault(stray, "there is free text of a row that there is not")
    }
  }

  /// A head that was kept elsewhere of a row that was purged proves nothing here.
  private func checkPurgedAnchors(_ db: Database) throws {
    guard let purged else { return }
    for anchor in anchors where (1...beginning).contains(anchor.sequence) {
      let isThere = try Bool.fetchOne(
        db, sql: "SELECT count(*) FROM events WHERE seq = ?", arguments: [anchor.sequence])
      if isThere == true { continue }
      throw VerificationFault(
        nil,
        "row \(anchor.sequence), which was known, was purged with all up to row "
          + "\(purged.purge.throughSequence); only the archive that was made then can be checked "
          + "against it (SHA-256 \(purged.purge.archiveSHA256))")
    }
  }

  private func check(_ stored: EventRow) throws {
    if stored.sequence <= beginning { return try checkKept(stored) }
    let expected = sequence + 1
    guard stored.sequence == expected else {
      throw VerificationFault(expected, "row \(expected) is missing")
    }
    guard stored.previousHash == hash else {
      throw VerificationFault(expected, "row \(expected) does not follow from the row before")
    }
    guard stored.computedHash() == stored.hash else {
      throw VerificationFault(expected, "row \(expected) is not what was written")
    }
    for anchor in anchors where anchor.sequence == expected && !anchor.matches(hash: stored.hash) {
      throw VerificationFault(expected, "row \(expected) is not the one that was known")
    }
  }

  /// Which rows are left of a beginning that was purged is proven before the first is read.
  private func checkKept(_ stored: EventRow) throws {
    guard stored.computedHash() == stored.hash else {
      throw VerificationFault(stored.sequence, "row \(stored.sequence) is not what was written")
    }
    for anchor in anchors
    where anchor.sequence == stored.sequence && !anchor.matches(hash: stored.hash) {
      throw VerificationFault(
        stored.sequence, "row \(stored.sequence) is not the one that was known")
    }
  }

  private func check(_ stored: EventRow, salt: String?, body: String?) throws {
    guard let salt, let body else { return }
    let digest = bytes(hexadecimal: salt).map { SHA256Digest.hex($0 + Array(body.utf8)) }
    guard let digest, digest == stored.payloadDigest else {
      throw VerificationFault(
        stored.sequence, "the free text of row \(stored.sequence) is not what was written")
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
      // It no longer says which picture it is about.
      if body == nil {
        hasErasedPictures = true
        return
      }
    default: break
    }
    replay.apply(event, at: stored.reading)
  }

  /// What is left of a purged beginning says nothing of how it was watched.
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

  /// Compares the projections with what the events add up to, after all rows were found good.
  func checkProjections(_ db: Database) throws {
    try prompts?.finish(db, replay)
    try ProjectionCheck(scan: self).run(db)
  }
}

extension HeadCode {
  init(_ head: Logbook.Head) { self.init(sequence: head.sequence, hash: head.hash) }
}
