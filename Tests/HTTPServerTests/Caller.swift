import Foundation
import Glibc

/// A client that uses bare system calls, so that it can send requests that an HTTP library does not
/// allow.
final class Caller: Sendable {
  let descriptor: CInt

  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  struct Reply: Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    var isProblem: Bool { headers["content-type"] == "application/problem+json" }
    /// Returns whether the body contains `"kind":"…"` with this kind.
    func has(kind: String) -> Bool { text.contains("\"kind\":\"\(kind)\"") }
  }

  init(_ path: String, receiveTimeoutSeconds: Int = 5) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var patience = timeval(tv_sec: receiveTimeoutSeconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else {
      throw Failed(description: "connect: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Sends all bytes; returns false if the server has closed the connection.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        // The loop runs only while bytes are left. Therefore, the buffer is not empty, and it has a
        // base address.
        Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Closes the sending direction of the connection. The receiving direction stays open.
  func endSending() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Returns the next bytes; returns an empty array at the end of the connection, and nil after a
  /// timeout.
  func receive(atMost limit: Int = 65536) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    if count >= 0 { return Array(buffer.prefix(count)) }
    return errno == EAGAIN ? nil : []
  }

  /// Reads until the server closes the connection, and returns all bytes.
  func receiveToEnd() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      guard let some = receive() else {
        throw Failed(description: "no end in time after \(all.count)")
      }
      if some.isEmpty { return all }
      all += some
    }
  }

  /// Reads one reply with a content-length. The function reads the head byte by byte, so that the
  /// bytes of the next reply stay in the connection.
  func reply(hasBody: Bool = true) throws -> Reply {
    var head: [UInt8] = []
    while !head.ends(with: "\r\n\r\n") {
      guard let byte = receive(atMost: 1), !byte.isEmpty else {
        throw Failed(description: "no whole head: \(String(decoding: head, as: UTF8.self))")
      }
      head += byte
    }
    var reply = try Self.parse(head: head)
    if reply.status == 100 || !hasBody { return reply }
    var missing = Int(reply.headers["content-length"] ?? "") ?? 0
    while missing > 0 {
      guard let some = receive(atMost: missing), !some.isEmpty else {
        throw Failed(description: "no whole body")
      }
      reply.body += some
      missing -= some.count
    }
    return reply
  }

  private static func parse(head: [UInt8]) throws -> Reply {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
      throw Failed(description: "no status line: \(lines[0])")
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() where !line.isEmpty {
      let sides = line.split(separator: ":", maxSplits: 1)
      headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
    }
    return Reply(status: status, headers: headers, body: [])
  }

  /// Sends a request and reads one reply.
  func ask(
    _ method: String, _ target: String, headers: [String] = [], body: String? = nil
  ) throws -> Reply {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: home\r\n"
    for header in headers { text += header + "\r\n" }
    if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
    send(text + "\r\n" + (body ?? ""))
    return try reply()
  }
}

extension [UInt8] {
  func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
