import ArchiveProtocol

/// An erasure of rows in the archive. It removes the content of the rows, and keeps their hashes.
///
/// After an erasure, the hash chain is still complete. A person who guesses the erased values
/// cannot confirm the guess with the hash, because the hash also covers the random `event_id`, and
/// the erasure deletes the `event_id` too. An erasure also covers rows that arrive later, for
/// example if the home sends its whole record again. The archive seals such a row before it stores
/// the row.
package struct Erasure: Sendable {
  /// The pseudonym of the person; nil if the erasure covers all rows of the home.
  var person: String?

  /// Returns true if the archive must seal a row before it stores the row.
  func covers(_ row: PlainRow) -> Bool {
    covers(person: row["person"].text, payload: row["payload"].text)
  }

  /// Returns true if an export must not show the values of a stored row.
  ///
  /// - Parameter values: the values of `EventTable.selection`.
  func covers(_ values: [String?]) -> Bool {
    covers(person: values[EventTable.person], payload: values[EventTable.payload])
  }

  private func covers(person named: String?, payload: String?) -> Bool {
    guard let person else { return true }
    // The payload of a row can contain the pseudonym of a person who is not the person in the
    // column `person`. Therefore, search the payload too.
    return named == person || payload?.contains(person) == true
  }

  static func all(
    of home: String, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> [Erasure] {
    try connection.rows("SELECT person FROM erasures WHERE home = $1", [home])
      .map { Erasure(person: $0[0]) }
  }

  /// Erases stored rows of a home. Also stores the erasure, so that the erasure covers rows that
  /// arrive later.
  ///
  /// - Parameter person: the pseudonym of a person, to erase only the rows about this person; nil
  ///   to erase all rows of the home.
  ///
  /// - Returns: the number of rows that this call erased.
  package static func run(
    home: String, person: String?, _ pool: DatabasePool
  ) throws(ArchiveError) -> Int {
    // Refuse a short text, because the payloads of other people could also contain this text.
    if let person, !(person.hasPrefix("P-") && person.utf8.count >= 6) {
      throw .refused(
        "cannot erase: \"\(person)\" is not a pseudonym; a pseudonym begins with \"P-\"")
    }
    return try pool.use { connection throws(ArchiveError) in
      try connection.transaction { () throws(ArchiveError) in
        // Each append locks the row of its home in the table `homes`. This statement locks the same
        // row, so no append can run until the erasure is stored.
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
