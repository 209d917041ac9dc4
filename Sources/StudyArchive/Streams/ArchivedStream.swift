import ArchiveProtocol

/// A stream in the database. The type reads the rows of the stream in their order.
struct ArchivedStream {
  var number: String
  var stream: String
  var home: String
  var study: String
  var site: String
  /// The id of the stream that this stream continues after a fork; nil if this stream is not a
  /// fork. `parentSequence` is the number of the newest row that both streams have.
  var parent: String?
  var parentSequence: Int64?
  /// The id of the stream to which the home must send its rows after a fork of this stream; nil if
  /// there was no fork.
  var successor: String?
  /// The number and the hash of the row before the first row of the stream.
  var start: ArchiveHead
  /// The newest row of the stream; nil if the archive has no row of the stream.
  var head: ArchiveHead?

  /// Returns the streams in the order in which the archive opened them.
  ///
  /// - Parameter study: the study whose streams the function returns; nil for the streams of all
  ///   studies.
  static func all(
    _ connection: DatabaseConnection, study: String? = nil
  ) throws(ArchiveError) -> [ArchivedStream] {
    try connection.rows(
      """
      SELECT s.number, s.stream, s.home, s.study, h.site, p.stream, s.parent_seq, n.stream,
        coalesce(s.start_seq, 0), s.start_hash, s.head_seq, s.head_hash
      FROM streams s JOIN homes h USING (home)
        LEFT JOIN streams p ON p.number = s.parent LEFT JOIN streams n ON n.number = s.successor
      WHERE $1::text IS NULL OR s.study = $1 ORDER BY s.number
      """, [study]
    ).map { row in
      ArchivedStream(
        number: row[0] ?? "", stream: row[1] ?? "", home: row[2] ?? "", study: row[3] ?? "",
        site: row[4] ?? "", parent: row[5], parentSequence: row[6].flatMap { Int64($0) },
        successor: row[7],
        start: ArchiveHead(
          sequence: row[8].flatMap { Int64($0) } ?? 0, hash: row[9] ?? ArchiveHead.genesis.hash),
        head: row[10].flatMap { Int64($0) }.map { sequence in
          ArchiveHead(sequence: sequence, hash: row[11] ?? "")
        })
    }
  }

  private static let pageRows = 2_000

  /// Reads the rows from the first row to the head, and calls `body` for each page of rows.
  ///
  /// - Parameter body: a function that receives the values of `EventTable.selection` for each row
  ///   of a page.
  func forEachPage(
    _ connection: DatabaseConnection, _ body: ([[String?]]) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var last = "\(start.sequence)"
    while true {
      // Read only the rows up to the head that this value contains. An append can add later rows
      // while this function runs.
      let page = try connection.rows(
        """
        SELECT \(EventTable.selection) FROM events
        WHERE study = $1 AND stream = $2 AND seq > $3 AND seq <= $4 ORDER BY seq LIMIT $5
        """, [study, number, last, "\(head?.sequence ?? .max)", "\(Self.pageRows)"])
      try body(page)
      guard page.count == Self.pageRows, let sequence = page.last?[0] else { return }
      last = sequence
    }
  }
}
