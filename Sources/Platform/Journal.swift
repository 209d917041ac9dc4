import Alarms
import CSystemd
import Dispatch
import Glibc
import Synchronization

/// The machine's journal, with fields that can be asked for: `journalctl PROMPT_ID=…`.
///
/// Sending waits where the journal does not read, and a ring must not: so a queue of its own sends, and
/// what comes while too much is waiting is counted and dropped.
public final class Journal: Sendable {
  /// More lines than that are waiting only where the journal has stopped reading.
  private static let longestLine = 1_000

  private struct State {
    var waiting = 0
    var dropped = 0
  }

  private let queue = DispatchQueue(label: "journal")
  private let state = Mutex(State())

  /// - Returns: nil where our standard error is not the journal's: then lines belong there.
  public init?() {
    guard let stream = getenv("JOURNAL_STREAM") else { return nil }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0,
      String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    else { return nil }
  }

  /// Writes a line; returns at once.
  ///
  /// Each value is one line there: a line feed in it could be taken for the beginning of another entry, and
  /// an escape sequence reaches the terminal of whoever reads the journal.
  ///
  /// - Parameters:
  ///   - priority: as syslog counts, `LOG_ERR`, `LOG_WARNING`, `LOG_INFO`.
  ///   - fields: further fields; names of capital letters and underscores.
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
        Self.send("\(dropped) lines were not written: the journal did not read", LOG_WARNING, [])
      }
      Self.send(text, priority, fields)
      state.withLock { $0.waiting -= 1 }
    }
  }

  /// Waits until everything is written, for the last words of a process.
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
    // A journal that is not there is noticed by systemd itself.
    _ = vectors.withUnsafeBufferPointer { sd_journal_sendv($0.baseAddress, CInt($0.count)) }
  }
}
