import API
import Alarms
import Foundation
import Glibc
import Testing

@testable import HTTPServer

@Suite struct LimitTests {
  static let smallBody = Route.smallBody

  @Test func `a body of exactly the limit is accepted, and one byte more is not`() async throws {
    try await withHome(onlyMe(.admin)) { home in
      let (whole, over) = try await blocking {
        let caller = try home.caller()
        let body = String(repeating: "a", count: Self.smallBody)
        return (
          try caller.ask("POST", "/v1/alarms", body: body),
          try caller.ask("POST", "/v1/alarms", body: body + "a")
        )
      }
      #expect(whole.status == 200)
      #expect(over.status == 413 && over.has(kind: "too_large"))
      #expect(over.text.contains("\(Self.smallBody)"))
      #expect(home.visits.seen.map(\.body.count) == [Self.smallBody])
    }
  }

  @Test func `an upload has its own limit`() async throws {
    try await withHome(onlyMe(.caretaker)) { home in
      let statuses = try await blocking {
        let body = String(repeating: "a", count: Route.uploadBody)
        return [
          try home.caller().ask("PUT", "/v1/tones/dad", body: body).status,
          try home.caller().ask("PUT", "/v1/tones/dad", body: body + "a").status,
        ]
      }
      #expect(statuses == [200, 413])
      #expect(home.visits.seen.map(\.body.count) == [Route.uploadBody])
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test
  func `an endless chunked body is refused at the limit, and the client can read the refusal`()
    async throws
  {
    try await withHome(onlyMe(.admin), .with { $0.lingerSeconds = 0.5 }) { home in
      let (reply, sent) = try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
        var sent = 0
        let start = ContinuousClock.now
        while caller.send(chunk), start.duration(to: .now) < .seconds(8) { sent += 1 }
        #expect(start.duration(to: .now) < .seconds(7), "it was never cut")
        return (try caller.reply(), sent)
      }
      #expect(reply.status == 413 && reply.headers["connection"] == "close")
      #expect(sent > 4)
      #expect(home.visits.seen.isEmpty)
    }
  }

  @Test(arguments: ["Content-Length: 1048576", "Transfer-Encoding: chunked"])
  func `a client that sends too much may finish sending, and then reads the refusal`(
    framing: String
  ) async throws {
    try await withHome(onlyMe(.admin), .with { $0.lingerSeconds = 20 }) { home in
      let reply = try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\n\(framing)\r\n\r\n100000\r\n")
        let part = [UInt8](repeating: 97, count: 16_384)
        let hasSentAll = (0..<64).allSatisfy { _ in caller.send(part) }
        #expect(hasSentAll, "a broken pipe")
        return try caller.reply()
      }
      #expect(reply.status == 413)
    }
  }

  @Test func `the server does not wait for a refused body`() async throws {
    try await withHome(onlyMe(.admin)) { home in
      let reply = try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\nabc")
        let reply = try caller.reply()
        #expect(try caller.receiveToEnd().isEmpty)
        return reply
      }
      #expect(reply.status == 413)
    }
  }

  enum LargeHead: String, CaseIterable {
    case path, field, fields, names

    var text: String {
      switch self {
      case .path: "GET /\(Self.a(20_000)) HTTP/1.1\r\n\r\n"
      case .field: "GET /v1/status HTTP/1.1\r\nX: \(Self.a(20_000))\r\n\r\n"
      case .fields: "GET /v1/status HTTP/1.1\r\n\(Self.times(50, "X: \(Self.a(400))\r\n"))\r\n"
      case .names: "GET /v1/status HTTP/1.1\r\n\(Self.times(100, "a:\r\n"))\r\n"
      }
    }

    private static func a(_ count: Int) -> String { times(count, "a") }
    private static func times(_ count: Int, _ text: String) -> String {
      String(repeating: text, count: count)
    }
  }

  @Test(arguments: LargeHead.allCases)
  func `a head that is too large is refused and the connection ends`(head: LargeHead) async throws {
    try await withHome(onlyMe(.admin)) { home in
      let reply = try await blocking {
        let caller = try home.caller()
        caller.send(head.text)
        let reply = try caller.reply()
        #expect(try caller.receiveToEnd().isEmpty)
        return reply
      }
      #expect(reply.status == 431 && reply.text.contains("\"status\":431"))
      #expect(home.visits.seen.isEmpty)
    }
  }

  @Test func `a head of nearly the limit is accepted`() async throws {
    try await withHome(onlyMe(.admin)) { home in
      let status = try await blocking {
        try home.caller().ask(
          "GET", "/v1/status", headers: ["X: " + String(repeating: "a", count: 16_000)]
        ).status
      }
      #expect(status == 200)
    }
  }

  @Test func `a connection above the user's limit is refused, and fits after another has closed`()
    async throws
  {
    let limits = ServerLimits.with { $0.connectionsPerUser = 3 }
    try await withHome(onlyMe(.caretaker), limits) { home in
      try await blocking {
        var callers = try (0..<3).map { _ in try home.caller() }
        for caller in callers { #expect(try caller.ask("GET", "/v1/status").status == 200) }
        let refused = try home.caller().ask("GET", "/v1/status")
        #expect(refused.status == 429 && refused.has(kind: "limit") && refused.isProblem)
        #expect(refused.headers["retry-after"] == "1" && refused.headers["connection"] == "close")
        callers.removeLast()
        var status = 429
        for _ in 0..<100 where status == 429 {
          usleep(5_000)
          status = try home.caller().ask("GET", "/v1/status").status
        }
        #expect(status == 200)
      }
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a full server refuses connections, but an admin still gets one`() async throws {
    let limits = ServerLimits.with { $0.connections = 4 }
    for (role, places, status) in [(Role.caretaker, 4, 503), (.admin, 8, 429)] {
      try await withHome(onlyMe(role), limits) { home in
        try await blocking {
          let callers = try (0..<places).map { _ in try home.caller() }
          for caller in callers { #expect(try caller.ask("GET", "/v1/status").status == 200) }
          let refused = try home.caller().ask("GET", "/v1/status")
          #expect(refused.status == status && refused.text.contains("\"status\":\(status)"))
          #expect(refused.headers["retry-after"] == "1")
        }
      }
    }
  }

  @Test func `each of two hundred clients at once gets a response or a refusal, and nothing leaks`()
    async throws
  {
    try await withHome(onlyMe(.caretaker)) { home in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<200 {
          group.addTask {
            try await blocking {
              do { return try home.caller().ask("GET", "/v1/status").status } catch { return 0 }
            }
          }
        }
        return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
      }
      #expect(Set(statuses.keys).isSubset(of: [200, 429, 503, 0]))
      #expect(statuses[200, default: 0] >= 8)
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
      var open = 0
      // While other sockets open and close, the table of the kernel can omit a line. Therefore, the
      // test reads the table up to 20 times.
      for _ in 0..<20 where open != 1 { open = openSockets(home.path) }
      #expect(open == 1, "only the listening one is left")
      let status = try await blocking { try home.caller().ask("GET", "/v1/status").status }
      #expect(status == 200)
    }
  }
}

/// Returns the number of sockets that the kernel lists for this path: the listening socket and each
/// accepted socket.
func openSockets(_ path: String) -> Int {
  let table = open("/proc/net/unix", O_RDONLY | O_CLOEXEC)
  defer { close(table) }
  var text: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(table, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
  return String(decoding: text, as: UTF8.self).split(separator: "\n")
    .filter { $0.hasSuffix(" " + path) }.count
}
