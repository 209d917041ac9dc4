import ArchiveProtocol

/// The archive of a study: adds rows to the streams in the database, and reads the heads of the
/// streams.
package struct Archive: Sendable {
  package let pool: DatabasePool

  package init(_ pool: DatabasePool) { self.pool = pool }

  /// A request of a home to add a batch of rows to a stream.
  package struct Append: Sendable {
    package var stream: String
    /// The SHA-256 of the home's certificate, in lower-case hexadecimal.
    package var fingerprint: String
    package var after: ArchiveHead
    package var rows: [ArchiveRow]
    /// The number of the home's newest row; nil if the home did not send this number.
    package var homeSequence: Int64?

    package init(
      stream: String, fingerprint: String, after: ArchiveHead, rows: [ArchiveRow],
      homeSequence: Int64?
    ) {
      (self.stream, self.fingerprint, self.after) = (stream, fingerprint, after)
      (self.rows, self.homeSequence) = (rows, homeSequence)
    }
  }

  /// The result of an append. The function returns a result only after the COMMIT.
  package enum Outcome: Sendable, Hashable {
    case stored(StreamStatus)
    /// The archive does not have the row that comes before the first row of the batch.
    case gap(StreamStatus)
    case broken(at: Int64, AppendDecision.BrokenReason)
    /// The batch made a fork. From now on, the home must send its rows to the stream `successor`.
    case fork(successor: String, at: Int64?, StreamStatus)
    /// The home made too many forks in one day, so the archive opened no new stream.
    case tooManyForks
    case withdrawn(StreamStatus)
    /// The home has no stream with this id.
    case unknown
  }

  /// Returns the head of a stream; nil if the home has no stream with this id.
  ///
  /// The archive records the time of this request as a contact of the home. If the daemon of a home
  /// has stopped, the link of the home still asks for the head, but sends no rows. Because of these
  /// requests, the archive can distinguish a home with a stopped daemon from a silent home.
  package func status(
    of stream: String, fingerprint: String
  ) throws(ArchiveError) -> StreamStatus? {
    try pool.use { connection throws(ArchiveError) in
      guard
        let found = try StreamRow.find(
          stream, fingerprint: fingerprint, isLocked: false, connection)
      else { return nil }
      if found.status.state != .withdrawn {
        try connection.rows(
          "UPDATE streams SET contact_at = now() WHERE number = $1", [found.number])
      }
      return found.status
    }
  }

  /// Stores the new rows of a batch if the batch continues the stream.
  ///
  /// The function does all its work in one transaction: it locks the stream, compares the batch
  /// with the head, writes the rows with COPY, and sets the new head. The caller must not confirm
  /// the batch to the home before this function has returned.
  package func append(_ append: Append) throws(ArchiveError) -> Outcome {
    try pool.use { connection throws(ArchiveError) in
      try connection.transaction { () throws(ArchiveError) in
        guard
          let stream = try StreamRow.find(
            append.stream, fingerprint: append.fingerprint, isLocked: true, connection)
        else { return .unknown }
        if stream.status.state == .withdrawn { return .withdrawn(stream.status) }
        if let successor = stream.successor {
          return .fork(successor: successor, at: nil, stream.status)
        }
        return try StreamAppend(stream: stream, append: append, connection: connection).run()
      }
    }
  }
}

/// The row of a stream in the table `streams`, with the state of its home.
struct StreamRow {
  var number: String
  var stream: String
  var home: String
  var study: String
  var start: ArchiveHead?
  var status: StreamStatus
  /// The id of the stream to which the home must send its rows after a fork; nil if there was no
  /// fork.
  var successor: String?

  /// Finds a stream by its id.
  ///
  /// - Parameters:
  ///   - fingerprint: the fingerprint of a certificate.
  ///   - isLocked: true if the function locks the stream until the end of the transaction.
  /// - Returns: nil if the stream does not exist, or if it belongs to a home with a different
  ///   certificate.
  static func find(
    _ stream: String, fingerprint: String, isLocked: Bool, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> StreamRow? {
    let rows = try connection.rows(
      """
      SELECT s.number, s.stream, s.home, s.study, s.start_seq, s.start_hash, s.head_seq,
        s.head_hash, s.safe_seq, s.safe_hash, h.state, n.stream
      FROM streams s JOIN homes h USING (home) LEFT JOIN streams n ON n.number = s.successor
      WHERE s.stream = $1 AND h.fingerprint = $2 \(isLocked ? "FOR UPDATE OF s FOR SHARE OF h" : "")
      """, [stream, fingerprint])
    guard let row = rows.first, let number = row[0], let stream = row[1], let home = row[2],
      let study = row[3]
    else { return nil }
    let state: StreamStatus.State =
      if row[10] != "enrolled" { .withdrawn } else { row[11] == nil ? .collecting : .fork }
    return StreamRow(
      number: number, stream: stream, home: home, study: study, start: head(row[4], row[5]),
      status: StreamStatus(
        head: head(row[6], row[7]), safeHead: head(row[8], row[9]), state: state),
      successor: row[11])
  }

  private static func head(_ sequence: String?, _ hash: String?) -> ArchiveHead? {
    guard let sequence = sequence.flatMap({ Int64($0) }), let hash else { return nil }
    return ArchiveHead(sequence: sequence, hash: hash)
  }
}
