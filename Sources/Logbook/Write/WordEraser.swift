import Alarms
import GRDB
import Synchronization

// An erasure deletes the content of events and the salt of this content. The row in the hash chain
// still contains the digest of the salt and the content. Without the salt, a person who guesses the
// content cannot confirm the guess with the digest. SQLite overwrites deleted data
// (`secure_delete`). But the old pages are still in the write-ahead log, so `scrub` empties this
// log after the erasure.

/// Deletes the texts that must be erased, in the transaction that records the erasure.
struct WordEraser {
  let db: Database
  /// The digests of the pictures that this transaction removes. While the erasure runs, these
  /// pictures are still in the table `images`.
  let removedPictures: Set<String>

  /// Deletes the texts of an alarm, the texts of a person or the identity of a person. The value of
  /// `erasure` decides which of these data the function deletes.
  ///
  /// - Parameter person: the pseudonym of the person whom the erasure concerns.
  /// - Returns: the rows whose texts the function deleted.
  func erase(_ erasure: Erasure, person: String?) throws -> RowRanges {
    var rows: [Int64] = []
    switch erasure {
    case .alarm(let id):
      rows += try delete(
        "seq IN (SELECT seq FROM events WHERE alarm_id = ? AND payload_digest IS NOT NULL)",
        [id.text])
    case .words: rows += try eraseWords(of: person ?? "")
    case .identity(let id):
      rows += try eraseIdentity(of: person ?? "")
      if id == .patient { try forgetPatient() }
    }
    rows += try eraseUnusedTones()
    rows += try erasePictures()
    rows += try eraseRemovedSupplies()
    // Delete all idempotency records, because a stored reply can contain an erased text.
    try db.execute(sql: "DELETE FROM receipts")
    return RowRanges(rows)
  }

  /// Deletes the texts of the rows that an SQL condition selects.
  ///
  /// - Returns: the sequence numbers of these rows.
  private func delete(_ condition: String, _ arguments: [String] = []) throws -> [Int64] {
    try Int64.fetchAll(
      db, sql: "DELETE FROM contents WHERE \(condition) RETURNING seq",
      arguments: StatementArguments(arguments))
  }

  private func eraseWords(of person: String) throws -> [Int64] {
    try delete(
      """
      seq IN (
        SELECT seq FROM events
        WHERE person = ? AND payload_digest IS NOT NULL AND type <> 'enrolled')
      AND seq NOT IN (SELECT seq FROM alarms WHERE is_deleted = 0)
      AND seq NOT IN (
        SELECT seq FROM persons WHERE person = ? AND seq IS NOT NULL AND is_removed = 0)
      """, [person, person])
  }

  private func eraseIdentity(of person: String) throws -> [Int64] {
    let rows = try delete(
      """
      seq IN (
        SELECT seq FROM events
        WHERE person = ? AND type IN ('person_added', 'person_changed', 'enrolled', 'withdrawn'))
      """, [person])
    try db.execute(sql: "DELETE FROM people WHERE pseudonym = ?", arguments: [person])
    return rows
  }

  /// Records in the table `settings` that the first patient was erased.
  ///
  /// When the daemon adds the first patient to a new home, the daemon records no event. If this
  /// patient was erased, the daemon must not add the patient again when it starts the next time.
  /// The event of the erasure contains only a pseudonym, so this event does not show that the
  /// erased person was the first patient.
  private func forgetPatient() throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, 'forgotten')",
      arguments: [Logbook.patientSetting])
  }

  /// Erases the names of the recordings that are no longer in the table `tones`.
  ///
  /// A different part of the daemon deletes the files of these recordings.
  private func eraseUnusedTones() throws -> [Int64] {
    try delete(
      """
      seq IN (
        SELECT seq FROM events WHERE type IN ('tone_added', 'tone_removed', 'test_ring')
        AND tone_sha256 NOT IN (SELECT sha256 FROM tones))
      """)
  }
}

extension WordEraser {
  /// Erases the names, units and contacts of removed supplies.
  private func eraseRemovedSupplies() throws -> [Int64] {
    try delete(
      """
      seq IN (
        SELECT seq FROM events WHERE type IN ('supply_added', 'supply_changed')
        AND json_extract(payload, '$.supply') NOT IN (SELECT supply_id FROM supplies))
      """)
  }

  /// Erases the digests of removed pictures. A picture is removed if the table `images` no longer
  /// contains the picture, or if this transaction removes the picture.
  ///
  /// With the digest, a person who has a copy of the picture could prove that the device stored
  /// this picture.
  private func erasePictures() throws -> [Int64] {
    let removed = removedPictures.sorted()
    let places = removed.map { _ in "?" }.joined(separator: ", ")
    return try delete(
      """
      seq IN (
        SELECT e.seq FROM events e JOIN contents c USING (seq)
        WHERE e.type IN ('image_added', 'image_removed', 'photo_added')
          AND (json_extract(c.body, '$.sha256') NOT IN (SELECT sha256 FROM images)
            OR json_extract(c.body, '$.sha256') IN (\(places))))
      """, removed)
  }
}

extension Logbook {
  /// Finds the pictures that must be erased together with an alarm or a person.
  ///
  /// The result contains the digests of three kinds of pictures: pictures of alarms, reward
  /// pictures, and photos that show a completed task.
  public func pictures(of erasure: Erasure) throws(LogbookError) -> Set<String> {
    try reading("read the pictures") { db in
      let people = try People(db)
      let (column, value) =
        switch erasure {
        case .alarm(let id): ("alarm_id", id.text)
        case .words(let id), .identity(let id): ("person", people.pseudonym(id))
        }
      let found = try Row.fetchAll(
        db,
        sql: """
          SELECT coalesce(json_extract(c.body, '$.sha256'), json_extract(c.body, '$.image'),
            json_extract(c.body, '$.reward_image'))
          FROM events e JOIN contents c USING (seq)
          WHERE e.\(column) = ? AND e.type IN (
            'photo_added', 'alarm_created', 'alarm_edited', 'person_added', 'person_changed')
          """, arguments: [value])
      return Set(try found.compactMap { try RowReader($0, of: "contents").optionalText(0) })
    }
  }

  static let patientSetting = "first_patient"

  /// Returns the digests of removed recordings that no tone in the table `tones` uses.
  public func removedTones() throws(LogbookError) -> Set<String> {
    try reading("read the removed tones") { db in
      Set(
        try String.fetchAll(
          db,
          sql: """
            SELECT DISTINCT tone_sha256 FROM events WHERE type = 'tone_removed'
            AND tone_sha256 IS NOT NULL AND tone_sha256 NOT IN (SELECT sha256 FROM tones)
            """))
    }
  }

  /// Empties the write-ahead log, so that no file contains erased texts.
  ///
  /// - Throws: an error if a reader still reads an older snapshot. In this case, the next call of
  ///   `record` tries again to empty the log.
  func scrub() throws(LogbookError) {
    try explaining("empty the write-ahead log") {
      try pool.writeWithoutTransaction { db in
        // The checkpoint first copies the changed pages from the write-ahead log to the main file.
        // Then the checkpoint truncates the write-ahead log to zero bytes.
        _ = try db.checkpoint(.truncate)
      }
    }
    memory.withLock { $0.needsScrub = false }
  }
}
