import FileSystem
import Glibc

/// Asks a service outside the daemon's sandbox to notify a contact.
///
/// The daemon has no network access. The daemon sends the contact and the message as variables
/// `NAME=value`, with a NUL after each variable. The service reads the command of the contact from
/// the configuration. Therefore, an attacker who controls the daemon can run only commands from the
/// configuration. The reply of the service is one line: `ok`, or the reason for the failure.
public struct NotifierClient: Sendable {
  /// The maximum size of a request, in bytes. Every request from the daemon is smaller than this
  /// limit.
  public static let longestRequest = 64 << 10
  private static let longestAnswer = 1_024
  /// The number of seconds for which the client still waits for the reply after the time limit of
  /// the contact's command has passed.
  private static let grace = 10

  private let path: String

  /// - Parameter path: the path of the socket of the service.
  public init(path: String) { self.path = path }

  /// Asks the service to notify a contact, and waits until the result is known.
  ///
  /// - Returns: the reason for the failure; nil if the contact was notified.
  public func notify(
    _ variables: [(name: String, value: String)], timeoutSeconds: Int
  ) -> String? {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return "cannot create a socket: \(reason())" }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: timeoutSeconds + Self.grace, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connectTo(descriptor) else {
      return "cannot reach prompter-tell.socket: \(reason())"
    }
    var request: [UInt8] = []
    for (name, value) in variables {
      request += Array("\(name)=\(value)".utf8).filter { $0 != 0 } + [0]
    }
    guard send(request, descriptor), shutdown(descriptor, CInt(SHUT_WR)) == 0 else {
      return "cannot send to prompter-tell: \(reason())"
    }
    let answer = String(
      decoding: readToEnd(of: descriptor, limit: Self.longestAnswer).bytes, as: UTF8.self)
    let line = answer.prefix { $0 != "\n" }
    if line.isEmpty { return "prompter-tell did not answer; its journal says why" }
    return line == "ok" ? nil : String(line)
  }

  /// Reads a request that `notify` sent.
  ///
  /// - Returns: nil if the data do not have the format of a request.
  public static func request(from descriptor: CInt) -> [(name: String, value: String)]? {
    let bytes = readToEnd(of: descriptor, limit: longestRequest + 1).bytes
    guard bytes.last == 0, bytes.count <= longestRequest else { return nil }
    var variables: [(String, String)] = []
    for piece in bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false) {
      guard let text = String(validating: piece, as: UTF8.self),
        // Search for the Unicode scalar `=`. If a value begins with a combining mark, Swift joins
        // `=` and the mark into one Character, so a search for the Character `=` would fail.
        let sign = text.unicodeScalars.firstIndex(of: "=")
      else { return nil }
      let value = text.unicodeScalars.index(after: sign)
      variables.append((String(text[..<sign]), String(text[value...])))
    }
    return variables
  }

  private func connectTo(_ descriptor: CInt) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return false
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  private func send(_ bytes: [UInt8], _ descriptor: CInt) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  private func reason() -> String { String(cString: strerror(errno)) }
}
