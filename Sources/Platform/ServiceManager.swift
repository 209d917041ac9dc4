import CSystemd
import Glibc

/// What systemd asks of a service: to say when it is ready, alive and going. Without systemd all of
/// it does nothing.
public struct ServiceManager: Sendable {
  public init() {}

  /// The sockets handed over by socket activation, by name. Ask once, first thing.
  public func inheritedSockets() -> [(name: String, descriptor: CInt)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0 else { return [] }
    return (0..<Int(count)).map { index in
      let name = names?[index].map { String(cString: $0) } ?? "unknown"
      return (name, CInt(index) + SD_LISTEN_FDS_START)
    }
  }

  /// Whether somebody looks after us, and starts us again when we end.
  public var isPresent: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// Tells systemd that alarms are armed and requests are taken.
  public func ready(status: String) { notify("READY=1\nSTATUS=\(status)") }

  /// Tells systemd that the service is on its way out.
  public func stopping() { notify("STOPPING=1") }

  /// Tells systemd's watchdog that the daemon is alive.
  public func alive() { notify("WATCHDOG=1") }

  /// How often systemd wants to hear that the daemon is alive, in microseconds; nil where it does not.
  public var watchdogMicroseconds: UInt64? {
    var interval: UInt64 = 0
    return sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
  }

  private func notify(_ state: String) {
    // Fails only where there is nobody to hear it, and the watchdog then acts on the silence.
    _ = sd_notify(0, state)
  }
}
