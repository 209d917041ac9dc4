import API
import Alarms
import EventCoding
import GRDB

/// The result of `verify`.
public struct Verification: Sendable, Hashable {
  /// The sequence number of the last correct row.
  public var events: Int64
  /// The hash of the last correct row; 64 zeros if the first row is already wrong.
  public var head: String
  /// The sequence number of the first row that is missing or wrong; nil if all rows are correct.
  public var firstBadSequence: Int64?
  /// One sentence about the fault; nil if there is no fault.
  public var problem: String?
  /// A fault outside the rows: a missing text, or a pseudonym that belongs to a different person.
  /// All events are correct, and the daemon can work with the record. The value is nil if there is
  /// no such fault.
  public var finding: Finding?
  /// The monitored time after the last row that the newest purge covered. If there was no purge,
  /// the value is the monitored time after the first row.
  public var watch = MonitoredTime()
  /// The newest purge of the record; nil if no rows were purged.
  public var purged: Purge?
  /// The result of the search for an export; nil if the caller gave no manifest.
  public var export: ExportSearch?

  /// True if the check found no fault.
  public var isOK: Bool { problem == nil && finding == nil }

  /// A fault outside the rows.
  public struct Finding: Sendable, Hashable {
    /// The sequence number of the row that the fault concerns; nil if the fault concerns no row.
    public var sequence: Int64?
    /// One sentence about the fault.
    public var problem: String

    public init(sequence: Int64? = nil, problem: String) {
      (self.sequence, self.problem) = (sequence, problem)
    }
  }
}

extension Logbook {
  /// Reads and checks the whole record.
  ///
  /// The function checks:
  ///
  /// - that the hash of every row is correct, and that every row continues the hash chain,
  /// - that the SHA-256 of every stored content equals the `payload_digest` in the row of the
  ///   event,
  /// - that exactly the erased texts are missing, and that each pseudonym belongs to its person,
  /// - that every event can be decoded,
  /// - that the projections are equal to the state that is computed from the events.
  ///
  /// The hash chain alone cannot show that the newest rows were deleted, or that somebody wrote the
  /// whole chain again. Therefore, the function also compares the record with the head in memory.
  /// The head in memory is the head of the last row that this instance wrote. If this instance has
  /// not written a row, the head in memory is the head that this instance read when it opened the
  /// record. If somebody changed the record before this instance opened the record, the function
  /// can find this change only with the parameter `anchor`.
  ///
  /// - Parameters:
  ///   - anchor: a head that was stored outside the device, for example the head of an export.
  ///   - manifest: the SHA-256 of the manifest of an export, in lower-case hex. The function
  ///     searches for the event that recorded this export.
  ///   - isAwaited: true if a client waits for the result and can read the progress.
  /// - Throws: an error only if the file cannot be read at all. If the record is damaged, the
  ///   result contains the fault.
  public func verify(
    anchor: HeadCode? = nil, manifest: String? = nil, isAwaited: Bool = true
  ) throws(LogbookError) -> Verification {
    guard isAwaited else { return try verify(anchor: anchor) { _, _ in } }
    var verification = try progress.during(.verify) { progress throws(LogbookError) in
      try verify(anchor: anchor, progress: progress)
    }
    if let manifest { verification.export = try search(manifest: manifest) }
    return verification
  }

  /// - Parameter progress: a function that `verify` calls about every 1,000 rows. `done` is the
  ///   sequence number of the last checked row, and `total` is the sequence number of the head.
  func verify(
    anchor: HeadCode? = nil, progress: @escaping (_ done: Int64, _ total: Int64) -> Void
  ) throws(LogbookError) -> Verification {
    let own = HeadCode(head)
    return try reading("verify the record") { db in
      // A different program could have added SQL code to the schema of the record (see
      // `Schema.prove`). With this code, a read of the rows might never end. Therefore, check the
      // schema first.
      if let problem = try schemaProblem(in: db) {
        return Verification(events: 0, head: EventRow.genesis, problem: problem)
      }
      return try Self.verification(
        of: db, anchors: [own] + (anchor.map { [$0] } ?? []),
        progress: { progress($0, own.sequence) })
    }
  }

  /// Verifies the record that a connection has opened.
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
      var verification = scan.verification(nil)
      verification.finding = try (scan.texts.finding(db) ?? scan.identities.finding(db)).map {
        .init(sequence: $0.sequence, problem: $0.problem)
      }
      return verification
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

  /// Computes all projections again from the events, and writes them.
  ///
  /// Use this function if `verify` found a fault in the projections and no fault in the rows.
  ///
  /// - Throws: `.corrupt` if `verify` would find a fault in a row.
  public func rebuild() throws(LogbookError) {
    try transaction("rebuild the projections") { db, _ in try Self.rebuildProjections(in: db) }
  }

  /// Computes and writes all projections again. The caller must have started a transaction.
  static func rebuildProjections(in db: Database) throws {
    var scan = try Scan(db, anchors: [], keepsPrompts: true)
    do {
      try scan.run(db)
    } catch let finding as VerificationFault {
      throw LogbookError.corrupt(doing: "rebuild the projections", reason: finding.problem)
    }
    // If the content of the events about a tone was erased, the events no longer contain the name
    // of the tone. Only the table `tones` contains this name. Therefore, the function keeps the
    // rows of such tones and deletes all other rows of `tones`.
    let tones = try Row.fetchAll(db, sql: "SELECT name, sha256 FROM tones")
    for row in tones where !scan.erasedTones.contains(try RowReader(row, of: "tones").text(1)) {
      try db.execute(
        sql: "DELETE FROM tones WHERE name = ?",
        arguments: [try RowReader(row, of: "tones").text(0)])
    }
    try db.execute(
      sql: "DELETE FROM alarms; DELETE FROM prompts; DELETE FROM persons; DELETE FROM levels")
    // The upgrade of a record from schema version 1 calls this function before the table `supplies`
    // exists.
    if try db.tableExists("supplies") { try db.execute(sql: "DELETE FROM supplies") }
    // If the content of the events about a picture was erased, only the table `images` contains the
    // digest of the picture. Therefore, the function does not delete the rows of `images`.
    if !scan.hasErasedPictures { try db.execute(sql: "DELETE FROM images") }
    var changes = StateDelta()
    changes.alarms = scan.replay.alarms
    changes.deletedAlarms = scan.replay.deletedAlarms
    changes.prompts = scan.replay.prompts
    changes.tones = scan.replay.tones
    changes.people = scan.replay.people
    changes.levels = scan.replay.levels.mapValues { $0 }
    changes.pictures = scan.replay.pictures
    changes.supplies = scan.replay.supplies
    try ProjectionWriter(db: db).write(
      changes, versions: scan.places, people: scan.pseudonyms, definitions: scan.definitions)
  }
}

extension HeadCode {
  init(_ head: Logbook.Head) { self.init(sequence: head.sequence, hash: head.hash) }
}
