import ArchiveProtocol

/// The safe heads: the heads of the streams in the newest backup of the database.
///
/// A home may purge a row only if a backup of the archive contains the row. Therefore the
/// administrator lists the heads before a backup begins, and marks these heads as safe after the
/// backup is complete.
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

  /// Marks the heads of a list as safe. If a stream already has a newer safe head, the function
  /// does not change this safe head.
  ///
  /// - Parameter list: the text that `list` returned.
  /// - Returns: the number of streams whose safe head changed.
  /// - Throws: `refused` if a line cannot be read, or if the archive does not have the row of a
  ///   head. In this case, the function changes no stream.
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
