/// Decides when to start the browser, and when to stop the browser so that it starts again. The
/// type does not read a clock, because the caller passes the time.
///
/// - Every 10 seconds, a page reports that the browser painted a frame. If no report arrives for 45
///   seconds, the browser hangs: the page or the process that paints the page does not work.
/// - A page keeps one connection open to receive new screens. If a page was connected and then no
///   page is connected for 6 seconds, the page has crashed. In this case, Chromium shows an error
///   instead of the page.
/// - The time between two starts is at least 30 seconds. Otherwise, a browser that cannot start
///   would use the processor time that the daemon needs.
struct BrowserWatch {
  /// The waiting times of the watch, in milliseconds.
  struct Limits {
    var frame: Int64 = 45_000
    var page: Int64 = 6_000
    var restart: Int64 = 30_000
  }

  /// The numbers that the page server knows about its pages.
  struct Signs {
    /// The number of connected pages.
    var pages = 0
    /// The number of painted frames that pages have reported.
    var frames = 0
  }

  enum Action: Hashable {
    case start
    case stop(Cause)
  }

  enum Cause: Hashable {
    case noFrame
    case noPage
  }

  private let limits: Limits
  /// The time of the last start of the browser; nil before the first start.
  private var startedAt: Int64?
  /// The time of the last frame that this browser painted. Before the first frame, the value is the
  /// time of the start of this browser.
  private var paintedAt: Int64 = 0
  /// The number of frames at the last check.
  private var frames = 0
  /// The last time at which a page of this browser was connected; nil if no page has connected yet.
  private var connectedAt: Int64?
  /// True if the browser has painted a frame since its last start.
  private(set) var hasPainted = false

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Decides what the caller must do now.
  ///
  /// - Parameter isRunning: true if the browser of the last start still runs.
  /// - Returns: the action of the caller; nil if the caller only waits.
  mutating func action(at now: Int64, isRunning: Bool, _ signs: Signs) -> Action? {
    // A report from the previous browser does not count.
    defer { frames = signs.frames }
    guard let startedAt else { return start(at: now) }
    let mayStart = now - startedAt >= limits.restart
    guard isRunning else { return mayStart ? start(at: now) : nil }
    if signs.frames > frames { (hasPainted, paintedAt) = (true, now) }
    if signs.pages > 0 { connectedAt = now }
    guard mayStart else { return nil }
    if now - paintedAt >= limits.frame { return .stop(.noFrame) }
    if let connectedAt, now - connectedAt >= limits.page { return .stop(.noPage) }
    return nil
  }

  private mutating func start(at now: Int64) -> Action {
    (startedAt, paintedAt, connectedAt, hasPainted) = (now, now, nil, false)
    return .start
  }
}
