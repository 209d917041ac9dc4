import ArchiveProtocol

/// The heads that a backup of the database contains.
///
/// A home may purge only rows that are not lost if the server is lost. Therefore the administrator
/// lists the heads before a backup begins, and marks them as safe after the backup is complete.
package enum SafeHeads {
  /// Returns all heads, one on each line. A line contains the id of the stream, a space, and
  /// `SEQ-HASH`.
  package static func list(_ pool: DatabasePool) throws(ArchiveError) -> String {
    try pool.use { connection throws(ArchiveError) in
      try connection.rows(
        """
        SELECT stream || ' ' || head_seq || '-' || head_hash FROM streams
        WHERE head_seq IS NOT NULL ORDER BY number
        """
      ).map { "\($0[0] ?? "")\n" }.joined()
    }
  }

  /// Marks the heads of a list as safe. If the safe head of a stream is newer than the head in the
  /// list, the stream keeps its safe head.
  ///
  /// - Returns: the number of streams with a new safe head.
  /// - Throws: `refused` if a line is not the head of a stored row. In this case, the function
  ///   changes no stream.
  package static func mark(_ list: String, _ pool: DatabasePool) throws(ArchiveError) -> Int {
    var heads: [(stream: String, head: ArchiveHead)] = []
    for (index, line) in list.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      let parts = line.split(separator: " ").map(String.init)
      guard parts.count == 2, let head = ArchiveHead(parsing: parts[1]) else {
        throw .refused(
          "cannot read line \(index + 1): it must contain a stream and its head, as "
            + "\"prompter-archive heads\" prints them")
      }
      heads.append((parts[0], head))
    }
    return try pool.use { connection throws(ArchiveError) in
      try connection.transaction { () throws(ArchiveError) in
        var marked = 0
        for (stream, head) in heads { marked += try mark(stream, head, connection) }
        return marked
      }
    }
  }

  private static func mark(
    _ stream: String, _ head: ArchiveHead, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> Int {
    let values = [stream, "\(head.sequence)", "\\x\(head.hash)"]
    let stored = try connection.rows(
      """
      SELECT 1 FROM events e JOIN streams s ON s.number = e.stream AND s.study = e.study
      WHERE s.stream = $1 AND e.seq = $2 AND e.hash = $3::bytea
      """, values)
    guard !stored.isEmpty else {
      throw .refused(
        "cannot mark the head of the stream \"\(stream)\" as safe: the archive does not have row "
          + "\(head.sequence) with this hash")
    }
    return try connection.rows(
      """
      UPDATE streams SET safe_seq = $2, safe_hash = $3
      WHERE stream = $1 AND (safe_seq IS NULL OR safe_seq < $2::bigint) RETURNING 1
      """, [stream, "\(head.sequence)", head.hash]
    ).count
  }
}
