import API
import Alarms
import Foundation
import JSONValue
import TestRandom
import Testing

@testable import HTTPServer

/// Tests the server with thousands of damaged requests. The variables `FUZZ_CASES` and `FUZZ_SEED`
/// set the number of damaged requests and the seed.
@Suite struct FuzzTests {
  static let good = [
    "GET /v1/status HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /v1/log?after=5&limit=%31 HTTP/1.1\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n",
    "POST /v1/alarms HTTP/1.1\r\nContent-Length: 13\r\n\r\n{\"label\":\"x\"}",
    "POST /v1/prompts/a%40b/complete HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "4;x=y\r\nabcd\r\n0\r\nTrailer: t\r\n\r\n",
    "PUT /v1/tones/dad HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
    "GET /v1/status HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\nmore",
    "CONNECT home:80 HTTP/1.1\r\nHost: home\r\n\r\nmore", "OPTIONS * HTTP/1.1\r\n\r\n",
    "HEAD /v1/status HTTP/1.1\r\n\r\n", "HEAD /v1/say HTTP/1.1\r\n\r\n",
    "GET http://home/v1/agenda?limit=2 HTTP/1.1\r\n\r\n",
    "DELETE /v1/alarms/x HTTP/1.1\r\nConnection: close\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ]
  static let splinters = [
    "\r\n", "\n", "\0", "\u{7f}", "%", "%00", "?", "&", "=", "/", "..", " ", "\t", ":", ";", ",",
    "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "Content-Length: 5\r\n",
    "Content-Length: 18446744073709551616\r\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n",
    "ffffffffffffffff\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n", "é", "\u{fffd}",
  ]

  static func mutated(_ dice: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...3, using: &dice) {
      bytes += Array(good.randomElement(using: &dice)!.utf8)
    }
    for _ in 0..<Int.random(in: 0...6, using: &dice) {
      let at = Int.random(in: 0...bytes.count, using: &dice)
      let end = min(bytes.count, at + Int.random(in: 0...20, using: &dice))
      switch Int.random(in: 0..<6, using: &dice) {
      case 0: if at < bytes.count { bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &dice) }
      case 1: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &dice) }
      case 2: bytes.removeSubrange(at..<end)
      case 3: bytes.insert(contentsOf: splinters.randomElement(using: &dice)!.utf8, at: at)
      case 4: bytes.insert(contentsOf: bytes[at..<end], at: at)
      default: bytes.removeSubrange(end...)
      }
    }
    return bytes
  }

  /// Returns the statuses of the responses in the received bytes. The bodies are problem documents
  /// or the text of `echo`. A body contains a status line only if its request contained one.
  static func statuses(_ bytes: [UInt8]) -> [Int] {
    String(decoding: bytes, as: UTF8.self).components(separatedBy: "HTTP/1.1 ").dropFirst()
      .compactMap { Int($0.prefix(3)) }
  }

  @Test func `thousands of damaged requests neither stop the server nor cause a server error`()
    async throws
  {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261_121
    let cases = environment["FUZZ_CASES"].flatMap { Int($0) } ?? 1500
    let limits = ServerLimits.with {
      $0.connectionsPerUser = 64
      $0.lingerSeconds = 0.05
    }
    let handle: @Sendable (APIRequest) async -> APIResponse = { _ in .json(.null) }
    try await withHome(onlyMe(.admin), limits, handle: handle) { home in
      let counts = try await blocking {
        var dice = SeededGenerator(seed: seed)
        var counts: [Int: Int] = [:]
        for index in 0..<cases {
          let bytes = Self.mutated(&dice)
          let caller = try home.caller()
          // The test sends some requests in two parts, so that the parser must continue at any
          // position.
          let seam = Bool.random(using: &dice) ? Int.random(in: 0...bytes.count, using: &dice) : 0
          caller.send(Array(bytes[..<seam]))
          caller.send(Array(bytes[seam...]))
          caller.endSending()
          for status in Self.statuses(try caller.receiveToEnd()) {
            counts[status, default: 0] += 1
            #expect(status < 500, "case \(index) of seed \(seed)")
          }
        }
        return counts
      }
      let reply = try await blocking { try home.caller().ask("GET", "/v1/status") }
      #expect(reply.status == 200)
      // Each of these statuses must occur often. This shows that the damage causes each kind of
      // refusal, and that some damaged requests are still valid.
      for status in [200, 400, 404, 405, 422] {
        #expect(counts[status, default: 0] > cases / 400, "status \(status): \(counts)")
      }
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }
}
