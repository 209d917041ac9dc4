import Glibc
import NIOPosix
import Synchronization

/// A line on the terminal that says how far long work is: on standard error, only where a person looks
/// at it, only once it has taken a second, and gone when the work is over.
///
/// Until somebody knows how much there will be, it counts and does not promise.
final class Activity: Sendable {
  private struct State {
    var bytes = 0
    var total: Int?
    var isOver = false
  }
  private let what: String
  private let state = Mutex(State())
  private let isShown: Bool
  private static let ticksPerSecond: UInt32 = 4

  init(_ what: String) {
    self.what = what
    isShown = isatty(2) == 1
    guard isShown else { return }
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    pool.submit { _ in self.tick() }
  }

  /// Shows the line for as long as `body` takes.
  static func during<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
    let activity = Activity(what)
    defer { activity.end() }
    return try body()
  }

  /// Says how much there will be.
  func expect(bytes: Int?) { state.withLock { $0.total = bytes } }

  func add(bytes: Int) { state.withLock { $0.bytes += bytes } }

  /// Takes the line away.
  func end() {
    state.withLock { state in
      state.isOver = true
      if isShown { Terminal.write(Array("\r\u{1B}[K".utf8), to: 2) }
    }
  }

  private func tick() {
    let turning = ["|", "/", "-", "\\"]
    for count in 1... {
      usleep(1_000_000 / Self.ticksPerSecond)
      let isOver = state.withLock { state in
        let seconds = UInt32(count) / Self.ticksPerSecond
        if !state.isOver, seconds > 0 {
          let size = Self.size(state.bytes, of: state.total)
          let line = "\r\u{1B}[K\(turning[count % 4]) \(what), \(seconds) s\(size)"
          Terminal.write(Array(line.utf8), to: 2)
        }
        return state.isOver
      }
      if isOver { return }
    }
  }

  private static func size(_ bytes: Int, of total: Int?) -> String {
    guard bytes > 0 else { return "" }
    guard let total, total > 0 else { return ", \(mebibytes(bytes)) MiB" }
    let twentieths = min(20, bytes * 20 / total)
    let bar =
      String(repeating: "#", count: twentieths) + String(repeating: "-", count: 20 - twentieths)
    return " [\(bar)] \(mebibytes(bytes)) of \(mebibytes(total)) MiB"
  }

  private static func mebibytes(_ bytes: Int) -> String {
    let tenths = bytes * 10 >> 20
    return "\(tenths / 10).\(tenths % 10)"
  }
}
