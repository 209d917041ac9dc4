import Foundation

/// A server that sends the same response to every client.
///
/// After the response, the server closes the connection.
final class ScriptedServer: Sendable {
  private let descriptor: Int32

  /// - Parameters:
  ///   - reads: whether the server reads the request before it responds.
  init(socket path: String, says answer: String, reads: Bool = true) throws {
    descriptor = try UnixSocketAddress(path).bound()
    guard listen(descriptor, 4) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    let listener = descriptor
    Thread {
      while true {
        let caller = accept(listener, nil, nil)
        guard caller >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        if reads { _ = read(caller, &buffer, buffer.count) }
        let bytes = Array(answer.utf8)
        _ = send(caller, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(caller)
      }
    }.start()
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}
