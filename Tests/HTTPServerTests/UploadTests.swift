import API
import Alarms
import Foundation
import Glibc
import Testing

@testable import HTTPServer

/// Tests the limited amount of memory that all uploads share. Answers must always have enough
/// memory.
@Suite struct UploadTests {
  private static func upload(_ caller: Caller, declaring length: Int, sending bytes: Int) {
    caller.send("PUT /v1/tones/dad HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n")
    caller.send([UInt8](repeating: 97, count: bytes))
  }

  /// Waits until the uploads use this number of bytes.
  private static func holds(_ home: HomeState, _ bytes: Int) async throws -> Bool {
    for _ in 0..<500 {
      if home.server.limiter.held.uploadBytes == bytes { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test func `uploads that hold all memory prevent no answer, and free their memory at the end`()
    async throws
  {
    let limits = ServerLimits.with {
      $0.uploadBytes = 100_000
      $0.uploadBytesPerUser = 100_000
    }
    try await withHome(onlyMe(.caretaker), limits) { home in
      let slow = try await blocking {
        let slow = try home.caller()
        Self.upload(slow, declaring: 200_000, sending: 65_536 + 100_000)
        return slow
      }
      #expect(try await Self.holds(home, 100_000))
      try await blocking {
        let caller = try home.caller()
        let answer = try caller.ask(
          "POST", "/v1/prompts/current/complete",
          body: String(repeating: " ", count: Route.smallBody))
        #expect(answer.status == 200)
        // The server also accepts a request of the size `Route.smallBody`, and an upload of this
        // size. It refuses a larger upload.
        let body = String(repeating: "a", count: Route.smallBody)
        #expect(try caller.ask("POST", "/v1/alarms", body: body).status == 200)
        #expect(try caller.ask("PUT", "/v1/tones/mum", body: body).status == 200)
        let refused = try home.caller().ask("PUT", "/v1/tones/mum", body: body + "a")
        #expect(refused.status == 429 && refused.has(kind: "limit"))
        #expect(refused.headers["retry-after"] == "1" && refused.headers["connection"] == "close")
        slow.send([UInt8](repeating: 97, count: 200_000 - 165_536))
        #expect(try slow.reply().status == 429)
      }
      #expect(try await Self.holds(home, 0))
      let status = try await blocking {
        try home.caller().ask(
          "PUT", "/v1/tones/dad", body: String(repeating: "a", count: 165_536)
        ).status
      }
      #expect(status == 200)
    }
  }

  @Test func `all uploads together have a limit`() async throws {
    let limits = ServerLimits.with { $0.uploadBytes = 10_000 }
    try await withHome(onlyMe(.caretaker), limits) { home in
      let statuses = try await blocking {
        try [75_536, 75_537].map {
          try home.caller().ask("PUT", "/v1/tones/dad", body: String(repeating: "a", count: $0))
            .status
        }
      }
      #expect(statuses == [200, 503])
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test(arguments: ["Content-Length: 9000000", "Transfer-Encoding: chunked"])
  func `an upload that pauses for too long is cut, however fast it was before`(
    framing: String
  ) async throws {
    let limits = ServerLimits.with { $0.bodyIdleSeconds = 0.3 }
    try await withHome(onlyMe(.caretaker), limits) { home in
      let seconds = try await blocking {
        let caller = try home.caller()
        // The client sends these bytes very fast. If the server checked only the mean rate of the
        // upload, the server would allow a pause of two minutes after these bytes.
        caller.send("PUT /v1/tones/dad HTTP/1.1\r\n\(framing)\r\n\r\nF4240\r\n")
        let start = ContinuousClock.now
        caller.send([UInt8](repeating: 97, count: 1_000_000))
        #expect(try caller.receiveToEnd().isEmpty)
        return start.duration(to: .now)
      }
      #expect(seconds >= .seconds(0.2) && seconds < .seconds(4), "cut after \(seconds)")
      #expect(home.visits.seen.isEmpty)
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `an upload in many pieces with short pauses is accepted`() async throws {
    let limits = ServerLimits.with { $0.bodyIdleSeconds = 0.5 }
    try await withHome(onlyMe(.caretaker), limits) { home in
      let status = try await blocking {
        let caller = try home.caller()
        Self.upload(caller, declaring: 100_000, sending: 0)
        for _ in 0..<10 {
          caller.send([UInt8](repeating: 97, count: 10_000))
          usleep(100_000)
        }
        return try caller.reply().status
      }
      #expect(status == 200)
    }
  }

  @Test func `a user cannot use the upload memory of another user, and bodies have a limit`() {
    let limits = ServerLimits.standard
    let limiter = ConnectionLimiter(limits: limits)
    let share = limits.uploadBytesPerUser
    #expect(limiter.takeUploadRoom(share, uid: 1) == .taken)
    #expect(limiter.takeUploadRoom(1, uid: 1) == .userFull)
    #expect(limiter.takeUploadRoom(share, uid: 2) == .taken)
    #expect(limiter.takeUploadRoom(share, uid: 3) == .serverFull)
    #expect(limiter.takeUploadRoom(limits.uploadBytes - 2 * share, uid: 3) == .taken)
    #expect(limiter.takeUploadRoom(0, uid: 4) == .taken)
    #expect(limiter.takeUploadRoom(1, uid: 4) == .serverFull)
    for (uid, bytes) in [(UInt32(1), share), (2, share), (3, limits.uploadBytes - 2 * share)] {
      limiter.giveUploadRoom(bytes, uid: uid)
    }
    #expect(limiter.held == (0, 0, 0, 0, 0))
    #expect(share < limits.uploadBytes && share >= Route.uploadBody)
    #expect(limits.mostBodyBytes == 120 * 64 * 1024 + 32 * 1024 * 1024)
  }

  @Test func `the documentation states the current limits`() {
    let limits = ServerLimits.standard
    let rows = [
      "| Connections of each user | \(limits.connectionsPerUser) |",
      "| \(limits.connections), and \(limits.connectionsPerUser) more for admins |",
      "and has no connection | \(limits.firstConnections) |",
      "| \(limits.answerConnections), and at most \(limits.answerConnectionsPerUser) for each user |",
      "| \(limits.headerBytes >> 10) KiB, received within \(Int(limits.headerSeconds)) s |",
      "no other limit for the request | \(limits.freeBodyBytes >> 10) KiB |",
      "| Speed at which the client sends a body, after the first \(Int(limits.bodySeconds)) s "
        + "| at least \(Int(limits.bodyBytesPerSecond) >> 10) KiB/s on average |",
      "| Time without a new byte of a body | \(Int(limits.bodyIdleSeconds)) s |",
      "| Uploads of each user at the same time | \(limits.uploadBytesPerUser >> 20) MiB",
      "| Uploads of all users together at the same time | \(limits.uploadBytes >> 20) MiB",
      "| Idle time between two requests | \(Int(limits.idleSeconds)) s |",
      "| Time in which a client reads nothing of a response | \(Int(limits.writeStallSeconds)) s |",
    ]
    for row in rows { #expect(APIPage.text.contains(row), "\(row)") }
    for operation in Route.Operation.allCases where operation.isForAnswering {
      let route = Route.all.first { $0.operation == operation }
      #expect(route?.roles.isSuperset(of: [.caretaker]) == true)
    }
  }
}
