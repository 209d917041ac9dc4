import Foundation

/// A socket that loses the response to the first change.
///
/// The socket forwards all requests to a home. The home carries out the first change, but the
/// client does not get the response.
final class LossyServer: Sendable {
  private let descriptor: Int32

  init(socket path: String, home: String) throws {
    let descriptor = try UnixSocketAddress(path).bound()
    guard listen(descriptor, 16) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    self.descriptor = descriptor
    let thread = Thread {
      var hasLost = false
      while true {
        let client = accept(descriptor, nil, nil)
        if client < 0 { return }
        defer { close(client) }
        guard let daemon = try? UnixSocketAddress(home).connected() else { continue }
        defer { close(daemon) }
        // A request can arrive in several parts. The thread reads until the request is complete.
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var asked: [UInt8] = []
        repeat {
          let count = read(client, &bytes, bytes.count)
          if count <= 0 { break }
          asked += bytes[..<count]
        } while !Self.isWhole(asked)
        _ = send(daemon, asked, asked.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        while case let count = read(daemon, &bytes, bytes.count), count > 0 {
          answer += bytes[..<count]
        }
        if !hasLost, asked.starts(with: Array("POST".utf8)) {
          hasLost = true
        } else {
          _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
      }
    }
    thread.start()
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private static func isWhole(_ request: [UInt8]) -> Bool {
    let text = String(decoding: request, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return false }
    guard let field = text.range(of: "content-length: ", options: .caseInsensitive) else {
      return true
    }
    let length = Int(text[field.upperBound...].prefix { $0.isNumber }) ?? 0
    return text[end.upperBound...].utf8.count >= length
  }
}

/// The address of a Unix socket.
struct UnixSocketAddress {
  private var address = sockaddr_un()

  init(_ path: String) {
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      place.copyBytes(from: path.utf8.prefix(place.count - 1))
    }
  }

  func bound() throws -> Int32 { try with { bind($0, $1, $2) } }
  func connected() throws -> Int32 { try with { connect($0, $1, $2) } }

  private func with(
    _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = address
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return descriptor
  }
}
