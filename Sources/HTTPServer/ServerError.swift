/// The reason why the HTTP server cannot listen.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path is too long for the address of a Unix socket.
  case pathTooLong(path: String, bytes: Int)
  /// The path of the socket is empty, or it contains a byte with the value 0.
  case pathNotUsable(path: String)
  /// The directory of the socket is missing or is not a directory.
  case parentMissing(path: String, parent: String)
  /// The daemon has no permission to write to the directory of the socket.
  case parentNotWritable(path: String, parent: String, why: String)
  /// The path of the socket is already the path of a file, a directory or a link.
  case notASocket(path: String)
  /// A different process accepts connections on the socket at this path.
  case inUse(path: String)
  /// A socket already exists at the path. The server cannot find out whether a different process
  /// accepts connections on this socket.
  case cannotProbe(path: String, why: String)
  /// A descriptor from the service manager is not a listening Unix stream socket.
  case notListening(descriptor: CInt, why: String)
  /// A system call failed.
  case system(what: String, why: String)

  /// A name for the kind of the error. Programs use this name, so it never changes.
  public var kind: String {
    switch self {
    case .pathTooLong: "socket_path_too_long"
    case .pathNotUsable: "socket_path_not_usable"
    case .parentMissing: "socket_parent_missing"
    case .parentNotWritable: "socket_parent_not_writable"
    case .notASocket: "socket_path_taken"
    case .inUse: "socket_in_use"
    case .cannotProbe: "socket_not_probed"
    case .notListening: "socket_not_listening"
    case .system: "socket_failed"
    }
  }

  /// One sentence with the failed action and the reason.
  public var description: String {
    switch self {
    case .pathTooLong(let path, let bytes):
      "cannot listen on \(path): the path has \(bytes) bytes, a Unix socket takes at most "
        + "\(ListeningSocket.longestPath)"
    case .pathNotUsable(let path):
      "cannot listen on \"\(path)\": the path is empty or contains a NUL character"
    case .parentMissing(let path, let parent):
      "cannot listen on \(path): there is no directory \(parent)"
    case .parentNotWritable(let path, let parent, let why):
      "cannot listen on \(path): the directory \(parent) cannot be written: \(why)"
    case .notASocket(let path):
      "cannot listen on \(path): a file that is not a socket is already there"
    case .inUse(let path):
      "cannot listen on \(path): another daemon already uses it"
    case .cannotProbe(let path, let why):
      "cannot listen on \(path): cannot check whether another daemon uses this socket: \(why)"
    case .notListening(let descriptor, let why):
      "cannot listen on descriptor \(descriptor): \(why)"
    case .system(let what, let why):
      "cannot \(what): \(why)"
    }
  }
}
