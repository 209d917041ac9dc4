import Glibc

/// A listening Unix stream socket. The daemon binds the socket, or gets it from the service
/// manager.
public struct ListeningSocket: Sendable, Hashable {
  /// The descriptor of the socket. The descriptor has the flag close-on-exec. A `Server` that uses
  /// the socket closes the descriptor.
  public let descriptor: CInt

  /// The maximum length of the path in bytes: the size of `sun_path` without its final zero byte
  /// (unix(7)).
  public static let longestPath = 107

  /// The maximum number of new connections that wait until the server accepts them. If this number
  /// is reached, the connect(2) call of the next client waits.
  private static let backlog: CInt = 128

  /// Uses a listening socket that the service manager opened.
  ///
  /// - Throws: `notListening` if the descriptor is not a listening Unix stream socket.
  public init(inherited: CInt) throws(ServerError) {
    func option(_ name: CInt) throws(ServerError) -> CInt {
      var value: CInt = 0
      var size = socklen_t(MemoryLayout<CInt>.size)
      guard getsockopt(inherited, SOL_SOCKET, name, &value, &size) == 0 else {
        throw .notListening(descriptor: inherited, why: reason(errno))
      }
      return value
    }
    guard try option(SO_DOMAIN) == AF_UNIX else {
      throw .notListening(descriptor: inherited, why: "it is not a Unix socket")
    }
    guard try option(SO_TYPE) == CInt(SOCK_STREAM.rawValue) else {
      throw .notListening(descriptor: inherited, why: "it is not a stream socket")
    }
    guard try option(SO_ACCEPTCONN) == 1 else {
      throw .notListening(descriptor: inherited, why: "it does not listen")
    }
    guard fcntl(inherited, F_SETFD, FD_CLOEXEC) == 0 else {
      throw .notListening(descriptor: inherited, why: reason(errno))
    }
    descriptor = inherited
  }

  private init(bound: CInt) { descriptor = bound }

  /// Binds a socket to a path and listens on the socket.
  ///
  /// If an old socket exists at the path and no process answers on it, the new socket replaces the
  /// old socket. If a process answers on the old socket, or if the file at the path is not a
  /// socket, the function throws an error and changes nothing.
  ///
  /// - Parameters:
  ///   - path: the path of the socket, at most 107 bytes long. The directory that contains the
  ///     socket must exist.
  ///   - mode: the permissions of the socket file, for example `0o660`. The function does not apply
  ///     the umask to these permissions.
  public static func bind(path: String, mode: UInt16) throws(ServerError) -> ListeningSocket {
    var address = try address(of: path)
    let parent = parent(of: path)
    // Two daemons with the same path could start at the same time. No process can connect to a new
    // socket before its daemon calls listen(2). Until this call of the first daemon, the second
    // daemon could conclude that the socket is unused, and remove it. Therefore, each daemon locks
    // the directory while it tests the old socket and binds its own socket.
    let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { throw .parentMissing(path: path, parent: parent) }
      throw .parentNotWritable(path: path, parent: parent, why: reason(errno))
    }
    defer { close(directory) }
    guard flock(directory, LOCK_EX) == 0 else {
      throw .system(what: "lock the directory \(parent)", why: reason(errno))
    }
    try clear(path, &address)

    let descriptor = socket(AF_UNIX, streamType, 0)
    guard descriptor >= 0 else { throw .system(what: "create a socket", why: reason(errno)) }
    do throws(ServerError) {
      guard withAddress(&address, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
        let code = errno
        guard code == EACCES || code == EPERM || code == EROFS else {
          throw .system(what: "listen on \(path)", why: reason(code))
        }
        throw .parentNotWritable(path: path, parent: parent, why: reason(code))
      }
      // Until `setMode` changes the permissions, the socket has permissions that depend on the
      // umask. This does no harm, because no client can connect before the call of listen(2).
      guard setMode(mode_t(mode), of: path), listen(descriptor, backlog) == 0 else {
        let why = reason(errno)
        unlink(path)
        throw .system(what: "listen on \(path)", why: why)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return ListeningSocket(bound: descriptor)
  }

  /// Sets the permissions of the file at `path`, but only if the file is a socket.
  ///
  /// If the daemon runs as root, the directory can belong to a different user. This user could
  /// replace the socket by a link to a file of root. Without the check, the daemon would then
  /// change the permissions of this file.
  private static func setMode(_ mode: mode_t, of path: String) -> Bool {
    let file = open(path, pathOnly | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      errno = ENOTSOCK
      return false
    }
    // fchmod(2) does not accept a descriptor that was opened with O_PATH. The path in
    // `/proc/self/fd` leads to the checked file, even if somebody has replaced the file at `path`.
    return chmod("/proc/self/fd/\(file)", mode) == 0
  }

  /// The flag O_PATH of open(2). Swift's Glibc module does not define this flag.
  private static let pathOnly: CInt = 0o10_000_000

  /// Removes a socket on which no process answers.
  private static func clear(_ path: String, _ address: inout sockaddr_un) throws(ServerError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .parentNotWritable(path: path, parent: parent(of: path), why: reason(errno))
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
    let probe = socket(AF_UNIX, streamType, 0)
    guard probe >= 0 else { throw .system(what: "create a socket", why: reason(errno)) }
    defer { close(probe) }
    if withAddress(&address, { connect(probe, $0, $1) }) == 0 { throw .inUse(path: path) }
    switch errno {
    case ECONNREFUSED: break
    case EAGAIN: throw .inUse(path: path)  // A process listens, but its queue is full.
    case let code: throw .cannotProbe(path: path, why: reason(code))
    }
    guard unlink(path) == 0 else {
      throw .parentNotWritable(path: path, parent: parent(of: path), why: reason(errno))
    }
  }

  private static let streamType =
    CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func address(of path: String) throws(ServerError) -> sockaddr_un {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, !bytes.contains(0) else { throw .pathNotUsable(path: path) }
    guard bytes.count <= longestPath else { throw .pathTooLong(path: path, bytes: bytes.count) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return address
  }

  private static func withAddress(
    _ address: inout sockaddr_un, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
