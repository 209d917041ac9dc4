import ArchiveProtocol
import JSONValue
import Testing

@testable import StudyLink

@Suite struct `A batch of rows` {
  private static func line(_ sequence: Int, size: Int = 0) -> [UInt8] {
    let hash = { (number: Int) in String(repeating: "\(number % 10)", count: 64) }
    let filler = String(repeating: "x", count: size)
    return Array(
      #"{"seq":\#(sequence),"prev_hash":"\#(hash(sequence - 1))","hash":"\#(hash(sequence))","x":"\#(filler)"}"#
        .utf8)
  }

  private func batch(_ lines: [[UInt8]], after head: ArchiveHead?) throws -> Batch {
    try Batch(lines.map { $0[...] }, after: head)
  }

  @Test func `follows the row that the home has before it, whatever the archive has`() throws {
    let other = ArchiveHead(sequence: 4, hash: String(repeating: "f", count: 64))
    for head in [other, nil] {
      let found = try batch([Self.line(5), Self.line(6)], after: head)
      #expect(found.after.description == "4-" + String(repeating: "4", count: 64))
      #expect(found.rows == 2 && found.body.last == UInt8(ascii: "\n"))
    }
    #expect(try batch([], after: other).after == other)
    #expect(try batch([], after: nil).after == .genesis)
  }

  @Test func `has at most 1,000 rows and one mebibyte`() throws {
    let many = (1...1_001).map { Self.line($0) }
    #expect(try batch(many, after: nil).rows == 1_000)
    let large = (1...30).map { Self.line($0, size: 60_000) }
    let found = try batch(large, after: nil)
    #expect(found.rows > 10 && found.rows < 30 && found.body.count <= ArchiveLimits.bytes)
  }

  @Test func `is refused if the first row is too large`() throws {
    let large = Self.line(1, size: ArchiveLimits.bytes)
    #expect(throws: LinkError.self) { try batch([large, Self.line(2)], after: nil) }
    #expect(try batch([Self.line(1), large], after: nil).rows == 1)
  }

  @Test(arguments: ["", "x", "{}", #"{"seq":1}"#, #"{"prev_hash":"a"}"#, "[1]"])
  func `is refused if the first line is not a row`(line: String) {
    #expect(throws: (any Error).self) { try batch([Array(line.utf8)], after: nil) }
  }
}

@Suite struct `A reply of the archive` {
  private static let head = "7-" + String(repeating: "a", count: 64)

  @Test(arguments: [
    (200, #"{"head":"\#(head)","safe_head":null,"state":"collecting"}"#, "stored"),
    (409, #"{"head":"\#(head)","safe_head":null,"state":"collecting"}"#, "goOn"),
    (423, #"{"kind":"fork","stream":"abc"}"#, "fork"), (423, #"{"kind":"fork"}"#, "refused"),
    (404, "{}", "closed"), (410, #"{"detail":"withdrawn"}"#, "closed"), (422, "{}", "refused"),
    (400, "", "refused"), (413, "{}", "refused"), (429, "{}", "later"), (500, "<html>", "later"),
    (502, "", "later"), (503, "{}", "later"),
    // These replies do not come from the archive, but from another server or a proxy. The archive
    // has therefore not stored the rows.
    (200, "<html>", "refused"), (200, "{}", "refused"), (204, "", "refused"), (302, "", "refused"),
    (200, #"{"head":"7-xyz","safe_head":null,"state":"collecting"}"#, "refused"),
  ]) func `means what the protocol says`(status: Int, body: String, meaning: String) {
    let reply = HTTPCall.Reply(status: status, body: Array(body.utf8), retryAfter: 9)
    let answer = ArchiveClient.answer(reply)
    #expect("\(answer)".hasPrefix(meaning), "\(answer)")
    if case .later(_, let pause) = answer { #expect(pause == 9) }
  }
}
