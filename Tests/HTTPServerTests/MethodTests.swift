import API
import Alarms
import Foundation
import JSONValue
import Testing

@testable import HTTPServer

@Suite struct MethodTests {
  /// Sends a HEAD request, and reads the head of the response.
  private static func head(
    _ caller: Caller, _ target: String, headers: String = ""
  ) throws -> Caller.Reply {
    caller.send("HEAD \(target) HTTP/1.1\r\n\(headers)\r\n")
    return try caller.reply(hasBody: false)
  }

  @Test(arguments: RolesTests.peers)
  func `HEAD has the roles, the status and the headers of GET, and no body`(
    role: Role
  ) async throws {
    try await withHome(onlyMe(role), handle: echo) { home in
      let replies = try await blocking {
        let caller = try home.caller()
        return try Route.all.filter { $0.method == .get }.map { route in
          let target = RolesTests.target(route)
          // The test sends HEAD and then GET on the same connection. If the response to HEAD
          // contained a body, this body would be in front of the response to GET.
          return (route, try Self.head(caller, target), try caller.ask("GET", target))
        }
      }
      for (route, head, get) in replies {
        #expect(get.status == (route.roles.contains(role) ? 200 : 403))
        #expect(head.status == get.status && head.headers == get.headers, "\(route.path)")
        #expect(head.headers["content-length"] == "\(get.body.count)", "\(route.path)")
      }
      let (heads, gets) = (
        home.visits.seen.filter(\.isHeadOnly), home.visits.seen.filter { !$0.isHeadOnly }
      )
      #expect(heads.map(\.operation) == gets.map(\.operation))
      #expect(heads.allSatisfy { !$0.isChange })
    }
  }

  @Test func `the head of a stream has no chunk after it`() async throws {
    let stream: @Sendable (APIRequest) async -> APIResponse = { _ in
      let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
        continuation.yield([97])
        continuation.finish()
      }
      return APIResponse(status: 200, contentType: "application/x-tar", body: .stream(chunks))
    }
    try await withHome(onlyMe(.admin), handle: stream) { home in
      let bytes = try await blocking {
        let caller = try home.caller()
        caller.send("HEAD /v1/export HTTP/1.1\r\n\r\n")
        return try caller.receiveToEnd()
      }
      #expect(bytes.ends(with: "\r\n\r\n") && !bytes.ends(with: "0\r\n\r\n"))
      #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `the OpenAPI document has HEAD for each GET, with the same roles`() throws {
    let paths = try #require(OpenAPI.document["paths"])
    for route in Route.all where route.method == .get {
      let (get, head) = (paths[route.path]?["get"], paths[route.path]?["head"])
      #expect(head != nil && head?["x-roles"] == get?["x-roles"], "\(route.path)")
      #expect(head?["parameters"] == get?["parameters"], "\(route.path)")
    }
    for route in Route.all where route.method == .post {
      let hasGet = Route.all.contains { $0.path == route.path && $0.method == .get }
      #expect((paths[route.path]?["head"] != nil) == hasGet, "\(route.path)")
    }
  }

  @Test(arguments: ["100-continue", "100-Continue", "100-CONTINUE", "100-continue, 100-Continue"])
  func `the case of an expectation has no meaning`(expectation: String) async throws {
    try await withHome(onlyMe(.caretaker), handle: echo) { home in
      let (go, answer) = try await blocking {
        let caller = try home.caller()
        caller.send(
          "POST /v1/alarms HTTP/1.1\r\neXPECT: \(expectation)\r\nContent-Length: 2\r\n\r\n")
        let go = try caller.reply()
        caller.send("ok")
        return (go, try caller.reply())
      }
      #expect(go.status == 100)
      #expect(answer.status == 200 && answer.text.contains("\"body\":\"ok\""))
    }
  }

  @Test(arguments: ["200-ok", "100-continue, 200-ok", "100", "100-continue=1", "a,100-continue"])
  func `an unknown expectation is refused with 417, and the body is not read`(
    expectation: String
  ) async throws {
    try await withHome(onlyMe(.caretaker), handle: echo) { home in
      let (refused, withoutBody, next) = try await blocking {
        let caller = try home.caller()
        caller.send(
          "POST /v1/alarms HTTP/1.1\r\nExpect: \(expectation)\r\nContent-Length: 2\r\n\r\n")
        let other = try home.caller()
        return (
          try caller.reply(), try other.ask("GET", "/v1/status", headers: ["Expect: x"]),
          try other.ask("GET", "/v1/alarms", headers: ["Expect:"])
        )
      }
      #expect(refused.status == 417 && refused.has(kind: "expectation_failed"))
      #expect(refused.text.contains("100-continue") && refused.headers["connection"] == "close")
      #expect(withoutBody.status == 417 || withoutBody.status == 403)
      #expect(next.status == 200)
      #expect(home.visits.seen.map(\.operation) == [.listAlarms])
    }
  }

  @Test(arguments: [
    ("PUT", "/v1/tones/dad", "multipart/form-data; boundary=x", "--data-binary @FILE, not -F"),
    ("POST", "/v1/images", "Multipart/Form-Data; boundary=x", "--data-binary @FILE, not -F"),
    ("POST", "/v1/alarms", "multipart/form-data", "the JSON itself"),
  ])
  func `a form is refused with the option of curl to use`(
    method: String, target: String, type: String, advice: String
  ) async throws {
    try await withHome(onlyMe(.admin), handle: echo) { home in
      let (form, plain) = try await blocking {
        let (one, two) = (try home.caller(), try home.caller())
        return (
          try one.ask(method, target, headers: ["Content-Type: \(type)"], body: "--x--"),
          try two.ask(
            method, target, headers: ["Content-Type: application/x-www-form-urlencoded"], body: "{}"
          )
        )
      }
      #expect(form.status == 400 && form.has(kind: "malformed") && form.text.contains(advice))
      #expect(plain.status == 200, "curl --data-binary sends this type")
      #expect(home.visits.seen.count == 1)
    }
  }
}
