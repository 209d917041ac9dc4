import CSystemd
import Glibc

/// Tells systemd that the program is ready, is alive, or stops.
///
/// If systemd did not start the program, these functions do nothing.
public struct ServiceManager: Sendable {
  public init() {}

  /// Returns the sockets that systemd opened for the program (socket activation), with their names.
  /// A program calls this function once, when the program starts.
  public func inheritedSockets() -> [(name: String, descriptor: CInt)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0 else { return [] }
    return (0..<Int(count)).map { index in
      let name = names?[index].map { String(cString: $0) } ?? "unknown"
      return (name, CInt(index) + SD_LISTEN_FDS_START)
    }
  }

  /// True if a service manager started the program. The service manager also restarts the program
  /// if the program ends.
  public var isPresent: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// Reports to systemd that the program is ready and works.
  public func ready(status: String) { notify("READY=1\nSTATUS=\(status)") }

  /// Sets the line that `systemctl status` shows.
  public func status(_ line: String) { notify("STATUS=\(line)") }

  /// Reports to systemd that the program stops.
  public func stopping() { notify("STOPPING=1") }

  /// Reports to the systemd watchdog that the program is alive.
  public func alive() { notify("WATCHDOG=1") }

  /// The time limit of the systemd watchdog in microseconds; nil if the watchdog is off.
  public var watchdogMicroseconds: UInt64? {
    var interval: UInt64 = 0
    return sd_watchdog_enabled(0, &interval) > 0 ? interval : nil
  }

  private func notify(_ state: String) {
    // The call fails only if systemd does not read from its socket. The program can ignore this
    // error: if systemd gets no `WATCHDOG=1` in time, its watchdog restarts the program.
    _ = sd_notify(0, state)
  }
}
