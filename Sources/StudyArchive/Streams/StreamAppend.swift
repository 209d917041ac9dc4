import Alarms
import ArchiveProtocol
import EventCoding
import MessageDigest

/// Appends rows to one stream, inside a transaction that has locked the stream.
struct StreamAppend {
  var stream: StreamRow
  var append: Archive.Append
  var connection: DatabaseConnection

  /// The maximum number of forks of a home in 24 hours. If a device was copied, the original and
  /// the copy both send rows for the same home. Each time that one of them sends after the other,
  /// the archive makes a fork. After this number of forks, the archive opens no new stream for the
  /// home. Otherwise, the two devices could fill the disk.
  private static let forksPerDay = 8
  /// The maximum number of findings about unknown event types that one batch can cause. A home can
  /// send any text as a type, and must not fill the table of findings.
  private static let unknownTypesPerBatch = 5
  private static let unknownTypeBytes = 64

  func run() throws(ArchiveError) -> Archive.Outcome {
    let decision = AppendDecision.decide(
      stream: try stored(), after: append.after, rows: append.rows, digest: SHA256Digest.hex)
    switch decision {
    case .accept(let rows, let head):
      try store(rows, head)
      var status = stream.status
      status.head = head
      return .stored(status)
    case .nothingNew:
      try contact()
      return .stored(stream.status)
    case .gap:
      try contact()
      if let head = stream.status.head, append.after.sequence > head.sequence {
        try find("gap", head.sequence + 1, "")
      }
      return .gap(stream.status)
    case .broken(let sequence, let reason):
      try contact()
      try find("broken", sequence, reason.rawValue)
      return .broken(at: sequence, reason)
    case .fork(let sequence, let common):
      try contact()
      return try fork(at: sequence, common: common)
    }
  }

  /// Reads the hashes of the stored rows from the row before the batch to the last row of the
  /// batch. The batch can contain rows that the archive already has.
  private func stored() throws(ArchiveError) -> StoredStream {
    var stored = StoredStream(start: stream.start, head: stream.status.head)
    guard let head = stored.head, append.after.sequence < head.sequence else { return stored }
    let last = append.rows.last?.sequence ?? append.after.sequence
    let rows = try connection.rows(
      """
      SELECT seq, encode(hash, 'hex') FROM events
      WHERE study = $1 AND stream = $2 AND seq BETWEEN $3 AND $4
      """, [stream.study, stream.number, "\(append.after.sequence)", "\(last)"])
    for row in rows {
      if let sequence = row[0].flatMap({ Int64($0) }) { stored.hashes[sequence] = row[1] }
    }
    return stored
  }

  private func store(_ rows: [ArchiveRow], _ head: ArchiveHead) throws(ArchiveError) {
    let rows = try sealing(rows)
    var lines = CopyLines()
    for row in rows { EventTable.add(row, study: stream.study, stream.number, to: &lines) }
    try connection.copy(EventTable.copy, lines.bytes)
    let walls = rows.compactMap(Self.syncedWall)
    let newest = walls.max { $0.wall < $1.wall }
    // Most batches have one or two rows, so the time for each statement is important. Therefore,
    // one statement does three things. It closes the findings about gaps, because the home has now
    // delivered the missing rows. It sets the new head. It also returns true if the clock of the
    // home is more than two minutes ahead of the clock of the archive. The archive cannot detect a
    // home clock that is behind, because a row that arrives late has an old time, too.
    let isAhead = try connection.rows(
      """
      WITH closed AS (
        UPDATE findings SET closed_at = now()
        WHERE stream = $1 AND kind = 'gap' AND closed_at IS NULL)
      UPDATE streams SET head_seq = $2, head_hash = $3, start_seq = coalesce(start_seq, $4),
        start_hash = coalesce(start_hash, $5), received_at = now(), contact_at = now(),
        home_seq = greatest($2::bigint, coalesce($6::bigint, home_seq)),
        newest_wall_ms = coalesce($7::bigint, newest_wall_ms)
      WHERE number = $1
      RETURNING $8::bigint - (extract(epoch FROM now()) * 1000)::bigint > 120000
      """,
      [
        stream.number, "\(head.sequence)", head.hash, "\(append.after.sequence)",
        append.after.hash, append.homeSequence.map(String.init), walls.last.map { "\($0.wall)" },
        newest.map { "\($0.wall)" },
      ])
    for type in Set(rows.compactMap(Self.unknownType)).sorted().prefix(Self.unknownTypesPerBatch) {
      try find("unknown_type", 0, type)
    }
    if let newest, isAhead.first?[0] == "t" { try find("skew", newest.sequence, "") }
  }

  /// Seals each row that an erasure covers. Returns all rows of the batch in their order.
  private func sealing(_ rows: [ArchiveRow]) throws(ArchiveError) -> [ArchiveRow] {
    let erasures = try Erasure.all(of: stream.home, connection)
    guard !erasures.isEmpty else { return rows }
    return rows.map { row in
      guard case .plain(let plain) = row, erasures.contains(where: { $0.covers(plain) }) else {
        return row
      }
      return .sealed(row.sealed)
    }
  }

  /// Stores the time of the contact, and the number of the home's newest row. If the home no longer
  /// has a row that it sent earlier, the function also adds a finding.
  private func contact() throws(ArchiveError) {
    try connection.rows(
      "UPDATE streams SET contact_at = now(), home_seq = coalesce($2::bigint, home_seq) "
        + "WHERE number = $1", [stream.number, append.homeSequence.map(String.init)])
    guard let home = append.homeSequence, let head = stream.status.head, home < head.sequence
    else { return }
    // The newest row of the home is older than the newest row of the archive. The probable reason
    // is that somebody restored the record of the home from a backup.
    try find("rewound", home, "")
  }

  /// Opens a new stream, to which the home must send its rows from now on. The old stream does not
  /// change.
  private func fork(at sequence: Int64, common: Int64?) throws(ArchiveError) -> Archive.Outcome {
    let recent = try connection.rows(
      """
      SELECT count(*) FROM streams
      WHERE home = $1 AND parent IS NOT NULL AND created_at > now() - interval '1 day'
      """, [stream.home])
    guard let count = recent.first?[0].flatMap({ Int($0) }), count < Self.forksPerDay else {
      try find("fork", sequence, "too_many")
      return .tooManyForks
    }
    let name = RandomName.stream()
    try connection.rows(
      """
      WITH new AS (
        INSERT INTO streams (stream, home, study, parent, parent_seq)
        VALUES ($2, $3, $4, $1, $5) RETURNING number)
      UPDATE streams SET successor = new.number FROM new WHERE streams.number = $1
      """, [stream.number, name, stream.home, stream.study, common.map(String.init)])
    try find("fork", sequence, "")
    var status = stream.status
    status.state = .fork
    return .fork(successor: name, at: sequence, status)
  }

  private func find(
    _ kind: String, _ sequence: Int64, _ detail: String
  ) throws(ArchiveError) {
    try connection.rows(
      """
      INSERT INTO findings (stream, kind, seq, detail) VALUES ($1, $2, $3, $4)
      ON CONFLICT (stream, kind, seq, detail)
      DO UPDATE SET count = findings.count + 1, last_at = now(), closed_at = NULL
      """, [stream.number, kind, "\(sequence)", detail])
  }

  private static func syncedWall(_ row: ArchiveRow) -> (sequence: Int64, wall: Int64)? {
    guard case .plain(let plain) = row, plain["clock_state"].text == ClockState.synced.rawValue,
      let wall = plain["wall_utc_ms"].integer
    else { return nil }
    return (plain.sequence, wall)
  }

  private static let knownTypes = Set(EventGlossary.types.map(\.type))

  private static func unknownType(_ row: ArchiveRow) -> String? {
    guard case .plain(let plain) = row, let type = plain["type"].text, !knownTypes.contains(type)
    else { return nil }
    return String(decoding: type.utf8.prefix(unknownTypeBytes), as: UTF8.self)
  }
}
