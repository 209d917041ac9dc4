import NIOCore
import NIOPosix

/// The page server together with the parts that it needs: the stage, and the follower of the
/// daemon's events.
package struct ScreenService: Sendable {
  /// The address of the screen, for the browser.
  package let address: String

  package let stage: Stage
  /// The event loop that serves the pages.
  package let loop: any EventLoop

  private let home: DaemonHome

  /// The interval between two checks whether a page is open, in seconds.
  private static let checkSeconds: Int64 = 5
  /// The maximum number of answers that wait for the daemon at the same time. Each answer needs one
  /// connection to the daemon, and the daemon permits eight connections per user.
  private static let answers = 2

  /// Begins to listen. The screen shows "not connected" until the caller calls `start`.
  ///
  /// - Parameters:
  ///   - browser: the access of one browser; nil if every user of this machine may use the screen.
  ///   - light: a function that makes the display bright or dim.
  ///   - report: a function that writes a line for the person who runs the program.
  package init(
    home: DaemonHome, listen: LoopbackAddress, browser: OneBrowser?,
    light: @escaping @Sendable (_ isNight: Bool) -> Void = { _ in },
    report: @escaping @Sendable (_ line: String) -> Void
  ) throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let stage = Stage(
      home: home, loop: loop, milliseconds: monotonicMilliseconds,
      wallMilliseconds: wallMilliseconds, light: light, report: report)
    let pool = NIOThreadPool(numberOfThreads: Self.answers)
    pool.start()
    let server = try PageServer(at: listen, loop: loop, browser: browser) { hosts in
      PageHandler(stage: stage, home: home, pool: pool, hosts: hosts, browser: browser)
    }
    address = server.firstAddress(for: browser)
    (self.home, self.stage, self.loop) = (home, stage, loop)
  }

  /// Follows the events of the daemon on another thread.
  package func start() {
    stage.start()
    DaemonFollower(source: home, listener: stage).start()
  }

  /// Calls `act` once, after all pages have been closed for `seconds` seconds. Before the first
  /// page was open, the function does not call `act`.
  package func whenClosed(for seconds: Int64, _ act: @escaping @Sendable () -> Void) {
    let interval = TimeAmount.seconds(Self.checkSeconds)
    loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { task in
      guard stage.hasBeenClosed(for: seconds) else { return }
      task.cancel()
      act()
    }
  }
}
