import API
import Alarms
import Foundation
import Testing

@testable import HTTPServer

@Suite struct ConnectionTests {
  @Test func `pipelined requests are answered in order`() async throws {
    try await withHome(onlyMe(.admin), handle: echo) { home in
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

  @Test func `a client that has closed its sending side still gets its response`() async throws {
    try await withHome(onlyMe(.admin), handle: slowEcho) { home in
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

  @Test func `a client that leaves in the middle of a request does not cancel it`() async throws {
    let (done, finish) = AsyncStream<Bool>.makeStream()
    let handle: @Sendable (APIRequest) async -> APIResponse = { request in
      let answer = await slowEcho(request)
      finish.yield(!Task.isCancelled)
      return answer
    }
    try await withHome(onlyMe(.admin), handle: handle) { home in
      try await blocking {
        let caller = try home.caller()
        caller.send("POST /v1/alarms HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
      }
      var results = done.makeAsyncIterator()
      #expect(await results.next() == true)
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a client that asks to send a body gets 100 Continue, or the refusal at once`()
    async throws
  {
    try await withHome(onlyMe(.caretaker), handle: echo) { home in
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
  func `bytes that are not HTTP get a 400 response, and the connection ends`(bytes: String)
    async throws
  {
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

  @Test func `garbage after a good request does not remove its response`() async throws {
    try await withHome(onlyMe(.admin), handle: slowEcho) { home in
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
