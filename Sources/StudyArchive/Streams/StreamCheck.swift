import ArchiveProtocol
import MessageDigest

/// Checks the rows of one stream, one after another.
///
/// The stream must contain all rows from its first row to its head, and no other rows. The
/// `prev_hash` of each row must be the hash of the row before it. If a row is not sealed, its hash
/// must be the SHA-256 of its values.
struct StreamCheck {
  private let stream: ArchivedStream
  private var last: ArchiveHead
  private(set) var rows: Int64 = 0
  /// The number of sealed rows.
  private(set) var sealedRows: Int64 = 0
  /// A sentence about the first fault; nil if the stream has no fault.
  private(set) var fault: String?

  init(_ stream: ArchivedStream) {
    self.stream = stream
    last = stream.start
  }

  /// Checks the next row. After the first fault, the function only counts the rows and does not
  /// check them.
  ///
  /// - Parameter values: the values of `EventTable.selection`.
  mutating func add(_ values: [String?]) {
    rows += 1
    if values.last == "t" { sealedRows += 1 }
    guard fault == nil else { return }
    let row: ArchiveRow
    do throws(RowError) {
      row = try EventTable.row(values)
    } catch {
      return find(last.sequence + 1, "\(error)")
    }
    guard row.sequence == last.sequence + 1 else {
      return find(last.sequence + 1, "the row is missing")
    }
    guard row.previousHash == last.hash else {
      return find(row.sequence, "the row does not follow the row before it")
    }
    if case .plain(let plain) = row, plain.computedHash(digest: SHA256Digest.hex) != plain.hash {
      return find(row.sequence, "the hash is not the hash of the values")
    }
    last = row.head
  }

  /// Compares the last checked row with the head of the stream. Call this function after the last
  /// row.
  mutating func finish() {
    guard fault == nil else { return }
    guard let head = stream.head else {
      if last.sequence > stream.start.sequence {
        find(stream.start.sequence + 1, "the stream has no head")
      }
      return
    }
    if last.sequence != head.sequence {
      find(last.sequence + 1, "the row is missing; the head is row \(head.sequence)")
    } else if last.hash != head.hash {
      find(head.sequence, "the head has another hash")
    }
  }

  private mutating func find(_ sequence: Int64, _ what: String) {
    fault = "stream \(stream.stream), row \(sequence): \(what)"
  }
}
