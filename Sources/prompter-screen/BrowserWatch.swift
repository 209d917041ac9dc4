/// Decides when the browser is started, and when it is stopped so that it starts again. It reads no
/// clock: the caller passes the time.
///
/// - A page reports each 10 seconds that a frame was painted. If no report comes for 45 seconds, the
///   browser hangs: the page, or the process that paints it, does not work.
/// - A page keeps one connection open for new screens. If a page was connected and none is connected
///   for 6 seconds, the page has crashed: Chromium then shows an error instead of the page.
/// - Between two starts are at least 30 seconds, so that a browser that cannot start does not take
///   the processor from the daemon.
struct BrowserWatch {
  /// The times that the watch waits, in milliseconds.
  struct Limits {
    var frame: Int64 = 45_000
    var page: Int64 = 6_000
    var restart: Int64 = 30_000
  }

  /// What the page server knows of its pages.
  struct Signs {
    /// The number of pages that are connected.
    var pages = 0
    /// The number of painted frames that pages reported.
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
  /// The time of the last start; nil before the first one.
  private var startedAt: Int64?
  /// The time of the last frame of this browser, or of its start.
  private var paintedAt: Int64 = 0
  /// The number of frames at the last look.
  private var frames = 0
  /// The last time at which a page of this browser was connected; nil if none was yet.
  private var connectedAt: Int64?
  /// True if a frame was painted since the last start.
  private(set) var hasPainted = false

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Decides what to do now.
  ///
  /// - Parameter isRunning: true if the browser that was started last still runs.
  /// - Returns: what the caller must do; nil if the caller only waits.
  mutating func action(at now: Int64, isRunning: Bool, _ signs: Signs) -> Action? {
    // A report of the browser before this one does not count.
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
