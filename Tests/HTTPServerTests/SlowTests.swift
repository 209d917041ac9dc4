import API
import Alarms
import Foundation
import Glibc
import Testing

@testable import HTTPServer

/// Tests the deadlines with short limits. Each limit is shorter than a second, and longer than a
/// delay of a busy machine.
@Suite struct SlowTests {
  /// Returns a handler that responds to each request with this number of bytes.
  static func always(_ count: Int) -> @Sendable (APIRequest) async -> APIResponse {
    let bytes = [UInt8](repeating: 97, count: count)
    return { _ in APIResponse(status: 200, contentType: "text/plain", body: .bytes(bytes)) }
  }

  /// Sends one byte every 20 ms. Returns the time in seconds until the server closed the connection
  /// or the whole text was sent.
  static func drip(_ text: String, _ caller: Caller) -> Double {
    let start = ContinuousClock.now
    for byte in text.utf8 {
      guard caller.send([byte]) else { break }
      usleep(20_000)
    }
    return start.duration(to: .now) / .seconds(1)
  }

  @Test func `a head that arrives byte by byte is cut at its deadline`() async throws {
    let limits = ServerLimits.with { $0.headerSeconds = 0.3 }
    try await withHome(onlyMe(.admin), limits) { home in
      let seconds = try await blocking {
        let caller = try home.caller()
        let head = "GET /v1/status HTTP/1.1\r\nX: " + String(repeating: "a", count: 300)
        let seconds = Self.drip(head, caller)
        #expect(try caller.receiveToEnd().isEmpty)
        return seconds
      }
      #expect(seconds >= 0.28 && seconds < 4, "cut after \(seconds) s")
    }
  }

  @Test func `a slow head of a later request is cut, too`() async throws {
    let limits = ServerLimits.with { $0.headerSeconds = 0.3 }
    try await withHome(onlyMe(.admin), limits) { home in
      let seconds = try await blocking {
        let caller = try home.caller()
        #expect(try caller.ask("GET", "/v1/status").status == 200)
        usleep(400_000)  // The pause between two requests has a separate, longer limit.
        #expect(try caller.ask("GET", "/v1/status").status == 200)
        return Self.drip(
          "GET /v1/status HTTP/1.1\r\nX: " + String(repeating: "a", count: 300), caller)
      }
      #expect(seconds >= 0.28 && seconds < 4, "cut after \(seconds) s")
    }
  }

  @Test func `a client that sends nothing is cut`() async throws {
    let limits = ServerLimits.with { $0.headerSeconds = 0.2 }
    try await withHome(onlyMe(.admin), limits) { home in
      let rest = try await blocking { try home.caller().receiveToEnd() }
      #expect(rest.isEmpty)
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a connection that is idle for too long is closed`() async throws {
    let limits = ServerLimits.with { $0.idleSeconds = 0.2 }
    try await withHome(onlyMe(.admin), limits) { home in
      try await blocking {
        let caller = try home.caller()
        #expect(try caller.ask("GET", "/v1/status").status == 200)
        #expect(try caller.receiveToEnd().isEmpty)
      }
    }
  }

  @Test func `a body that arrives byte by byte is cut`() async throws {
    let limits = ServerLimits.with { $0.bodySeconds = 0.3 }
    try await withHome(onlyMe(.admin), limits) { home in
      let seconds = try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\nContent-Length: 1000\r\n\r\n")
        return Self.drip(String(repeating: "a", count: 300), caller)
      }
      #expect(seconds >= 0.28 && seconds < 4, "cut after \(seconds) s")
      #expect(home.visits.seen.isEmpty)
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a slow but steady body is accepted`() async throws {
    let limits = ServerLimits.with {
      $0.bodySeconds = 0.2
      $0.bodyBytesPerSecond = 4_000
    }
    try await withHome(onlyMe(.admin), limits) { home in
      let status = try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\nContent-Length: 20000\r\n\r\n")
        for _ in 0..<10 {
          caller.send(String(repeating: "a", count: 2_000))
          usleep(60_000)
        }
        return try caller.reply().status
      }
      #expect(status == 200)
      #expect(home.visits.seen.first?.body.count == 20_000)
    }
  }

  @Test func `a client that never reads a long response is cut`() async throws {
    let limits = ServerLimits.with { $0.writeStallSeconds = 0.3 }
    let answer = Self.always(8 << 20)
    try await withHome(onlyMe(.admin), limits, handle: answer) { home in
      let caller = try await blocking {
        let caller = try home.caller()
        caller.send("GET /v1/log HTTP/1.1\r\n\r\n")
        return caller
      }
      while home.visits.seen.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
      let bytes = try await blocking { try caller.receiveToEnd().count }
      #expect(bytes > 0 && bytes < 8 << 20)
    }
  }

  @Test func `a client that sends requests and never reads is cut, and memory stays bounded`()
    async throws
  {
    let limits = ServerLimits.with { $0.writeStallSeconds = 0.3 }
    let answer = Self.always(10_000)
    try await withHome(onlyMe(.admin), limits, handle: answer) { home in
      try await blocking {
        let caller = try home.caller()
        let many = String(repeating: "GET /v1/log HTTP/1.1\r\n\r\n", count: 1000)
        let start = ContinuousClock.now
        while caller.send(many), start.duration(to: .now) < .seconds(8) {}
        #expect(start.duration(to: .now) < .seconds(7), "it was never cut")
      }
      #expect(home.visits.seen.count < 1000, "each answer waits until the one before has gone")
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a slow client that keeps reading gets the whole response`() async throws {
    let limits = ServerLimits.with { $0.writeStallSeconds = 0.8 }
    let answer = Self.always(2 << 20)
    try await withHome(onlyMe(.admin), limits, handle: answer) { home in
      let reply = try await blocking {
        let caller = try home.caller()
        caller.send("GET /v1/log HTTP/1.1\r\nConnection: close\r\n\r\n")
        var all: [UInt8] = []
        while let some = caller.receive(), !some.isEmpty {
          all += some
          usleep(30_000)
        }
        return all
      }
      #expect(reply.count > 2 << 20)
    }
  }

  /// After each pause, the client reads about 9 KiB. This is slightly more than one piece of the
  /// response. All pauses together are longer than the limit. In most pauses, the kernel accepts no
  /// new piece.
  @Test(arguments: [true, false])
  func `a client that reads one piece within the limit is never cut`(
    isStream: Bool
  ) async throws {
    let limits = ServerLimits.with { $0.writeStallSeconds = 0.8 }
    let size = 600 << 10
    let answer: @Sendable (APIRequest) async -> APIResponse = { request in
      guard isStream else { return await Self.always(size)(request) }
      let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
        for _ in 0..<6 { continuation.yield([UInt8](repeating: 97, count: size / 6)) }
        continuation.finish()
      }
      return APIResponse(status: 200, contentType: "text/plain", body: .stream(chunks))
    }
    try await withHome(onlyMe(.admin), limits, handle: answer) { home in
      let read = try await blocking {
        let caller = try home.caller()
        caller.send("GET /v1/log HTTP/1.1\r\nConnection: close\r\n\r\n")
        var all: [UInt8] = []
        // The loop takes 2.5 s, which is three times the limit of 0.8 s.
        for _ in 0..<10 {
          usleep(250_000)
          var piece = 0
          while piece < 9 << 10, let some = caller.receive(atMost: (9 << 10) - piece), !some.isEmpty
          {
            all += some
            piece += some.count
          }
        }
        return all + (try caller.receiveToEnd())
      }
      #expect(read.filter { $0 == 97 }.count >= size / 6 * 6)
    }
  }

  @Test func `a client that stays after its last response is disconnected`() async throws {
    let limits = ServerLimits.with { $0.lingerSeconds = 0.2 }
    try await withHome(onlyMe(.admin), limits) { home in
      let caller = try await blocking {
        let caller = try home.caller()
        caller.send("GET /v1/status HTTP/1.1\r\nConnection: close\r\n\r\n")
        _ = try caller.receiveToEnd()
        return caller
      }
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
      #expect(!caller.send("x"))
    }
  }
}
