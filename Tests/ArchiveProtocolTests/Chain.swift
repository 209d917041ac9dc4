import ArchiveProtocol
import JSONValue
import MessageDigest

/// A hash chain of rows in the form in which a home records rows.
struct Chain {
  var rows: [ArchiveRow] = []

  var head: ArchiveHead { rows.last?.head ?? .genesis }

  /// Returns the head of the chain after `count` rows.
  func head(at count: Int) -> ArchiveHead { count == 0 ? .genesis : rows[count - 1].head }

  /// Returns the chain with `count` more rows. If two chains have a different `history`, their new
  /// rows are different.
  func adding(_ count: Int, history: String = "a") -> Chain {
    var chain = self
    for _ in 0..<count { chain.add(history) }
    return chain
  }

  private mutating func add(_ history: String) {
    rows.append(.plain(row(after: head, payload: #"{"history":"\#(history)","é":"\n"}"#)))
  }

  /// Returns the chain in which the rows with the given numbers are sealed.
  func sealing(_ isSealed: (Int64) -> Bool) -> Chain {
    Chain(rows: rows.map { isSealed($0.sequence) ? .sealed($0.sealed) : $0 })
  }

  /// Returns the part of a stream that the archive has stored: the rows after `start`, up to `end`.
  func stored(from start: Int = 0, through end: Int) -> StoredStream {
    guard end > start else { return .empty }
    var stream = StoredStream(start: head(at: start), head: head(at: end))
    for row in rows[start..<end] { stream.hashes[row.sequence] = row.hash }
    return stream
  }
}

/// Returns the row after the row of a head. Without the argument `hash`, the new row has the
/// correct hash.
func row(after head: ArchiveHead, payload: String = "{}", hash: String? = nil) -> PlainRow {
  var cells: [RowCell] = [
    .integer(head.sequence + 1), .text("event-\(head.sequence + 1)"), .integer(1), .text("S-1"),
    .text("P-00000001"), .text("D-00000001"), .null, .text("heartbeat"), .null, .null, .null,
    .null, .null, .text("system"), .text("prompterd"), .text("timer"), .integer(1_800_000_000_000),
    .text("Europe/Berlin"), .integer(3_600), .text("2026a"), .text("boot"), .integer(-5),
    .text("synced"), .integer(20), .text(payload), .null, .text(head.hash),
    .text(String(repeating: "0", count: 64)),
  ]
  cells[27] = .text(hash ?? SHA256Digest.hex(RowEncoding.bytes(cells.dropLast())))
  do {
    return try PlainRow(cells: cells)
  } catch {
    preconditionFailure("\(error)")
  }
}

func decide(
  _ stream: StoredStream, _ after: ArchiveHead, _ rows: some Sequence<ArchiveRow>
) -> AppendDecision {
  AppendDecision.decide(
    stream: stream, after: after, rows: Array(rows), digest: SHA256Digest.hex)
}
