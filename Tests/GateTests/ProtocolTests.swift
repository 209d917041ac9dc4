import Alarms
import Foundation
import Testing
import Wire

@testable import Gate

@Suite struct ProtocolTests {
  /// Answers with what was understood.
  static let echo: @Sendable (WireRequest) async -> WireResponse = { request in
    .json(
      .object([
        ("operation", .string(request.operation.rawValue)),
        ("id", .optional(request.parameters["id"])),
        ("query", .string(request.query.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined())),
        ("body", .string(String(decoding: request.body, as: UTF8.self))),
      ]))
  }

  @Test func `path, query, headers and body come through, percent-decoded`() async throws {
    try await withHome(onlyMe(.admin), handle: Self.echo) { home in
      let replies = try await blocking {
        let caller = try home.caller()
        return [
          try caller.ask("GET", "/v1/prompts/k3v9%402026-12-01T08%3a00:00~2"),
          try caller.ask("GET", "/v1/log?after=5&limit=1%20%2b+1"),
          try caller.ask("GET", "http://home/v1/log?after=7"),
          try caller.ask("GET", "/v1/log?"),
          try caller.ask(
            "POST", "/v1/alarms", headers: ["Idempotency-Key: a1", "X-List: a", "x-list: b"],
            body: "{\"é\":1}"),
        ]
      }
      #expect(replies.allSatisfy { $0.status == 200 && $0.headers["cache-control"] == "no-store" })
      #expect(replies[0].text.contains("\"k3v9@2026-12-01T08:00:00~2\""))
      #expect(home.visits.seen[1].query == ["after": "5", "limit": "1 ++1"])
      #expect(home.visits.seen[2].query == ["after": "7"])
      #expect(home.visits.seen[3].query == [:])
      #expect(home.visits.seen[4].headers["idempotency-key"] == "a1")
      #expect(home.visits.seen[4].headers["x-list"] == "a, b")
      #expect(home.visits.seen[4].body == Array("{\"é\":1}".utf8))
    }
  }

  @Test func `a path that nobody has is 404, a method it does not take is 405 with the ones it does`()
    async throws
  {
    try await withHome(onlyMe(.monitor)) { home in
      let (missing, wrong, head, next) = try await blocking {
        let caller = try home.caller()
        return (
          try caller.ask("GET", "/v2/status"), try caller.ask("DELETE", "/v1/alarms"),
          try Self.head(caller, "/v1/status"), try caller.ask("GET", "/v1/status")
        )
      }
      #expect(missing.status == 404 && missing.has(kind: "not_found"))
      #expect(wrong.status == 405 && wrong.has(kind: "method_not_allowed"))
      #expect(wrong.headers["allow"] == "GET, POST")
      #expect(head.status == 405 && head.headers["allow"] == "GET")
      #expect(next.status == 200, "the body of the answer to HEAD was in the way")
      #expect(home.visits.denied.isEmpty)
    }
  }

  private static func head(_ caller: Caller, _ target: String) throws -> Caller.Reply {
    caller.send("HEAD \(target) HTTP/1.1\r\n\r\n")
    return try caller.reply(hasBody: false)
  }

  @Test(arguments: [
    ("/v1/log?bogus=1", 422, "unknown_field", "bogus"),
    ("/v1/status?limit=1", 422, "unknown_field", "limit"),
    ("/v1/log?after=1&after=2", 422, "invalid_field", "after"),
    ("/v1/log?af%74er=1&after=2", 422, "invalid_field", "after"),
    ("/v1/log?after=1&", 422, "unknown_field", ""),
    ("/v1/log?after=%zz", 400, "malformed", nil),
    ("/v1/log?after=%ff", 400, "malformed", nil),
    ("/v1/log?after=%0a", 422, "invalid_field", "after"),
    ("/v1/prompts/a%00b", 422, "invalid_field", "id"),
    ("/v1/prompts/%e2%28%a1", 404, "not_found", nil),
    ("/v1/prompts/", 404, "not_found", nil),
    ("/v1/../v1/status", 404, "not_found", nil),
  ] as [(String, Int, String, String?)])
  func `a bad path or query is refused by name`(
    target: String, status: Int, kind: String, field: String?
  ) async throws {
    try await withHome(onlyMe(.admin)) { home in
      let reply = try await blocking { try home.caller().ask("GET", target) }
      #expect(reply.status == status && reply.has(kind: kind) && reply.isProblem)
      if let field { #expect(reply.text.contains("\"field\":\"\(field)\"")) }
      #expect(home.visits.seen.isEmpty)
    }
  }

  @Test func `pipelined requests are answered in order`() async throws {
    try await withHome(onlyMe(.admin), handle: Self.echo) { home in
      let replies = try await blocking {
        let caller = try home.caller()
        caller.send(
          (0..<50).map { "GET /v1/prompts/p\($0) HTTP/1.1\r\n\r\n" }.joined()
            + "GET /nothing HTTP/1.1\r\n\r\n"
            + "POST /v1/alarms HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
            + "GET /v1/status HTTP/1.1\r\nConnection: close\r\n\r\n")
        let replies = try (0..<53).map { _ in try caller.reply() }
        #expect(try caller.receiveToEnd().isEmpty)
        return replies
      }
      for (index, reply) in replies.prefix(50).enumerated() {
        #expect(reply.text.contains("\"id\":\"p\(index)\""))
      }
      #expect(replies[50].status == 404)
      #expect(replies[51].text.contains("\"body\":\"hi\""))
      #expect(replies[52].headers["connection"] == "close")
    }
  }

  @Test func `a caller that has closed its sending side still gets its answer`() async throws {
    try await withHome(
      onlyMe(.admin),
      handle: { request in
        do { try await Task.sleep(for: .milliseconds(100)) } catch { Issue.record(error) }
        return await Self.echo(request)
      }
    ) { home in
      try await blocking {
        let caller = try home.caller()
        caller.send("GET /v1/status HTTP/1.1\r\n\r\nGET /v1/agenda HTTP/1.1\r\n\r\n")
        caller.endSending()
        #expect(try caller.reply().text.contains("\"operation\":\"status\""))
        #expect(try caller.reply().text.contains("\"operation\":\"agenda\""))
        #expect(try caller.receiveToEnd().isEmpty)
      }
    }
  }

  @Test func `a caller that leaves in the middle of a request does not undo it`() async throws {
    let (done, finish) = AsyncStream<Bool>.makeStream()
    try await withHome(
      onlyMe(.admin),
      handle: { request in
        do { try await Task.sleep(for: .milliseconds(100)) } catch { Issue.record(error) }
        finish.yield(!Task.isCancelled)
        return await Self.echo(request)
      }
    ) { home in
      try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
      }
      var results = done.makeAsyncIterator()
      #expect(await results.next() == true)
      #expect(try await home.isEmptySoon())
    }
  }

  @Test func `who asks for leave to send a body gets it, or its refusal at once`() async throws {
    try await withHome(onlyMe(.caretaker), handle: Self.echo) { home in
      let (go, answer, refused) = try await blocking {
        let caller = try home.caller()
        let head = "HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        caller.send("POST /v1/alarms " + head)
        let go = try caller.reply()
        caller.send("ok")
        let answer = try caller.reply()
        caller.send("POST /v1/nothing " + head)
        return (go, answer, try caller.reply())
      }
      #expect(go.status == 100)
      #expect(answer.status == 200 && answer.text.contains("\"body\":\"ok\""))
      #expect(refused.status == 404 && refused.headers["connection"] == "close")
    }
  }

  @Test(arguments: [
    "garbage\r\n\r\n", "GET /v1/status HTTP/1.0\r\n\r\n", "GET /v1/status HTTP/2.0\r\n\r\n",
    "GET /v1/status\r\n\r\n", "GET /v1/status HTTP/1.1\r\nno colon\r\n\r\n",
    "POST /v1/alarms HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "POST /v1/alarms HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "POST /v1/alarms HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "POST /v1/alarms HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
  ])
  func `what is not HTTP is told so, and the connection ends`(bytes: String) async throws {
    try await withHome(onlyMe(.admin)) { home in
      let reply = try await blocking {
        let caller = try home.caller()
        caller.send(bytes)
        let reply = try caller.reply()
        #expect(try caller.receiveToEnd().isEmpty)
        return reply
      }
      #expect(reply.status == 400 && reply.has(kind: "malformed"))
      #expect(reply.headers["connection"] == "close")
      #expect(home.visits.seen.isEmpty)
    }
  }

  @Test func `garbage after a good request does not take its answer away`() async throws {
    try await withHome(
      onlyMe(.admin),
      handle: { request in
        do { try await Task.sleep(for: .milliseconds(50)) } catch { Issue.record(error) }
        return await Self.echo(request)
      }
    ) { home in
      let statuses = try await blocking {
        let caller = try home.caller()
        caller.send("GET /v1/status HTTP/1.1\r\n\r\n\u{1}\u{2}garbage\r\n\r\n")
        let statuses = [try caller.reply().status, try caller.reply().status]
        #expect(try caller.receiveToEnd().isEmpty)
        return statuses
      }
      #expect(statuses == [200, 400])
    }
  }
}
