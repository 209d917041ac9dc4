import Foundation
import Glibc
import JSONValue
import Synchronization
import Testing

extension EndToEnd {
  /// Tests a flood of requests while an alarm becomes due.
  ///
  /// Two hundred clients misbehave in different ways at the same time. `make bench` measures how
  /// late a ring is during this flood. This test checks that the ring sounds once.
  @Suite struct Flood {
    /// The maximum memory of the daemon under any load, in MiB.
    private static let mostMemory = 256

    @Test func `a ring comes during a flood, and the daemon stays within its memory limit`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Take the pills", "--schedule", "in 4 seconds", "--rings", "1")
        // All clients have the user id of the test, so these clients use all connections of this
        // user. During the flood, the test therefore reads the record file without a connection.
        let clients = MisbehavingClients(home.socket)
        defer { clients.stop() }
        clients.start(200)
        try await home.until("the clients have connected 2,000 times", seconds: 60) {
          clients.attempts > 2_000
        }
        try await home.until("the ring is on record", seconds: 60) {
          try await home.stored("SELECT count(*) FROM events WHERE type = 'ring_ended'") == "1"
        }
        #expect(try await home.memory() < Self.mostMemory)
        #expect(
          try await home.stored("SELECT count(*) FROM events WHERE type = 'ring_started'") == "1")
        clients.stop()
        try await home.until("the daemon accepts requests again", seconds: 30) {
          try await home.run("status").code == 0
        }
        #expect(try await home.events("ring_started").count == 1)
        #expect(try await home.events("ring_failed").isEmpty)
        let prompt = try #require(try await home.prompts().first)
        #expect(prompt["rings_sounded"]?.integer == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        _ = try await home.ask("done")
        #expect(home.isRunning && !home.complaint.contains("Fatal"))
      }
    }

    @Test func `thousands of silent connections are refused and closed`()
      async throws
    {
      try await TestHome.with { home in
        var idle: [Int32] = []
        defer { for descriptor in idle { close(descriptor) } }
        for _ in 0..<3_000 {
          if let one = MisbehavingClients.connect(home.socket) { idle.append(one) }
        }
        #expect(idle.count > 100, "\(idle.count)")
        // The daemon answered and closed each refused connection. Each accepted connection stays
        // open until the deadline for the head of a request.
        try await home.until("the daemon accepts requests again", seconds: 60) {
          try await home.run("status").code == 0
        }
        #expect(try await home.memory() < Self.mostMemory)
        #expect(try await home.descriptors() < 100)
      }
    }
  }
}

/// Clients that use bare system calls. Each client runs on its own thread and misuses the server in
/// its own way.
private final class MisbehavingClients: Sendable {
  private struct State {
    var attempts = 0
    var isLeaving = false
  }

  private let socket: String
  private let state = Mutex(State())
  private let gone = DispatchGroup()

  init(_ socket: String) { self.socket = socket }

  /// The number of times that the clients have tried to connect.
  var attempts: Int { state.withLock { $0.attempts } }

  func start(_ count: Int) {
    for number in 0..<count {
      gone.enter()
      let thread = Thread { [self] in
        while !state.withLock({ $0.isLeaving }) {
          misbehave(number)
          state.withLock { $0.attempts += 1 }
        }
        gone.leave()
      }
      thread.stackSize = 256 << 10
      thread.start()
    }
  }

  /// Stops all clients, and returns after the last client has stopped.
  func stop() {
    state.withLock { $0.isLeaving = true }
    gone.wait()
  }

  private func misbehave(_ number: Int) {
    guard let descriptor = Self.connect(socket) else {
      usleep(2_000)
      return
    }
    defer { close(descriptor) }
    switch number % 8 {
    case 0:  // A reader that closes the connection after one read.
      send(descriptor, "GET /v1/status HTTP/1.1\r\nHost: home\r\n\r\n")
      receive(descriptor)
    case 1:  // A client that sends the head of a request slowly.
      for byte in "GET /v1/status HTTP/1.1\r\nX: ".utf8 {
        guard send(descriptor, String(UnicodeScalar(byte))) else { return }
        usleep(5_000)
      }
    case 2:  // A client that sends the body of a request slowly.
      send(descriptor, "POST /v1/alarms HTTP/1.1\r\nContent-Length: 60000\r\n\r\n")
      for _ in 0..<20 {
        guard send(descriptor, "{") else { return }
        usleep(5_000)
      }
    case 3:  // A client that sends a body of 1 MiB.
      send(descriptor, "POST /v1/alarms HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
      for _ in 0..<64 { guard send(descriptor, chunk) else { return } }
    case 4:  // A client that stops sending after its request.
      send(descriptor, "GET /v1/prompts HTTP/1.1\r\n\r\n")
      shutdown(descriptor, Int32(SHUT_WR))
    case 5:  // A client that sends 50 requests and reads no response.
      let ask = "GET /v1/openapi.json HTTP/1.1\r\n\r\n"
      send(descriptor, String(repeating: ask, count: 50))
      usleep(20_000)
    case 6:  // A client that sends bytes that are not HTTP.
      send(descriptor, "\0\u{1}\u{7f}GET\r\r\n\n /// HTTP/9.9\r\n:::\r\n\r\n")
      receive(descriptor)
    default:  // A client that sends nothing.
      usleep(50_000)
    }
  }

  @discardableResult private func send(_ descriptor: Int32, _ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func receive(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    _ = recv(descriptor, &buffer, buffer.count, 0)
  }

  /// Returns the descriptor of a new connection; nil if the server accepts no connection.
  ///
  /// Reading from the connection and writing to the connection time out after one second.
  static func connect(_ path: String) -> Int32? {
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { return nil }
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if code == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}

extension TestHome {
  /// Returns the resident memory of the daemon in MiB.
  fileprivate func memory() async throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(try daemonPID)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1])) / 1_024
  }

  /// Runs a query on the record file without the daemon, and returns the result.
  fileprivate func stored(_ query: String) async throws -> String {
    try await Running(
      "/usr/bin/sqlite3",
      ["-readonly", "-cmd", ".timeout 5000", state + "/record.sqlite", query], in: directory
    ).finished().output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the number of open descriptors of the daemon.
  fileprivate func descriptors() async throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(try daemonPID)/fd").count
  }
}
