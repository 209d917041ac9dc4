import CSystemd
import Glibc

/// Messages to systemd: the daemon is ready, alive or stopping.
///
/// Without systemd, all functions do nothing.
public struct ServiceManager: Sendable {
  public init() {}

  /// The sockets from socket activation, by name. Call it once, at the start.
  public func inheritedSockets() -> [(name: String, descriptor: CInt)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0 else { return [] }
    return (0..<Int(count)).map { index in
      let name = names?[index].map { String(cString: $0) } ?? "unknown"
      return (name, CInt(index) + SD_LISTEN_FDS_START)
    }
  }

  /// Whether a service manager restarts the daemon if it ends.
  public var isPresent: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// Tells systemd that alarms are armed and requests are accepted.
  public func ready(status: String) { notify("READY=1\nSTATUS=\(status)") }

  /// Tells systemd that the service is stopping.
  public func stopping() { notify("STOPPING=1") }

  /// Tells systemd's watchdog that the daemon is alive.
  public func alive() { notify("WATCHDOG=1") }

  /// Time limit of systemd's watchdog in microseconds; nil if it is off.
  public var watchdogMicroseconds: UInt64? {
    var interval: UInt64 = 0
    return sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
  }

  private func notify(_ state: String) {
    // It fails only if nothing listens; then the watchdog notices the missing message.
    _ = sd_notify(0, state)
  }
}
