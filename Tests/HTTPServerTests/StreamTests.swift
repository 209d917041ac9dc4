import API
import Alarms
import Foundation
import Glibc
import JSONValue
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct StreamTests {
  struct DiskFailed: Error {}

  /// A source of chunks that knows when its reader has left.
  final class Source: Sendable {
    let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
    private let waiting: Mutex<APIResponse?>
    private let ended = Mutex(false)

    init() {
      let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
      self.continuation = continuation
      waiting = Mutex(
        APIResponse(status: 200, contentType: "text/plain", body: .stream(stream)))
      continuation.onTermination = { [weak self] _ in self?.ended.withLock { $0 = true } }
    }

    /// Returns the response only once and does not keep it. A stream ends when no code refers to
    /// it.
    @Sendable func respond(_ request: APIRequest) async -> APIResponse {
      waiting.withLock { $0.take() } ?? .json(.null)
    }

    func hasEndedSoon() async throws -> Bool {
      for _ in 0..<500 {
        if ended.withLock({ $0 }) { return true }
        try await Task.sleep(for: .milliseconds(10))
      }
      return false
    }
  }

  static func ask(_ caller: Caller) { caller.send("GET /v1/log HTTP/1.1\r\n\r\n") }

  @Test func `chunks are sent as they come, and the connection stays for the next request`()
    async throws
  {
    let source = Source()
    try await withHome(onlyMe(.admin), handle: source.respond) { home in
      try await blocking {
        let caller = try home.caller()
        Self.ask(caller)
        var text: [UInt8] = []
        for chunk in ["one", "two", ""] {
          source.continuation.yield(Array(chunk.utf8))
          while !chunk.isEmpty, !text.ends(with: "3\r\n\(chunk)\r\n") {
            text += try #require(caller.receive())
          }
        }
        source.continuation.finish()
        while !text.ends(with: "0\r\n\r\n") { text += try #require(caller.receive()) }
        #expect(String(decoding: text, as: UTF8.self).contains("transfer-encoding: chunked"))
        #expect(try caller.ask("GET", "/nothing").status == 404)
      }
    }
  }

  @Test func `an error in the middle cuts the connection before the last chunk`() async throws {
    let source = Source()
    source.continuation.yield(Array("half".utf8))
    source.continuation.finish(throwing: DiskFailed())
    try await withHome(onlyMe(.admin), handle: source.respond) { home in
      let text = try await blocking {
        let caller = try home.caller()
        Self.ask(caller)
        return try caller.receiveToEnd()
      }
      #expect(text.ends(with: "4\r\nhalf\r\n"))
    }
  }

  @Test func `a stream without data ends when its reader leaves`() async throws {
    let source = Source()
    try await withHome(onlyMe(.admin), handle: source.respond) { home in
      try await blocking {
        let caller = try home.caller()
        Self.ask(caller)
        _ = try #require(caller.receive())
      }
      let hasEnded = try await source.hasEndedSoon()
      #expect(hasEnded)
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a stream ends if its reader left before the first chunk`() async throws {
    let source = Source()
    let handle: @Sendable (APIRequest) async -> APIResponse = { request in
      _ = await slowEcho(request)
      return await source.respond(request)
    }
    try await withHome(onlyMe(.admin), handle: handle) { home in
      try await blocking {
        let caller = try home.caller()
        Self.ask(caller)
      }
      try await Task.sleep(for: .milliseconds(150))
      source.continuation.yield([1])
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a stalled reader of a stream is cut, and the source stops`() async throws {
    let source = Source()
    for _ in 0..<64 { source.continuation.yield([UInt8](repeating: 97, count: 65536)) }
    let limits = ServerLimits.with { $0.writeStallSeconds = 0.3 }
    try await withHome(onlyMe(.admin), limits, handle: source.respond) { home in
      let caller = try await blocking {
        let caller = try home.caller()
        Self.ask(caller)
        return caller
      }
      let hasEnded = try await source.hasEndedSoon()
      #expect(hasEnded)
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
      let bytes = try await blocking { try caller.receiveToEnd().count }
      #expect(bytes > 0 && bytes < 64 * 65536)
    }
  }

  @Test func `a stream of many large chunks arrives complete`() async throws {
    let source = Source()
    for index in 0..<40 {
      source.continuation.yield([UInt8](repeating: UInt8(index), count: 100_000))
    }
    source.continuation.finish()
    try await withHome(onlyMe(.admin), handle: source.respond) { home in
      let curl = try await blocking {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["curl", "-sS", "--unix-socket", home.path, "http://home/v1/log"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return [UInt8](bytes)
      }
      #expect(curl == (0..<40).flatMap { [UInt8](repeating: UInt8($0), count: 100_000) })
    }
  }
}
