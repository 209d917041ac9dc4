import CaretakerPages
import ClientKit
import NIOCore
import NIOPosix
import Sentences

/// The page server for a caretaker, together with the parts that it needs.
package struct CaretakerService: Sendable {
  /// The address of the first page, for the browser.
  package let address: String

  private let feed: ChangeFeed
  private let loop: any EventLoop
  private let home: CaretakerClient

  /// The interval between two checks whether a page is open, in seconds.
  private static let checkSeconds: Int64 = 5
  /// The maximum number of pages that wait for the daemon at the same time. Each page needs one
  /// connection to the daemon, and the daemon permits eight connections per user.
  private static let pages = 3

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - language: the language of the pages; nil if each page uses the language of the browser.
  ///   - phones: a function that answers the requests about phones.
  ///   - report: a function that writes a line for the person who runs the program.
  package init(
    client: Client, language: Language?, browser: OneBrowser,
    phones: @escaping CaretakerClient.AskPhones,
    report: @escaping @Sendable (_ line: String) -> Void
  ) throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let feed = ChangeFeed(milliseconds: monotonicMilliseconds, report: report)
    let (home, site) = (
      CaretakerClient(client: client, phones: phones), CaretakerSite(language: language)
    )
    let pool = NIOThreadPool(numberOfThreads: Self.pages)
    pool.start()
    let listen = LoopbackAddress(host: "127.0.0.1", port: 0)
    let server = try PageServer(at: listen, loop: loop, browser: browser) { hosts in
      CaretakerHandler(
        site: site, access: OneBrowserAccess(browser: browser, home: home, hosts: hosts),
        feed: feed, pool: pool)
    }
    address = server.firstAddress(for: browser)
    (self.feed, self.loop, self.home) = (feed, loop, home)
  }

  /// Follows the events of the daemon on another thread.
  package func start() {
    feed.start(on: loop)
    DaemonFollower(source: home, listener: feed).start()
  }

  /// Calls `act` once, after all pages have been closed for `seconds` seconds. Before the first
  /// page was open, the function does not call `act`.
  package func whenClosed(for seconds: Int64, _ act: @escaping @Sendable () -> Void) {
    let interval = TimeAmount.seconds(Self.checkSeconds)
    loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { task in
      guard feed.hasBeenClosed(for: seconds) else { return }
      task.cancel()
      act()
    }
  }
}
