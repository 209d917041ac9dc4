import ArchiveProtocol
import MessageDigest

/// The expected homes of a study, and their certificates.
package struct HomeRegistry: Sendable {
  private let pool: DatabasePool

  package init(_ pool: DatabasePool) { self.pool = pool }

  /// The period in which an enrolment code is valid, in hours.
  package static let codeHours = 72

  /// A home in the list of expected homes.
  package struct Home: Sendable, Hashable {
    package var home: String
    package var site: String
    package var study: String
    package var state: String
    package var contact: String?
  }

  /// Adds a home that the study expects.
  ///
  /// - Returns: the code with which the home enrols. The archive stores only the digest of the
  ///   code.
  package func add(_ home: String, site: String, study: String) throws(ArchiveError) -> String {
    for (name, value) in [("home", home), ("site", site), ("study", study)] {
      guard Self.isName(value) else {
        throw .refused(
          "cannot add the home: the \(name) \"\(value)\" must have 1 to 64 letters, digits, points, "
            + "hyphens and underscores")
      }
    }
    return try pool.use { connection throws(ArchiveError) in
      try connection.transaction { () throws(ArchiveError) in
        try Schema.addStudy(study, connection)
        do throws(ArchiveError) {
          try connection.rows(
            "INSERT INTO homes (home, site, study) VALUES ($1, $2, $3)", [home, site, study])
        } catch .database(state: "23505", _) {
          throw .refused("cannot add the home: there is already a home \"\(home)\"")
        }
        return try Self.makeCode(for: home, connection)
      }
    }
  }

  /// Makes a new enrolment code for a home, for example because somebody replaced the device of the
  /// home. All earlier codes of this home become invalid.
  package func code(for home: String) throws(ArchiveError) -> String {
    try pool.use { connection throws(ArchiveError) in
      try connection.transaction { () throws(ArchiveError) in
        let state = try connection.rows(
          "SELECT state FROM homes WHERE home = $1 FOR UPDATE", [home])
        guard let state = state.first?[0] else { throw Self.unknown(home) }
        guard state == "expected" || state == "enrolled" else {
          throw .refused("cannot make a code: the home \"\(home)\" is \(state)")
        }
        return try Self.makeCode(for: home, connection)
      }
    }
  }

  private static func makeCode(
    for home: String, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> String {
    let code = RandomName.code()
    try connection.rows("DELETE FROM enrolment_codes WHERE home = $1", [home])
    try connection.rows(
      """
      INSERT INTO enrolment_codes (digest, home, expires_at)
      VALUES ($1, $2, now() + make_interval(hours => $3))
      """, [digest(of: code), home, "\(codeHours)"])
    return code
  }

  private static func digest(of code: String) -> String {
    SHA256Digest.hex(Array(RandomName.normalized(code: code).utf8))
  }

  /// The reason why the archive no longer collects the rows of a home.
  package enum End: String, Sendable {
    /// The device is lost, or its private key is no longer secret.
    case revoked
    case withdrawn
  }

  /// Ends the collection of a home. The archive keeps the stored rows, and accepts no more rows of
  /// this home.
  package func end(_ home: String, state: End) throws(ArchiveError) {
    try pool.use { connection throws(ArchiveError) in
      let rows = try connection.rows(
        "UPDATE homes SET state = $2 WHERE home = $1 RETURNING home", [home, state.rawValue])
      guard !rows.isEmpty else { throw Self.unknown(home) }
    }
  }

  package func list() throws(ArchiveError) -> [Home] {
    try pool.use { connection throws(ArchiveError) in
      try connection.rows(
        """
        SELECT h.home, h.site, h.study, h.state,
          to_char(max(s.contact_at), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        FROM homes h LEFT JOIN streams s USING (home) GROUP BY h.home ORDER BY h.study, h.site, 1
        """
      ).compactMap { row in
        guard let home = row[0], let site = row[1], let study = row[2], let state = row[3] else {
          return nil
        }
        return Home(home: home, site: site, study: study, state: state, contact: row[4])
      }
    }
  }

  /// Binds a certificate to the home to which the code belongs, and marks the code as used.
  ///
  /// If the reply does not reach the home, the home can send the same code again with the same
  /// certificate. The archive then sends the same reply again.
  ///
  /// - Returns: nil in these cases: the code is wrong or too old; a different certificate used the
  ///   code; the archive no longer collects the rows of the home; or the certificate belongs to a
  ///   different home.
  package func enrol(
    code: String, fingerprint: String
  ) throws(ArchiveError) -> EnrolmentReply? {
    try pool.use { connection throws(ArchiveError) in
      try connection.transaction { () throws(ArchiveError) in
        let used = try connection.rows(
          """
          UPDATE enrolment_codes c SET used_at = coalesce(c.used_at, now()) FROM homes h
          WHERE c.digest = $1 AND c.expires_at > now() AND h.home = c.home
            AND (c.used_at IS NULL OR h.fingerprint = $2)
            AND h.state IN ('expected', 'enrolled')
            AND NOT EXISTS (SELECT 1 FROM homes o WHERE o.fingerprint = $2 AND o.home <> h.home)
          RETURNING h.home, h.site, h.study
          """, [Self.digest(of: code), fingerprint])
        guard let row = used.first, let home = row[0], let site = row[1], let study = row[2] else {
          return nil
        }
        try connection.rows(
          """
          UPDATE homes SET state = 'enrolled', fingerprint = $2, enrolled_at = now()
          WHERE home = $1 AND (state, fingerprint) IS DISTINCT FROM ('enrolled', $2)
          """, [home, fingerprint])
        let stream = try Self.stream(of: home, study: study, connection)
        return EnrolmentReply(
          home: home, site: site, study: study, stream: stream, words: Self.words(study))
      }
    }
  }

  /// Returns the stream to which the home must send its rows. If the home already has a stream, a
  /// new device of the home gets this stream. The new device then continues the stream, or makes a
  /// fork.
  private static func stream(
    of home: String, study: String, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> String {
    let newest = try connection.rows(
      "SELECT stream FROM streams WHERE home = $1 AND successor IS NULL ORDER BY number DESC",
      [home])
    if let stream = newest.first?[0] { return stream }
    let stream = RandomName.stream()
    try connection.rows(
      "INSERT INTO streams (stream, home, study) VALUES ($1, $2, $3)", [stream, home, study])
    return stream
  }

  /// Returns a text for the person who enrols the home. The text explains which data the study
  /// collects.
  private static func words(_ study: String) -> String {
    "The study \"\(study)\" collects the record of this home: when reminders were due, rang, and were "
      + "answered or missed, when the device was off, and answers to questions of the study as codes. "
      + "It contains dates, times and pseudonyms. It contains no names, no typed words, no voices and "
      + "no pictures. Rows about people outside the study travel sealed: only their number and hash."
  }

  private static func unknown(_ home: String) -> ArchiveError {
    .refused(
      "cannot find the home \"\(home)\"; \"prompter-archive home list\" lists all homes")
  }

  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8.contains($0)
      }
  }
}
