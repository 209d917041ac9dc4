import Alarms
import Logging
import NIOCore
import Synchronization

/// The key with which the server counts the connections and the log lines of each user.
enum ClientKey: Hashable, Sendable {
  /// One user who has a role.
  case user(UInt32)
  /// All users without a role together. With separate keys, somebody who controls very many user
  /// ids could open more connections than the limits allow.
  case usersWithoutRole

  init(uid: UInt32, roles: [Role]) { self = roles.isEmpty ? .usersWithoutRole : .user(uid) }
}

/// Writes log lines about connections, with a limit for each user.
///
/// Because of this limit, one user cannot fill the journal.
final class ConnectionLog: Sendable {
  /// The maximum number of log lines about one user in one time window.
  ///
  /// All users without a role together count as one user.
  static let linesPerWindow = 5
  /// The length of a time window in seconds. When the time window of a user has ended, the next log
  /// line about this user starts a new time window.
  static let windowSeconds = 900.0
  /// The maximum number of users with a separate time window (see `windowSeconds`). All other users
  /// share one time window with the users without a role.
  static let mostClients = 64

  private struct Window {
    var start: NIODeadline
    var lines = 0
  }

  private let logger: Logger
  private let now: @Sendable () -> NIODeadline
  private let windows = Mutex<[ClientKey: Window]>([:])

  init(_ logger: Logger, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
    self.logger = logger
    self.now = now
  }

  /// Logs one line. If this user already has the maximum number of lines in the present time window
  /// (`linesPerWindow`), the function logs nothing.
  func note(_ entry: ClientKey, _ what: String) {
    let now = now()
    let (allowed, leftOut) = windows.withLock { windows -> (Bool, Int) in
      var entry = entry
      if windows[entry] == nil, windows.count >= Self.mostClients {
        windows = windows.filter { (now - $0.value.start).seconds < Self.windowSeconds }
        if windows.count >= Self.mostClients { entry = .usersWithoutRole }
      }
      var window = windows[entry] ?? Window(start: now)
      var leftOut = 0
      if (now - window.start).seconds >= Self.windowSeconds {
        leftOut = max(0, window.lines - Self.linesPerWindow)
        window = Window(start: now)
      }
      window.lines += 1
      windows[entry] = window
      return (window.lines <= Self.linesPerWindow, leftOut)
    }
    guard allowed else { return }
    let more = leftOut > 0 ? "; \(leftOut) earlier lines like this were not written" : ""
    logger.info("\(what)\(more)")
  }

  /// Logs a line that is useful only for debugging.
  func debug(_ line: @autoclosure () -> String) { logger.debug("\(line())") }
}
