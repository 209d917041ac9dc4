import API
import Glibc
import NIOPosix
import Synchronization

/// A line on standard error that shows the progress of a long operation.
///
/// The line appears only on a terminal, one second after the start of the operation. It disappears
/// at the end of the operation. Until the total number of events or bytes is known, the line shows
/// only the number that is already processed.
package final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var total: Int?
    var unit: Unit
    /// True if this process counts the bytes and does not ask the daemon for the progress.
    var isCounted = false
    var isOver = false
  }
  private let what: String
  private let state: Mutex<State>
  private let isShown: Bool
  private let ask: (@Sendable () -> (done: Int, total: Int)?)?

  /// The unit in which the progress line counts the progress.
  package enum Unit { case events, bytes }
  private static let ticksPerSecond: UInt32 = 4

  /// - Parameters:
  ///   - what: the name of the operation in the progress line.
  ///   - ask: a function that returns the progress. The progress line calls this function once a
  ///     second on a separate thread. After a call of `expect(bytes:)`, this process counts the
  ///     bytes, and the progress line no longer calls the function.
  package init(
    _ what: String, counting unit: Unit = .events,
    ask: (@Sendable () -> (done: Int, total: Int)?)? = nil
  ) {
    self.what = what
    state = Mutex(State(unit: unit))
    self.ask = ask
    isShown = isatty(2) == 1
    guard isShown else { return }
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    pool.submit { _ in self.tick() }
  }

  /// Shows the progress line while `body` runs.
  package static func during<Result>(
    _ what: String, counting unit: Unit = .events,
    ask: (@Sendable () -> (done: Int, total: Int)?)? = nil,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let activity = ProgressLine(what, counting: unit, ask: ask)
    defer { activity.end() }
    return try body()
  }

  /// Sets the total number of bytes; nil if the total is unknown.
  package func expect(bytes: Int?) {
    state.withLock { state in
      (state.done, state.total, state.unit, state.isCounted) = (0, bytes, .bytes, true)
    }
  }

  package func add(bytes: Int) { state.withLock { $0.done += bytes } }

  private func look() {
    guard state.withLock({ !$0.isCounted && !$0.isOver }), let found = ask?() else { return }
    state.withLock { state in
      if !state.isCounted { (state.done, state.total) = (found.done, found.total) }
    }
  }

  /// Removes the line from the terminal.
  package func end() {
    state.withLock { state in
      state.isOver = true
      if isShown { Terminal.write(Array("\r\u{1B}[K".utf8), to: 2) }
    }
  }

  private func tick() {
    let turning = ["|", "/", "-", "\\"]
    for count in 1... {
      usleep(1_000_000 / Self.ticksPerSecond)
      if UInt32(count) % Self.ticksPerSecond == 0 { look() }
      let isOver = state.withLock { state in
        let seconds = UInt32(count) / Self.ticksPerSecond
        if !state.isOver, seconds > 0 {
          let size = Self.size(state.done, of: state.total, state.unit)
          let line = "\r\u{1B}[K\(turning[count % 4]) \(Terminal.shown(what)), \(seconds) s\(size)"
          Terminal.write(Array(line.utf8), to: 2)
        }
        return state.isOver
      }
      if isOver { return }
    }
  }

  private static func size(_ done: Int, of total: Int?, _ unit: Unit) -> String {
    guard done > 0 else { return "" }
    func words(_ count: Int) -> String {
      unit == .bytes ? mebibytes(count) : "\(count)"
    }
    let noun = unit == .bytes ? "MiB" : "events"
    guard let total, total > 0 else { return ", \(words(done)) \(noun)" }
    let twentieths = min(20, done * 20 / total)
    let bar =
      String(repeating: "#", count: twentieths) + String(repeating: "-", count: 20 - twentieths)
    return " [\(bar)] \(words(done)) of \(words(total)) \(noun)"
  }

  private static func mebibytes(_ bytes: Int) -> String {
    let tenths = bytes * 10 >> 20
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension ConnectionOptions {
  /// Returns a function that asks the daemon for the progress of one kind of operation.
  ///
  /// - Returns: nil if the connection uses ssh. With ssh, each request for the progress would be a
  ///   new login.
  package func progress(
    of kind: LongWork.Kind
  ) -> (@Sendable () -> (done: Int, total: Int)?)? {
    guard case .here = address else { return nil }
    let client = client
    return {
      // If this request fails, the line shows no progress. Only the main request reports its
      // errors.
      guard let status = try? client.send(Request(.status)).document(),
        let work = status.list("work").first(where: { $0.text("kind") == kind.rawValue })
      else { return nil }
      return (work.count("done"), work.count("total"))
    }
  }
}
