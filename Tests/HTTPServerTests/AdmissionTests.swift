import API
import Alarms
import Foundation
import Testing

@testable import HTTPServer

@Suite struct AdmissionTests {
  @Test func `path, query, headers and body arrive percent-decoded`() async throws {
    try await withHome(onlyMe(.admin), handle: echo) { home in
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

  @Test func `a request says which kind of program sent it, and gets no rights from that`()
    async throws
  {
    try await withHome(onlyMe(.patient), handle: echo) { home in
      let named = ["screen", "button", "cli", "web"]
      let replies = try await blocking {
        let caller = try home.caller()
        return try named.map {
          try caller.ask("GET", "/v1/prompts", headers: ["Prompter-Client: \($0)"])
        } + [
          try caller.ask("GET", "/v1/prompts"),
          try caller.ask("GET", "/v1/prompts", headers: ["Prompter-Client: admin"]),
          try caller.ask("GET", "/v1/prompts", headers: ["Prompter-Client: web, screen"]),
          try caller.ask("GET", "/v1/prompts", headers: ["Prompter-Client: "]),
          try caller.ask("GET", "/v1/alarms", headers: ["Prompter-Client: web"]),
        ]
      }
      #expect(replies.map(\.status) == [200, 200, 200, 200, 200, 422, 422, 422, 403])
      #expect(replies[5].has(kind: "invalid_field") && replies[5].text.contains("Prompter-Client"))
      #expect(home.visits.seen.map(\.actor.source) == named + ["socket"])
      #expect(home.visits.seen.allSatisfy { $0.actor.role == .patient })
    }
  }

  @Test func `an unknown path is 404, and a wrong method is 405 with the permitted ones`()
    async throws
  {
    try await withHome(onlyMe(.admin)) { home in
      let (missing, wrong, head, next) = try await blocking {
        let caller = try home.caller()
        return (
          try caller.ask("GET", "/v2/status"), try caller.ask("DELETE", "/v1/alarms"),
          try Self.head(caller, "/v1/say"), try caller.ask("GET", "/v1/status")
        )
      }
      #expect(missing.status == 404 && missing.has(kind: "not_found"))
      #expect(wrong.status == 405 && wrong.has(kind: "method_not_allowed"))
      #expect(wrong.headers["allow"] == "GET, HEAD, POST")
      #expect(head.status == 405 && head.headers["allow"] == "POST")
      #expect(next.status == 200, "the body of the answer to HEAD was in the way")
      #expect(home.visits.denied.isEmpty)
    }
  }

  private static func head(_ caller: Caller, _ target: String) throws -> Caller.Reply {
    caller.send("HEAD \(target) HTTP/1.1\r\n\r\n")
    return try caller.reply(hasBody: false)
  }

  @Test(
    arguments: [
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
}
