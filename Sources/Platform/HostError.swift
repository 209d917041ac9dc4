import Glibc

/// An error of the operating system, the state directory or a zone.
public enum HostError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed. The first value is the purpose of the call, and the second value is the
  /// `errno`.
  case system(String, CInt)
  case stateDirectory(path: String, reason: String)
  /// Another daemon uses the same state directory.
  case locked(path: String, pid: String)
  case zone(name: String, reason: String)

  /// The name of the kind of error, for programs. The name never changes.
  public var kind: String {
    switch self {
    case .system: "system"
    case .stateDirectory: "state_directory"
    case .locked: "locked"
    case .zone: "zone"
    }
  }

  public var description: String {
    switch self {
    case .system(let what, let code): "cannot \(what): \(String(cString: strerror(code)))"
    case .stateDirectory(let path, let reason):
      "cannot use the state directory \"\(path)\": \(reason)"
    case .locked(let path, let pid):
      "cannot use the state directory \"\(path)\": another prompterd is running on it (\(pid))"
    case .zone(let name, let reason): "cannot use the zone \"\(name)\": \(reason)"
    }
  }
}
