import Synchronization
import Testing

@testable import ClientKit

@Suite struct `An event stream` {
  private final class Heard: Sendable {
    let events = Mutex<[EventStreamReader.ServerSentEvent]>([])
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `is read however it is cut`(size: Int) throws {
    let heard = Heard()
    let reader = EventStreamReader { event in heard.events.withLock { $0.append(event) } }
    let text =
      "id: 7\r\nevent: due\ndata: {\"a\":1}\n\n: nothing new\nid:8\ndata:one\ndata: two\n\n\n"
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      try reader.take(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    let events = heard.events.withLock { $0 }
    #expect(events.map(\.sequence) == [7, 8])
    #expect(events.map(\.data) == ["{\"a\":1}", "one\ntwo"])
  }

  @Test func `with a line that has no end is refused`() throws {
    let reader = EventStreamReader { _ in }
    #expect(throws: Failure.self) {
      try reader.take([UInt8](repeating: UInt8(ascii: "x"), count: (1 << 20) + 1))
    }
  }

  @Test func `ends with the error of its reader`() {
    let reader = EventStreamReader { _ in throw StreamEnd() }
    #expect(throws: StreamEnd.self) { try reader.take(Array("data: x\n\n".utf8)) }
  }
}
