import Foundation
import Testing

/// An sshd on the loopback interface with its own keys. Through this sshd, a test connects to a
/// home remotely.
final class SecureShell: Sendable {
  /// The value of the option `--host` for this home.
  let url: String
  /// The value of `PROMPTER_SSH`: an ssh command that ignores the keys and the known hosts of this
  /// machine.
  let client: String
  private let daemon: Running

  /// - Parameter allows: the options before the key in `authorized_keys`. If the text is empty,
  ///   nothing is restricted.
  init(in home: TestHome, allows: String = "") async throws {
    let directory = home.directory.appending(path: "ssh")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // If root starts sshd, sshd needs this directory for privilege separation.
    if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
    func path(_ name: String) -> String { directory.appending(path: name).path() }
    for name in ["host", "user"] {
      let made = try await Running(
        "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path(name)], in: directory
      ).finished()
      try #require(made.code == 0, "\(made)")
    }
    let key = try String(contentsOfFile: path("user.pub"), encoding: .utf8)
    try (allows + (allows.isEmpty ? "" : " ") + key)
      .write(toFile: path("authorized"), atomically: true, encoding: .utf8)
    let port = try Self.freePort()
    let hostKey = try String(contentsOfFile: path("host.pub"), encoding: .utf8)
    try "[127.0.0.1]:\(port) \(hostKey)"
      .write(toFile: path("known"), atomically: true, encoding: .utf8)
    try """
    Port \(port)
    ListenAddress 127.0.0.1
    HostKey \(path("host"))
    AuthorizedKeysFile \(path("authorized"))
    PidFile none
    UsePAM no
    StrictModes no
    PasswordAuthentication no
    SetEnv PATH=\(Programs.directory):/usr/bin:/bin PROMPTER_SOCKET=\(home.socket)

    """.write(toFile: path("sshd"), atomically: true, encoding: .utf8)
    try """
    Host *
      IdentityFile \(path("user"))
      IdentitiesOnly yes
      UserKnownHostsFile \(path("known"))
      BatchMode yes

    """.write(toFile: path("client"), atomically: true, encoding: .utf8)
    client = "/usr/bin/ssh -F \(path("client"))"
    url = "ssh://\(NSUserName())@127.0.0.1:\(port)"
    daemon = try Running("/usr/sbin/sshd", ["-D", "-e", "-f", path("sshd")], in: directory)
    let daemon = daemon
    try await home.until("sshd listens", seconds: 20) {
      try #require(daemon.isRunning, "sshd ended: \(daemon.complaint)")
      return daemon.complaint.contains("listening")
    }
  }

  /// The number of logins so far.
  var logins: Int { daemon.complaint.components(separatedBy: "Accepted publickey").count - 1 }

  deinit { stop() }

  func stop() { daemon.send(SIGTERM) }

  /// Returns a free port. sshd itself cannot choose a free port.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return UInt16(bigEndian: address.sin_port)
  }
}
