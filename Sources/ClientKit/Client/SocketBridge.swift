import Glibc
import NIOPosix

/// Connects standard input and output to the socket of the daemon.
package enum SocketBridge {
  /// Copies bytes in both directions until the daemon ends the connection.
  ///
  /// - Parameter path: the path of the socket.
  package static func run(_ path: String) throws {
    let descriptor = try connect(path)
    // Both directions run at the same time, because the daemon can begin its reply before this
    // program has sent the whole request.
    let sender = NIOThreadPool(numberOfThreads: 1)
    sender.start()
    sender.submit { _ in
      copy(from: 0, to: descriptor)
      shutdown(descriptor, Int32(SHUT_WR))
    }
    copy(from: descriptor, to: 1)
    // The daemon has ended the connection. This program now ends, and the kernel closes all its
    // descriptors.
  }

  /// Copies bytes until `source` ends, or until a read or a write fails.
  private static func copy(from source: Int32, to sink: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      var rest = buffer[..<count]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(sink, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return }
        rest = rest.dropFirst(written)
      }
    }
  }

  private static func connect(_ path: String) throws -> Int32 {
    func failure(_ code: Int32) -> Failure {
      .unreachable("cannot reach the daemon at \(path): \(Client.reason(code))")
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    // The path must leave space for the zero byte at its end.
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw failure(ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw failure(errno) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, size)
      }
    }
    guard code == 0 else {
      let code = errno
      close(descriptor)
      throw failure(code)
    }
    return descriptor
  }
}
