import API
import Alarms
import EventCoding
import GRDB
import MessageDigest

/// The error for a fault of the record.
struct VerificationFault: Error {
  var sequence: Int64?
  var problem: String

  init(_ sequence: Int64?, _ problem: String) {
    self.sequence = sequence
    self.problem = problem
  }
}

/// A pass over all rows, oldest first. A scan checks the rows and computes the state from the
/// events.
struct Scan {
  /// A function that the scan calls regularly, with the number of processed rows.
  var progress: (Int64) -> Void = { _ in }
  /// The number of rows between two calls of `progress`.
  private static let progressRows: Int64 = 1_000
  /// The sequence number of the last correct row.
  private(set) var sequence: Int64 = 0
  private(set) var hash = EventRow.genesis
  private(set) var replay = Replay()
  /// The first event that is impossible after the events before it; nil if each event is possible.
  /// An example of an impossible event is an answer to a prompt that does not exist.
  ///
  /// The scan continues after this event and computes the state from all events. `verify` reports
  /// the event. Functions such as `rebuild`, which also use a scan, do not report it.
  private(set) var fault: VerificationFault?
  /// The newest version of each alarm. `sequence` is the number of the row that contains this
  /// version.
  private(set) var places: [AlarmID: (version: Int, sequence: Int64)] = [:]
  /// The digests of the tones whose names were erased from the events.
  let erasedTones: Set<String>
  /// True if the content of at least one event about a picture was erased.
  private(set) var hasErasedPictures = false
  private(set) var texts = TextProof()
  private(set) var identities = IdentityProof()
  private let anchors: [HeadCode]
  private var watch = MonitoredTime()
  private let purged: PurgeInForce?
  /// The last sequence number in the range of a purge; 0 if there is no purge. This is the planned
  /// purge if the scan tests a planned purge, and otherwise the newest purge of the record. If a row
  /// with a larger sequence number is missing, the record has a fault.
  private let beginning: Int64
  /// The purge that the scan tests; nil if the scan tests no purge.
  let leaving: PurgeRule?
  /// The check that compares the stored prompts with the events. If the scan keeps all prompts in
  /// memory, the scan does not use this check, and the value is nil.
  private var prompts: PromptCheck?
  /// For each person, the sequence number of the newest `person_added` or `person_changed` row.
  private(set) var definitions: [PersonID: Int64] = [:]
  private let people: People

  /// The pseudonyms of all persons in the record.
  var pseudonyms: [PersonID: String] {
    var names: [PersonID: String] = [:]
    for id in replay.people.keys { names[id] = people.pseudonym(id) }
    return names
  }

  /// - Parameters:
  ///   - keepsPrompts: true if `replay` keeps all prompts in memory; false if `replay` keeps only
  ///     open prompts.
  ///   - leaving: a purge that the scan tests. The scan ignores the rows that this purge would
  ///     remove.
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

  /// Reads and checks all rows.
  ///
  /// - Throws: `VerificationFault` for the first faulty row.
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
      try texts.add(stored, hasText: body != nil)
      try identities.add(stored)
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

  /// Throws a fault if a purge removed the row of an anchor. Reason: the scan cannot compare the
  /// hash of this row. An anchor is a head that was known before the scan.
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

  /// Checks a row that remained after a purge. `PurgeInForce.find` has already compared all
  /// remaining rows with the digest in the event of the purge. Therefore, this function checks only
  /// the hash of this one row.
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
      // If `body` is nil, an erasure deleted the content of the event. The digest of the picture
      // was in this content, so the replay ignores the event.
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

  /// Updates the monitored time after an event. The function ignores rows that a purge kept.
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

  /// Compares the projections with the state that the scan computed. Call this function only if the
  /// scan found no fault in the rows.
  func checkProjections(_ db: Database) throws {
    try prompts?.finish(db, replay)
    try ProjectionCheck(scan: self).run(db)
  }
}
