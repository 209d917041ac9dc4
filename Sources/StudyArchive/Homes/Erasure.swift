import ArchiveProtocol

/// The erasure of rows in the archive: their content goes, and their hashes stay.
///
/// After an erasure the hash chain still closes, and nobody can confirm a guess of the erased values:
/// the hash covers the random `event_id`, which is erased, too. Rows that arrive later are sealed
/// before they are stored, also if the home sends its whole record again.
package struct Erasure: Sendable {
  /// The pseudonym of the person; nil for all rows of the home.
  var person: String?

  /// Whether the content of a row must not be stored.
  func covers(_ row: PlainRow) -> Bool {
    covers(person: row["person"].text, payload: row["payload"].text)
  }

  /// Whether the content of a stored row must not be shown.
  ///
  /// - Parameter values: the values of `EventTable.selection`.
  func covers(_ values: [String?]) -> Bool {
    covers(person: values[EventTable.person], payload: values[EventTable.payload])
  }

  private func covers(person named: String?, payload: String?) -> Bool {
    guard let person else { return true }
    // Rows about a person in the home name the person in the payload.
    return named == person || payload?.contains(person) == true
  }

  static func all(
    of home: String, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> [Erasure] {
    try connection.rows("SELECT person FROM erasures WHERE home = $1", [home])
      .map { Erasure(person: $0[0]) }
  }

  /// Erases the stored rows of a home, and remembers the erasure for later rows.
  ///
  /// - Returns: the number of rows that this call erased.
  package static func run(
    home: String, person: String?, _ pool: DatabasePool
  ) throws(ArchiveError) -> Int {
    // A short text would also be in the payloads of other people.
    if let person, !(person.hasPrefix("P-") && person.utf8.count >= 6) {
      throw .refused(
        "cannot erase: \"\(person)\" is not a pseudonym; a pseudonym begins with \"P-\"")
    }
    return try pool.use { connection throws(ArchiveError) in
      try connection.transaction { () throws(ArchiveError) in
        // Each append locks the row of its home, so no append runs until the erasure is remembered.
        let known = try connection.rows("SELECT 1 FROM homes WHERE home = $1 FOR UPDATE", [home])
        guard !known.isEmpty else {
          throw .refused(
            "cannot find the home \"\(home)\"; \"prompter-archive home list\" lists all homes")
        }
        let erased = try connection.rows(
          """
          UPDATE events e SET is_sealed = true, is_json = false, \(EventTable.erasingAssignments)
          FROM streams s
          WHERE s.home = $1 AND e.study = s.study AND e.stream = s.number AND NOT e.is_sealed
            AND ($2::text IS NULL OR e.person = $2 OR position($2 IN e.payload) > 0)
          RETURNING 1
          """, [home, person]
        ).count
        try connection.rows(
          "INSERT INTO erasures (home, person, rows) VALUES ($1, $2, $3)",
          [home, person, "\(erased)"])
        return erased
      }
    }
  }
}
