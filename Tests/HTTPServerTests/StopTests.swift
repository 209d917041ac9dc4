import API
import Alarms
import Foundation
import Glibc
import Logging
import Testing

@testable import HTTPServer

@Suite struct StopTests {
  @Test func `a graceful stop finishes the running request and accepts no new one`() async throws {
    try await withHome(onlyMe(.admin), handle: slowEcho) { home in
      let asking = Task {
        try await blocking {
          let caller = try home.caller()
          caller.send("GET /v1/status HTTP/1.1\r\n\r\nGET /v1/agenda HTTP/1.1\r\n\r\n")
          let reply = try caller.reply()
          return (reply, try caller.receiveToEnd())
        }
      }
      while home.visits.seen.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      await home.stop()
      let (reply, rest) = try await asking.value
      #expect(reply.status == 200 && reply.headers["connection"] == "close")
      #expect(rest.isEmpty)
      #expect(home.visits.seen.map(\.operation) == [.status])
      // If another test forks a child process, this child process has a copy of the listening
      // socket until it executes a program. Therefore, the test tries to connect for up to one
      // second.
      var answers = true
      for _ in 0..<100 where answers {
        do { _ = try home.caller() } catch { answers = false }
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(!answers)
    }
  }

  @Test func `a graceful stop closes idle and slow connections`() async throws {
    try await withHome(onlyMe(.admin)) { home in
      let callers = try await blocking {
        let callers = try (0..<3).map { _ in try home.caller() }
        _ = try callers[0].ask("GET", "/v1/status")
        callers[1].send("GET /v1/sta")
        return callers
      }
      await home.stop()
      let rest = try await blocking { try callers.map { try $0.receiveToEnd() } }
      #expect(rest == [[], [], []])
    }
  }

  @Test func `a body that arrives during the stop is still accepted`() async throws {
    try await withHome(onlyMe(.admin), handle: echo) { home in
      let reply = try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try caller.reply().status == 100)
        return caller
      }
      await home.stop()
      let answer = try await blocking {
        reply.send("ok")
        return try reply.reply()
      }
      #expect(answer.status == 200 && answer.text.contains("\"body\":\"ok\""))
    }
  }

  @Test func `a cancellation disconnects every client`() async throws {
    let directory = try temporaryDirectory()
    defer { removeDirectory(directory) }
    let server = Server(
      socket: try ListeningSocket.bind(path: directory + "/s", mode: 0o600),
      identities: onlyMe(.admin), limits: .standard,
      logger: Logger(label: "server", factory: { _ in SwiftLogNoOpLogHandler() }),
      handle: { _ in
        let (stream, _) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        return APIResponse(status: 200, contentType: "text/plain", body: .stream(stream))
      }, onDenied: { _, _, _ in })
    let running = Task { try await server.run() }
    let caller = try await blocking {
      let caller = try Caller(directory + "/s")
      caller.send("GET /v1/log HTTP/1.1\r\n\r\n")
      _ = try #require(caller.receive())
      return caller
    }
    running.cancel()
    try await running.value
    let rest = try await blocking { try caller.receiveToEnd() }
    #expect(rest.isEmpty)
    #expect(server.limiter.held == (0, 0, 0, 0, 0))
  }
}
