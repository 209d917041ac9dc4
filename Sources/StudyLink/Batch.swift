import ArchiveProtocol
import JSONValue

/// The rows of one append.
struct Batch {
  /// The row that the batch follows.
  var after: ArchiveHead
  var body: [UInt8]
  var rows: Int

  /// The first rows that fit into one append.
  ///
  /// - Parameters:
  ///   - lines: the lines of the daemon's reply, without line feeds, oldest first.
  ///   - head: the head of the archive, for a batch without rows; nil if the archive has no row.
  /// - Throws: `RowError` if a line is not a row, `LinkError` if the first row is too large.
  init(_ lines: some Sequence<ArraySlice<UInt8>>, after head: ArchiveHead?) throws {
    (after, body, rows) = (head ?? .genesis, [], 0)
    for line in lines {
      if rows == 0 {
        let row = try JSON(parsing: Array(line))
        guard let sequence = row["seq"]?.integer, let previous = row["prev_hash"]?.string else {
          throw RowError(line: 1, member: "seq", reason: .missing)
        }
        // The home says itself what comes before the batch. If the archive knows another row there, it
        // finds the fork.
        after = ArchiveHead(sequence: sequence - 1, hash: previous)
      }
      guard rows < ArchiveLimits.rows, body.count + line.count < ArchiveLimits.bytes else {
        // A batch without this row would be sent again and again.
        guard rows > 0 else { throw LinkError("a row of this home is too large for the archive") }
        return
      }
      body += line
      body.append(UInt8(ascii: "\n"))
      rows += 1
    }
  }
}
