/// The kind of a finding. A finding is an irregularity in the rows of a home that a person should
/// examine.
package enum FindingKind: String, Sendable, CaseIterable {
  case gap, fork, broken, rewound, skew
  case unknownType = "unknown_type"
}

/// An open finding about a stream of a home.
package struct Finding: Sendable, Hashable {
  package var home: String
  package var kind: String
  package var stream: String
  package var sequence: Int64
  package var count: Int64
  /// The time at which the archive last found the same irregularity, in UTC, in the format of RFC
  /// 3339.
  package var newest: String
  /// The details of the finding. Because the text can come from a home, every character that is not
  /// printable ASCII is replaced by `?`.
  package var detail: String

  /// Returns the open findings, sorted by home and then by `newest`.
  package static func open(_ pool: DatabasePool) throws(ArchiveError) -> [Finding] {
    try pool.use { connection throws(ArchiveError) in
      try connection.rows(
        """
        SELECT s.home, f.kind, s.stream, f.seq, f.count,
          to_char(f.last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), f.detail
        FROM findings f JOIN streams s ON s.number = f.stream
        WHERE f.closed_at IS NULL ORDER BY s.home, f.last_at, f.kind, f.seq, f.detail
        """
      ).map { row in
        Finding(
          home: row[0] ?? "", kind: row[1] ?? "", stream: row[2] ?? "",
          sequence: row[3].flatMap { Int64($0) } ?? 0, count: row[4].flatMap { Int64($0) } ?? 0,
          newest: row[5] ?? "", detail: printable(row[6] ?? ""))
      }
    }
  }

  /// Closes the open findings of one kind about a home.
  ///
  /// The database keeps a closed finding. If the archive later finds the same irregularity, it
  /// opens the finding again.
  ///
  /// - Returns: the number of findings that this call closed.
  package static func close(
    _ kind: FindingKind, of home: String, _ pool: DatabasePool
  ) throws(ArchiveError) -> Int {
    try pool.use { connection throws(ArchiveError) in
      let known = try connection.rows("SELECT 1 FROM homes WHERE home = $1", [home])
      guard !known.isEmpty else {
        throw .refused("cannot close the findings: there is no home \"\(home)\"")
      }
      return try connection.rows(
        """
        UPDATE findings f SET closed_at = now() FROM streams s
        WHERE s.number = f.stream AND s.home = $1 AND f.kind = $2 AND f.closed_at IS NULL
        RETURNING 1
        """, [home, kind.rawValue]
      ).count
    }
  }

  static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
  }
}
