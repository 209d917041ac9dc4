import ArchiveProtocol
import JSONValue
import Testing

struct ReplyTests {
  private let hash = String(repeating: "a1", count: 32)

  @Test func `a head is read only in its one form`() {
    #expect(ArchiveHead(parsing: "12-\(hash)") == ArchiveHead(sequence: 12, hash: hash))
    #expect(ArchiveHead(parsing: "\(ArchiveHead.genesis)") == .genesis)
    for text in [
      "", "-", "12", "12-", "-\(hash)", "012-\(hash)", "+12-\(hash)", "-1-\(hash)", "12-\(hash)a",
      "12-\(hash.uppercased())", " 12-\(hash)", "12-\(hash)-", "9223372036854775808-\(hash)",
      "١٢-\(hash)",
    ] {
      #expect(ArchiveHead(parsing: text) == nil, "\(text)")
    }
  }

  @Test func `a reply is read as it was written`() {
    let head = ArchiveHead(sequence: 3, hash: hash)
    for state in StreamStatus.State.allCases {
      for (head, safe) in [(nil, nil), (head, nil), (head, head)] as [(ArchiveHead?, ArchiveHead?)]
      {
        let status = StreamStatus(head: head, safeHead: safe, state: state)
        #expect(StreamStatus(status.json) == status)
      }
    }
    let reply = EnrolmentReply(home: "7", site: "A", study: "S", stream: "s", words: "rows")
    #expect(EnrolmentReply(reply.json) == reply)
  }

  @Test func `a reply of another program is refused`() {
    let good = StreamStatus(head: nil, safeHead: nil, state: .collecting).json
    for (name, value) in [
      ("head", JSON.integer(3)), ("head", .string("3")), ("safe_head", .bool(false)),
      ("state", .string("other")),
    ] {
      var bad = good
      bad.set(name, value)
      #expect(StreamStatus(bad) == nil)
    }
    #expect(StreamStatus(.null) == nil)
    #expect(StreamStatus(.object([("state", .string("collecting"))])) == nil)
    var more = good
    more.set("later", .integer(1))
    #expect(StreamStatus(more) != nil)
  }
}
