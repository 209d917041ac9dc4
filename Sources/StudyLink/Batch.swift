import ArchiveProtocol
import JSONValue

/// The rows that one request sends to the archive.
struct Batch {
  /// The number and the hash of the row before the first row of the batch.
  var after: ArchiveHead
  var body: [UInt8]
  var rows: Int

  /// Makes a batch from the first of the given rows. The limits of a request can be too small for
  /// all rows.
  ///
  /// - Parameters:
  ///   - lines: the rows as lines without line feeds, oldest first.
  ///   - head: the head of the archive; nil if the archive has no row. If `lines` is empty, `after`
  ///     gets this head.
  /// - Throws: `RowError` if the first line is not a row, `LinkError` if the first row is too
  ///   large.
  init(_ lines: some Sequence<ArraySlice<UInt8>>, after head: ArchiveHead?) throws {
    (after, body, rows) = (head ?? .genesis, [], 0)
    for line in lines {
      if rows == 0 {
        let row = try JSON(parsing: Array(line))
        guard let sequence = row["seq"]?.integer, let previous = row["prev_hash"]?.string else {
          throw RowError(line: 1, member: "seq", reason: .missing)
        }
        // Take the hash of the row before the batch from the home, and not from the archive. If the
        // archive has a different hash for this row, it finds the fork.
        after = ArchiveHead(sequence: sequence - 1, hash: previous)
      }
      guard rows < ArchiveLimits.rows, body.count + line.count < ArchiveLimits.bytes else {
        // If the first row is too large, throw an error. Otherwise the batch would be empty, and
        // the link would send it again and again.
        guard rows > 0 else { throw LinkError("a row of this home is too large for the archive") }
        return
      }
      body += line
      body.append(UInt8(ascii: "\n"))
      rows += 1
    }
  }
}
