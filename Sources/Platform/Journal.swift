import Alarms
import CSystemd
import Dispatch
import Glibc
import Synchronization

/// The journal of the machine. Each entry has fields for queries such as `journalctl PROMPT_ID=…`.
///
/// A ring must not wait for the journal, but a call that sends an entry does not return if the
/// journal service does not read. Therefore, a queue on a separate thread sends the entries. If too
/// many entries wait in the queue, the queue drops new entries and counts them.
public final class Journal: Sendable {
  /// The maximum number of waiting entries. The queue becomes this long only if the journal service
  /// reads no entries.
  private static let longestLine = 1_000

  private struct State {
    var waiting = 0
    var dropped = 0
  }

  private let queue = DispatchQueue(label: "journal")
  private let state = Mutex(State())

  /// - Returns: nil if standard error is not connected to the journal. In this case, the caller
  ///   must log to standard error.
  public init?() {
    guard let stream = getenv("JOURNAL_STREAM") else { return nil }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0,
      String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    else { return nil }
  }

  /// Puts an entry into the queue, and returns at once.
  ///
  /// The function replaces each control character by a visible character. There are two reasons. If
  /// a value contained a line feed, the rest of the value could look like a separate entry. If a
  /// value contained an escape sequence, this sequence would reach the terminal of a person who
  /// reads the journal.
  ///
  /// - Parameters:
  ///   - priority: a syslog priority: `LOG_ERR`, `LOG_WARNING` or `LOG_INFO`.
  ///   - fields: additional fields of the entry. Each name consists of capital letters and
  ///     underscores.
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

  /// Waits until all entries are sent. A process calls this function before it ends.
  public func flush() { queue.sync {} }

  /// Returns the fields of one entry, each as `NAME=value`.
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
    // Ignore an error, because systemd detects it if the journal does not run.
    _ = vectors.withUnsafeBufferPointer { sd_journal_sendv($0.baseAddress, CInt($0.count)) }
  }
}
