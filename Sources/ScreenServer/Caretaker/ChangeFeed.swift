import JSONValue
import NIOCore
import Synchronization

/// Tells the open pages of a caretaker that something in the home has changed.
///
/// Each page receives a line when it connects, after each change, and every few seconds to show
/// that the connection works. After a change, the page loads itself again.
package final class ChangeFeed: EventListener {
  typealias Writer = @Sendable (_ line: String) -> Void

  /// The stream of an open page.
  private struct Viewer {
    var write: Writer
    /// The number of the device that shows the page; nil if the server is restricted to one
    /// browser.
    var device: Int?
    var close: @Sendable () -> Void
  }

  private struct State {
    /// The number of changes in the home so far.
    var version = 1
    var isConnected = false
    var trouble: String?
    var viewers: [Int: Viewer] = [:]
    var nextViewer = 0
    /// The later of two times, in milliseconds: the time of the newest request, and the time at
    /// which the last page was closed.
    var usedAt: Int64 = 0
    /// True if at least one page with a running script has been open.
    var wasOpen = false
  }

  private let state = Mutex(State())
  private let milliseconds: @Sendable () -> Int64
  private let report: @Sendable (_ line: String) -> Void

  /// The interval between two lines that show a page that the connection works, in seconds.
  private static let tickSeconds: Int64 = 5

  package init(
    milliseconds: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (_ line: String) -> Void
  ) {
    (self.milliseconds, self.report) = (milliseconds, report)
  }

  package func start(on loop: any EventLoop) {
    loop.scheduleRepeatedTask(
      initialDelay: .seconds(Self.tickSeconds), delay: .seconds(Self.tickSeconds)
    ) { _ in self.state.withLock { self.sendLine($0) } }
  }

  // MARK: Pages

  /// The number of changes so far. A page that is made now contains this number.
  var version: Int { state.withLock { $0.version } }

  /// Notes that the browser sent a request.
  func used() { state.withLock { $0.usedAt = milliseconds() } }

  /// Adds a page, and sends a line to this page at once.
  ///
  /// - Parameter close: a function that ends the stream.
  /// - Returns: the number of the page, which `remove` needs.
  func add(
    _ write: @escaping Writer, device: Int?, close: @escaping @Sendable () -> Void
  ) -> Int {
    state.withLock { state in
      state.nextViewer += 1
      state.viewers[state.nextViewer] = Viewer(write: write, device: device, close: close)
      state.wasOpen = true
      write(Self.line(state))
      return state.nextViewer
    }
  }

  func remove(viewer: Int) {
    state.withLock { state in
      state.viewers[viewer] = nil
      state.usedAt = milliseconds()
    }
  }

  /// Ends the streams of all pages that a device shows.
  package func close(device: Int) {
    let closed = state.withLock { state in state.viewers.values.filter { $0.device == device } }
    for viewer in closed { viewer.close() }
  }

  /// Returns true if all pages have been closed for at least `seconds` seconds. Each request of the
  /// browser starts this time again. Before the first page was open, the result is false.
  func hasBeenClosed(for seconds: Int64) -> Bool {
    state.withLock { state in
      state.wasOpen && state.viewers.isEmpty && milliseconds() - state.usedAt >= seconds * 1_000
    }
  }

  // MARK: The daemon

  package func connected() {
    state.withLock { state in
      state.isConnected = true
      state.trouble = nil
      // The server may have missed events before this connection.
      state.version += 1
      sendLine(state)
    }
  }

  package func readAgain() {
    state.withLock { state in
      state.version += 1
      sendLine(state)
    }
  }

  package func lost(_ why: String) {
    state.withLock { state in
      if state.trouble != why { report(why) }
      state.trouble = why
      state.isConnected = false
      sendLine(state)
    }
  }

  private func sendLine(_ state: State) {
    let line = Self.line(state)
    for viewer in state.viewers.values { viewer.write(line) }
  }

  private static func line(_ state: State) -> String {
    let document = JSON.object([
      ("version", .integer(Int64(state.version))), ("connected", .bool(state.isConnected)),
    ])
    return "\(document)\n"
  }
}
