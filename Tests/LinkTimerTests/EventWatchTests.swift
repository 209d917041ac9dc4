import Glibc
import Testing

@testable import LinkTimer

/// A server at a Unix socket in the directory for temporary files.
private final class Server {
  let path = "/tmp/link-timer-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
  private let listener: CInt
  private var connection: CInt = -1

  init() throws {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 4) == 0)
    // If no client connects, the server stops waiting after 10 s, and the test fails.
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    hangUp()
    close(listener)
    unlink(path)
  }

  /// Accepts a connection, and returns the first line of the request.
  func accept() throws -> String {
    connection = Glibc.accept(listener, nil, nil)
    try #require(connection >= 0)
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = read(connection, &bytes, bytes.count)
    return String(
      decoding: bytes[..<max(0, count)].prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }

  func say(_ text: String) {
    _ = send(connection, Array(text.utf8), text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  func hangUp() {
    if connection >= 0 { close(connection) }
    connection = -1
  }
}

@Suite struct `The watch of the event stream` {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  @Test func `notices an event, and no sign of life`() throws {
    let server = try Server()
    let watch = EventWatch(socket: server.path)
    #expect(try server.accept() == "GET /v1/events HTTP/1.1")
    server.say(Self.head + ": alive\n\n")
    #expect(!watch.wait(seconds: 1))
    server.say("id: 7\ndata: {}\n\n")
    #expect(watch.wait(seconds: 5))
    #expect(!watch.wait(seconds: 1))
  }

  @Test func `notices an event whose bytes come one by one`() throws {
    let server = try Server()
    let watch = EventWatch(socket: server.path)
    _ = try server.accept()
    var notices = 0
    // The loop uses bytes, because Swift would join \r and \n into one character.
    for byte in (Self.head + "id: 7\ndata: {}\n\n").utf8 {
      server.say(String(UnicodeScalar(byte)))
      usleep(1_000)
      if watch.wait(seconds: 0) { notices += 1 }
    }
    #expect(notices == 1)
  }

  @Test func `assumes new events after an interruption`() throws {
    let server = try Server()
    let watch = EventWatch(socket: server.path)
    _ = try server.accept()
    server.say(Self.head)
    #expect(!watch.wait(seconds: 1))
    server.hangUp()
    // The watch opens the stream again after five seconds.
    #expect(!watch.wait(seconds: 7))
    _ = try server.accept()
    server.say(Self.head)
    #expect(watch.wait(seconds: 5))
  }

  @Test func `opens a stream again that says nothing for a long time`() throws {
    let server = try Server()
    let watch = EventWatch(socket: server.path, quietLimit: 2)
    _ = try server.accept()
    server.say(Self.head)
    // The link also waits many times for a short time. The limit counts from the last received
    // byte, and not from the start of a wait.
    for _ in 0..<10 { #expect(!watch.wait(seconds: 1)) }
    _ = try server.accept()
    server.say(Self.head)
    #expect(watch.wait(seconds: 5))
  }

  @Test func `notices nothing in a refusal`() throws {
    let server = try Server()
    let watch = EventWatch(socket: server.path)
    _ = try server.accept()
    server.say("HTTP/1.1 403 Forbidden\r\n\r\n{\"detail\":\"data: x\"}")
    #expect(!watch.wait(seconds: 1))
  }

  @Test(arguments: ["/nonexistent/socket", String(repeating: "x", count: 200), ""])
  func `waits if there is no daemon`(path: String) {
    let watch = EventWatch(socket: path)
    #expect(!watch.wait(seconds: 1))
  }
}
