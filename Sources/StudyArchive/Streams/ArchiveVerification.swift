import ArchiveProtocol
import MessageDigest

/// The result of a check of all streams.
package struct ArchiveVerification: Sendable, Hashable {
  package var streams = 0
  package var rows = 0
  /// The rows without content.
  package var sealedRows = 0
  /// A sentence for each fault.
  package var faults: [String] = []

  /// Reads each stream again: the rows are exactly those from the first to the head, each row follows
  /// the row before it, and the hash of each plain row is the hash of its values.
  package static func run(_ pool: DatabasePool) throws(ArchiveError) -> ArchiveVerification {
    try pool.use { connection throws(ArchiveError) in
      var result = ArchiveVerification()
      let streams = try connection.rows(
        """
        SELECT number, stream, study, coalesce(start_seq, 0), start_hash, head_seq, head_hash
        FROM streams ORDER BY number
        """)
      for stream in streams {
        result.streams += 1
        try result.check(stream, connection)
      }
      return result
    }
  }

  private static let pageRows = 2_000

  private mutating func check(
    _ stream: [String?], _ connection: DatabaseConnection
  ) throws(ArchiveError) {
    let (number, name, study) = (stream[0], stream[1] ?? "", stream[2])
    let start = Int64(stream[3] ?? "") ?? 0
    let head = stream[5].flatMap { Int64($0) }
    var last = ArchiveHead(
      sequence: start, hash: stream[4] ?? ArchiveHead.genesis.hash)
    func fault(_ sequence: Int64, _ what: String) -> String {
      "stream \(name), row \(sequence): \(what)"
    }
    while true {
      // Rows that an append adds at this moment have no place in the head that was read.
      let page = try connection.rows(
        """
        SELECT \(EventTable.selection) FROM events
        WHERE study = $1 AND stream = $2 AND seq > $3 AND seq <= $4 ORDER BY seq LIMIT $5
        """, [study, number, "\(last.sequence)", "\(head ?? .max)", "\(Self.pageRows)"])
      for values in page {
        rows += 1
        let row: ArchiveRow
        do throws(RowError) {
          row = try EventTable.row(values)
        } catch {
          return faults.append(fault(last.sequence + 1, "\(error)"))
        }
        guard row.sequence == last.sequence + 1 else {
          return faults.append(fault(last.sequence + 1, "the row is missing"))
        }
        guard row.previousHash == last.hash else {
          return faults.append(fault(row.sequence, "the row does not follow the row before it"))
        }
        switch row {
        case .sealed: sealedRows += 1
        case .plain(let plain):
          guard plain.computedHash(digest: SHA256Digest.hex) == plain.hash else {
            return faults.append(fault(row.sequence, "the hash is not the hash of the values"))
          }
        }
        last = row.head
      }
      if page.count < Self.pageRows { break }
    }
    guard let head else {
      if last.sequence > start { faults.append(fault(start + 1, "the stream has no head")) }
      return
    }
    if last.sequence != head {
      faults.append(fault(last.sequence + 1, "the row is missing; the head is row \(head)"))
    } else if last.hash != stream[6] {
      faults.append(fault(head, "the head has another hash"))
    }
  }
}
