import Alarms
import CSystemd
import Dispatch
import Glibc
import Synchronization

/// The machine's journal, with fields for queries such as `journalctl PROMPT_ID=…`.
///
/// Sending blocks if the journal does not read, and a ring must not wait for it. So a separate
/// queue sends the lines. Lines that come while too many are waiting are counted and dropped.
public final class Journal: Sendable {
  /// Maximum waiting lines; there are more only if the journal has stopped reading.
  private static let longestLine = 1_000

  private struct State {
    var waiting = 0
    var dropped = 0
  }

  private let queue = DispatchQueue(label: "journal")
  private let state = Mutex(State())

  /// - Returns: nil if standard error is not connected to the journal; then log to standard error.
  public init?() {
    guard let stream = getenv("JOURNAL_STREAM") else { return nil }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0,
      String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    else { return nil }
  }

  /// Writes a line and returns at once.
  ///
  /// Control characters are made visible, so that each value is one line. A line feed could look
  /// like the beginning of another entry, and an escape sequence would reach the terminal of the
  /// person who reads the journal.
  ///
  /// - Parameters:
  ///   - priority: a syslog priority: `LOG_ERR`, `LOG_WARNING` or `LOG_INFO`.
  ///   - fields: further fields; their names are capital letters and underscores.
  public func write(_ text: String, priority: CInt, fields: [(name: String, value: String)] = []) {
    let dropped = state.withLock { state -> Int? in
      if state.waiting >= Self.longestLine {
        state.dropped += 1
        return nil
      }
      state.waiting += 1
      defer { state.dropped = 0 }
      return state.dropped
    }
    guard let dropped else { return }
    queue.async { [self] in
      if dropped > 0 {
        Self.send(
          "\(dropped) log lines are missing: the journal did not accept them", LOG_WARNING, [])
      }
      Self.send(text, priority, fields)
      state.withLock { $0.waiting -= 1 }
    }
  }

  /// Waits until all lines are written, before a process ends.
  public func flush() { queue.sync {} }

  /// The fields of one entry, as `NAME=value`.
  static func entries(
    _ text: String, _ priority: CInt, _ fields: [(name: String, value: String)]
  ) -> [String] {
    let lines =
      [("MESSAGE", text), ("PRIORITY", "\(priority)"), ("SYSLOG_IDENTIFIER", "prompterd")]
      + fields
    return lines.map { "\($0.0)=\(VisibleText.shown($0.1, keepsLines: false))" }
  }

  private static func send(
    _ text: String, _ priority: CInt, _ fields: [(name: String, value: String)]
  ) {
    let entries = entries(text, priority, fields).map { strdup($0) }
    defer { for entry in entries { free(entry) } }
    let vectors = entries.compactMap { entry in
      entry.map { iovec(iov_base: UnsafeMutableRawPointer($0), iov_len: strlen($0)) }
    }
    // Errors are ignored: systemd itself notices if the journal does not run.
    _ = vectors.withUnsafeBufferPointer { sd_journal_sendv($0.baseAddress, CInt($0.count)) }
  }
}
