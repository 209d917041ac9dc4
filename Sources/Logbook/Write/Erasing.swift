import Alarms
import GRDB
import Synchronization

// Words are erased by deleting them: the row of the chain keeps the digest of text and salt, which without
// the salt says nothing. SQLite overwrites what it deletes (`secure_delete`), and the write-ahead log,
// which still holds what was written once, is emptied afterwards.

/// Deletes what an erasure names, in the transaction that records it.
struct WordEraser {
  let db: Database
  /// Removed in this very transaction: the projections have them still.
  let removedPictures: Set<String>

  /// - Parameter person: the pseudonym of whom it concerns.
  func erase(_ erasure: Erasure, person: String?) throws {
    switch erasure {
    case .alarm(let id):
      try db.execute(
        sql: """
          DELETE FROM contents WHERE seq IN (
            SELECT seq FROM events WHERE alarm_id = ? AND payload_digest IS NOT NULL)
          """, arguments: [id.text])
    case .words: try eraseWords(of: person ?? "")
    case .identity(let id):
      try eraseIdentity(of: person ?? "")
      if id == .patient { try forgetPatient() }
    }
    try eraseUnusedTones()
    try erasePictures()
    // An answer that is kept for whoever asks again may hold any of it.
    try db.execute(sql: "DELETE FROM receipts")
  }

  private func eraseWords(of person: String) throws {
    try db.execute(
      sql: """
        DELETE FROM contents WHERE seq IN (
          SELECT seq FROM events
          WHERE person = ? AND payload_digest IS NOT NULL AND type <> 'enrolled')
        AND seq NOT IN (SELECT seq FROM alarms WHERE is_deleted = 0)
        AND seq NOT IN (
          SELECT seq FROM persons WHERE person = ? AND seq IS NOT NULL AND is_removed = 0)
        """, arguments: [person, person])
  }

  private func eraseIdentity(of person: String) throws {
    try db.execute(
      sql: """
        DELETE FROM contents WHERE seq IN (
          SELECT seq FROM events
          WHERE person = ? AND type IN ('person_added', 'person_changed', 'enrolled', 'withdrawn'))
        """, arguments: [person])
    try db.execute(sql: "DELETE FROM people WHERE pseudonym = ?", arguments: [person])
  }

  /// A new home has a patient of whom nothing is recorded. Once that one was erased there is none: no row
  /// says so, for a pseudonym is all that is left.
  private func forgetPatient() throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, 'forgotten')",
      arguments: [Logbook.patientSetting])
  }

  /// The names of recordings that are not there any more: their voices go too.
  private func eraseUnusedTones() throws {
    try db.execute(
      sql: """
        DELETE FROM contents WHERE seq IN (
          SELECT seq FROM events WHERE type IN ('tone_added', 'tone_removed', 'test_ring')
          AND tone_sha256 NOT IN (SELECT sha256 FROM tones))
        """)
  }
}

extension WordEraser {
  /// Which pictures there were that are not there any more: whoever has one could else prove that it was here.
  private func erasePictures() throws {
    let removed = removedPictures.sorted()
    let places = removed.map { _ in "?" }.joined(separator: ", ")
    try db.execute(
      sql: """
        DELETE FROM contents WHERE seq IN (
          SELECT e.seq FROM events e JOIN contents c USING (seq)
          WHERE e.type IN ('image_added', 'image_removed', 'photo_added')
            AND (json_extract(c.body, '$.sha256') NOT IN (SELECT sha256 FROM images)
              OR json_extract(c.body, '$.sha256') IN (\(places))))
        """, arguments: StatementArguments(removed))
  }
}

extension Logbook {
  /// Digests of the pictures that the words of an erasure are about: what alarms showed, and what showed that
  /// tasks were done.
  public func pictures(of erasure: Erasure) throws(LogbookError) -> Set<String> {
    try reading("look for pictures") { db in
      let people = try People(db)
      let (column, value) =
        switch erasure {
        case .alarm(let id): ("alarm_id", id.text)
        case .words(let id), .identity(let id): ("person", people.pseudonym(id))
        }
      let found = try Row.fetchAll(
        db,
        sql: """
          SELECT coalesce(json_extract(c.body, '$.sha256'), json_extract(c.body, '$.image'))
          FROM events e JOIN contents c USING (seq)
          WHERE e.\(column) = ? AND e.type IN ('photo_added', 'alarm_created', 'alarm_edited')
          """, arguments: [value])
      return Set(try found.compactMap { try RowReader($0, of: "contents").optionalText(0) })
    }
  }

  static let patientSetting = "first_patient"

  /// The digests of tones that were removed, and are no tone's now.
  public func removedTones() throws(LogbookError) -> Set<String> {
    try reading("look for removed tones") { db in
      Set(
        try String.fetchAll(
          db,
          sql: """
            SELECT DISTINCT tone_sha256 FROM events WHERE type = 'tone_removed'
            AND tone_sha256 IS NOT NULL AND tone_sha256 NOT IN (SELECT sha256 FROM tones)
            """))
    }
  }

  /// Empties the write-ahead log, so that nothing that was erased is in any file.
  ///
  /// - Throws: where somebody still reads an older state; the next call tries again.
  func scrub() throws(LogbookError) {
    try explaining("empty the write-ahead log") {
      try pool.writeWithoutTransaction { db in
        // What the log still holds of deleted pages is written over the main file's first.
        _ = try db.checkpoint(.truncate)
      }
    }
    memory.withLock { $0.needsScrub = false }
  }
}
