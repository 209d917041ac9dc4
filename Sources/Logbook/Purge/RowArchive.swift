import Alarms
import ArchiveProtocol
import GRDB
import JSONValue
import MessageDigest
import Synchronization

/// An archive: a file with rows of the record, one JSON document in each line.
///
/// A reader can verify the file without the record. The first line contains the sequence numbers
/// and the hashes of two rows: the row before the first row of the file, and the last row of the
/// file. Each line after the first line is one row. The columns of the row have the same order as
/// in the hash of `EventRow`. The payload is exactly the text that was hashed. If the row has
/// content, the line ends with two additional members: `salt` is the salt of the content, and
/// `body` is the content. Two archives of the same rows are equal byte for byte.
///
/// The daemon reads the archive in pieces of at most 500 rows, and keeps only one piece in memory.
/// The daemon sends the archive to the client, and never writes the archive to the disk of the
/// device. Therefore a purge also works if this disk is full.
public final class RowArchive: Sendable {
  private struct State {
    var chain: ChainProof
    var hasBegun = false
  }

  private static let pageRows = 500
  private let logbook: Logbook
  private let first: Logbook.Head
  private let last: Logbook.Head
  private let state: Mutex<State>

  /// - Parameter sequence: the sequence number of the last row of the archive. The archive begins
  ///   with the first row that no earlier purge covered.
  fileprivate init(_ logbook: Logbook, through sequence: Int64) throws(LogbookError) {
    self.logbook = logbook
    let ends = try logbook.reading("archive the record") { db in
      func head(_ sequence: Int64) throws -> Logbook.Head? {
        if sequence == 0 { return (0, EventRow.genesis) }
        return try String.fetchOne(
          db, sql: "SELECT hash FROM events WHERE seq = ?", arguments: [sequence]
        ).map { (sequence, $0) }
      }
      let after = try PurgeInForce.find(in: db)?.purge.throughSequence ?? 0
      guard sequence > after, let first = try head(after), let last = try head(sequence) else {
        throw LogbookError.notFound("row \(sequence), or it was purged")
      }
      return (first: first, last: last)
    }
    (first, last) = ends
    state = Mutex(State(chain: ChainProof(first)))
  }

  /// The number of rows in the archive.
  public var rows: Int64 { last.sequence - first.sequence }

  /// Returns the next piece of the file; nil after the end of the file.
  ///
  /// - Throws: `.corrupt` if a row does not continue the hash chain.
  public func next() throws(LogbookError) -> [UInt8]? {
    try state.withLock { state throws(LogbookError) in
      if !state.hasBegun {
        state.hasBegun = true
        return head
      }
      if state.chain.head.sequence == last.sequence { return nil }
      return try page(&state.chain)
    }
  }

  private var head: [UInt8] {
    let document = JSON.object([
      ("format", .string("prompter-archive")), ("version", .integer(1)),
      ("after_seq", .integer(first.sequence)), ("after_hash", .string(first.hash)),
      ("through_seq", .integer(last.sequence)), ("through_hash", .string(last.hash)),
    ])
    return Array("\(document)\n".utf8)
  }

  private func page(_ chain: inout ChainProof) throws(LogbookError) -> [UInt8] {
    var proof = chain
    let bytes = try logbook.reading("archive the record") { db in
      var bytes: [UInt8] = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(EventRow.selection), c.salt, c.body FROM events e LEFT JOIN contents c USING (seq)
          WHERE e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?
          """, arguments: [proof.head.sequence, last.sequence, Self.pageRows])
      while let row = try rows.next() {
        if let problem = try proof.add(row) {
          throw LogbookError.corrupt(doing: "archive the record", reason: problem)
        }
        bytes += Array("\(try Self.document(row))\n".utf8)
      }
      return bytes
    }
    guard proof.head.sequence > chain.head.sequence else {
      throw .corrupt(
        doing: "archive the record", reason: "row \(chain.head.sequence + 1) is missing")
    }
    chain = proof
    return bytes
  }

  private static func document(_ row: Row) throws -> JSON {
    let cells = RowReader(row, of: "contents")
    let width = EventRow.columnNames.count
    var document = try EventRow(row).archived
    if let salt = try cells.optionalText(width), let body = try cells.optionalText(width + 1) {
      document.set("salt", .string(salt))
      document.set("body", .string(body))
    }
    return document
  }

  /// Reads the rest of the archive. Returns the SHA-256 of the bytes that this call read, in
  /// lower-case hex.
  public func digest() throws(LogbookError) -> String {
    var digest = SHA256Digest()
    while let bytes = try next() { digest.update(bytes) }
    return hexadecimal(digest.finish())
  }
}

extension Logbook {
  /// Creates the archive for a planned purge. The archive contains all rows after the range of the
  /// newest purge, up to row `sequence`. The archive also contains the rows that the planned purge
  /// keeps in the record.
  public func rowArchive(through sequence: Int64) throws(LogbookError) -> RowArchive {
    try RowArchive(self, through: sequence)
  }
}

extension EventRow {
  /// The row as a JSON document for an archive. The value of each column is exactly the value that
  /// the hash covers.
  var archived: JSON {
    .object(
      zip(Self.columnNames, cells).map { name, cell in
        switch cell {
        case .null: (name, .null)
        case .integer(let value): (name, .integer(value))
        case .text(let text): (name, .string(text))
        }
      })
  }
}
