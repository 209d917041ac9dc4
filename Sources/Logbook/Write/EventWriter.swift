import Alarms
import ArchiveProtocol
import CivilTime
import EventCoding
import GRDB
import JSONValue
import MessageDigest
import Synchronization

extension Logbook {
  /// Adds events to the record and updates the projections, in one transaction.
  ///
  /// When this function returns, all data is on the disk. If an error occurs before the commit, the
  /// function rolls back the transaction and throws the error. After an error at the commit, it is
  /// not known whether the data is on the disk. Therefore, the next call of `record` reads the head
  /// from the file and continues the hash chain from this head.
  ///
  /// - Parameter changes: the alarms, prompts, people and other values that the events changed, as
  ///   they are after the last of these events.
  /// - Throws: the error of the disk if a write failed. The function throws `.invalid` if `changes`
  ///   contains an alarm version that is not in any of the events.
  public func record(_ records: [Alarms.Record], _ changes: StateDelta) throws(LogbookError) {
    guard !records.isEmpty || changes != StateDelta() else { return }
    let events = records.count == 1 ? "1 event" : "\(records.count) events"
    try transaction("record \(events)") { db, memory in
      var writer = try EventWriter(db: db, logbook: self)
      for record in records { try writer.write(record, &memory) }
      try ProjectionWriter(db: db).write(
        changes, versions: writer.alarmVersions, people: memory.pseudonyms,
        definitions: writer.definitions)
    }
    // After an erasure, the write-ahead log can still contain the erased texts, so `scrub` empties
    // the log. `scrub` fails if a second connection reads the log at this moment. In this case, the
    // next call of `record` tries again to empty the log.
    if memory.withLock({ $0.needsScrub }) { try? scrub() }
  }
}

/// Adds rows to the end of `events`.
private struct EventWriter {
  let db: Database
  let logbook: Logbook
  let insertEvent: Statement
  let insertContent: Statement
  /// The newest version of each alarm that this batch creates or edits. `sequence` is the number of
  /// the row that contains this version.
  var alarmVersions: [AlarmID: (version: Int, sequence: Int64)] = [:]
  /// The digests of the pictures that this batch removes.
  var removedPictures: Set<String> = []
  /// The sequence number of the newest `person_added` or `person_changed` row of each person whom
  /// this batch adds or changes.
  var definitions: [PersonID: Int64] = [:]

  init(db: Database, logbook: Logbook) throws {
    self.db = db
    self.logbook = logbook
    let places = Array(repeating: "?", count: EventRow.columnNames.count).joined(separator: ", ")
    insertEvent = try db.cachedStatement(sql: "INSERT INTO events VALUES (\(places))")
    insertContent = try db.cachedStatement(
      sql: "INSERT INTO contents (seq, salt, body) VALUES (?, ?, ?)")
  }

  mutating func write(_ record: Alarms.Record, _ memory: inout Logbook.Memory) throws {
    let subject = record.event.person ?? record.person
    let person = try subject.map { try pseudonym(of: $0, &memory) }
    var stored = StoredEvent(record.event) { _ in person ?? "" }
    if let subject, IdentityProof.types.contains(stored.type) {
      try bind(subject, in: &stored, &memory)
    }
    var salt = ""
    var body: String?
    var digest: String?
    if let content = stored.content?.description {
      let bytes = randomBytes(16, &memory.random)
      salt = hexadecimal(bytes)
      body = content
      digest = SHA256Digest.hex(bytes + Array(content.utf8))
    }
    if case .purged(let purge) = record.event {
      try PurgeRule(through: purge.throughSequence).carryOut(purge, in: db)
      memory.needsScrub = true
    }
    if case .erased(let erasure) = record.event {
      let rows = try WordEraser(db: db, removedPictures: removedPictures)
        .erase(erasure, person: person)
      stored.payload.set(TextProof.member, .string(rows.description))
      memory.needsScrub = true
    }
    var row = row(record, stored, person: person, digest: digest, &memory)
    row.hash = row.computedHash()
    try insertEvent.execute(arguments: try arguments(row))
    if let body {
      try insertContent.execute(arguments: [row.sequence, salt, body])
    }
    if stored.type == "alarm_created" || stored.type == "alarm_edited",
      let id = stored.alarmID, let version = stored.alarmVersion
    {
      alarmVersions[id] = (version, row.sequence)
    }
    switch record.event {
    case .personAdded(let person), .personChanged(let person):
      definitions[person.id] = row.sequence
    case .imageRemoved(let picture): removedPictures.insert(picture.sha256)
    case .erased(.identity(let id)):
      memory.pseudonyms[id] = nil
      memory.boundPeople.remove(id)
    case .rekeyed:
      try Pseudonyms.rekey(in: db, &memory.random)
      memory.needsScrub = true
    default: break
    }
    (memory.sequence, memory.hash) = (row.sequence, row.hash)
  }

  private func row(
    _ record: Alarms.Record, _ stored: StoredEvent, person: String?, digest: String?,
    _ memory: inout Logbook.Memory
  ) -> EventRow {
    EventRow(
      sequence: memory.sequence + 1, eventID: randomIdentifier(&memory.random), schemaVersion: 1,
      studyID: record.study ?? logbook.study, person: person, device: logbook.device,
      phase: record.phase?.rawValue,
      type: stored.type, promptID: stored.promptID?.description,
      ringNumber: stored.ringNumber.map { Int64($0) }, alarmID: stored.alarmID?.text,
      alarmVersion: (stored.alarmVersion ?? record.alarmVersion).map { Int64($0) },
      toneSHA256: stored.toneSHA256, actorRole: record.actor.role.rawValue,
      actorID: record.actor.id, source: record.actor.source,
      wallMilliseconds: record.reading.wall.milliseconds, zoneName: record.zoneName,
      utcOffsetSeconds: Int64(record.utcOffsetSeconds), tzdataVersion: record.tzdataVersion,
      bootID: record.reading.bootID, bootNanoseconds: record.reading.bootNanoseconds,
      clockState: record.reading.clockState.rawValue,
      clockErrorMilliseconds: record.reading.clockErrorMilliseconds.map { Int64($0) },
      payload: stored.payload.description, payloadDigest: digest, previousHash: memory.hash,
      hash: "")
  }

  private func arguments(_ row: EventRow) throws -> StatementArguments {
    // The elements of `values` have exactly the type that StatementArguments stores. If the
    // elements had a different type, StatementArguments would convert the list element by element.
    // This conversion would take 10 % of the time of a commit.
    var values: [(any DatabaseValueConvertible)?] = []
    values.reserveCapacity(EventRow.columnNames.count)
    for cell in row.cells {
      switch cell {
      case .null: values.append(nil)
      case .integer(let value): values.append(value)
      case .text(let text):
        // SQLite stores a text only up to the first NUL. If a text contained a NUL, the stored row
        // would differ from the row that was hashed.
        guard !text.utf8.contains(0) else {
          throw LogbookError.invalid(
            doing: "record a \"\(row.type)\"", reason: "a text contains a NUL character")
        }
        values.append(text)
      }
    }
    return StatementArguments(values)
  }

  /// Adds a digest to the event. The digest binds the pseudonym of a person to the id of the
  /// person. If an earlier event contains this digest, the function adds nothing.
  private func bind(
    _ person: PersonID, in stored: inout StoredEvent, _ memory: inout Logbook.Memory
  ) throws {
    guard memory.boundPeople.insert(person).inserted else { return }
    let salt = hexadecimal(randomBytes(16, &memory.random))
    try db.execute(
      sql: "UPDATE people SET salt = ? WHERE person = ?", arguments: [salt, person.text])
    stored.payload.set(
      IdentityProof.member, .string(IdentityProof.digest(salt: salt, person: person.text)))
  }

  /// Finds the pseudonym of a person, or creates a pseudonym for the first event about the person.
  private func pseudonym(
    of person: PersonID, _ memory: inout Logbook.Memory
  ) throws -> String {
    if let known = memory.pseudonyms[person] { return known }
    var name = newPseudonym(&memory)
    while memory.pseudonyms.values.contains(name) { name = newPseudonym(&memory) }
    try db.execute(
      sql: "INSERT INTO people (person, pseudonym) VALUES (?, ?)",
      arguments: [person.text, name])
    memory.pseudonyms[person] = name
    return name
  }
}

private func newPseudonym(_ memory: inout Logbook.Memory) -> String {
  pseudonym("P", &memory.random)
}
