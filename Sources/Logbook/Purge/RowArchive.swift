import Alarms
import GRDB
import JSONValue
import MessageDigest
import Synchronization

/// Rows of the record in one file that proves itself: JSON, one document a line.
///
/// The first line says which rows, and the hashes before the first and of the last of them. Each further line is a
/// row: its columns in the order in which `EventRow` hashes them, the payload as the text that was hashed, then the
/// salt and the body of its free text, where there are any. The same rows give the same bytes.
///
/// Nothing is held in memory but a page of rows, and nothing is written to the disk: it may be full.
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

  /// - Parameter sequence: the last row; the first is the one after what was purged before.
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

  /// How many rows there are in it.
  public var rows: Int64 { last.sequence - first.sequence }

  /// The next piece; nil after its end.
  ///
  /// - Throws: `.corrupt` where a row does not follow.
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

  /// The SHA-256 of the whole file, in hex; takes all of it.
  public func digest() throws(LogbookError) -> String {
    var digest = SHA256Digest()
    while let bytes = try next() { digest.update(bytes) }
    return hexadecimal(digest.finish())
  }
}

extension Logbook {
  /// The rows that a purge up to `sequence` would take, and those between them that it would leave.
  public func rowArchive(through sequence: Int64) throws(LogbookError) -> RowArchive {
    try RowArchive(self, through: sequence)
  }
}

extension EventRow {
  /// The row as an archive has it: every column as it was hashed.
  fileprivate var archived: JSON {
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
