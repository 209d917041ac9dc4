import Glibc
import Processes
import Synchronization
import Systemd

/// Starts the browser, watches the browser, and restarts it if necessary. `BrowserWatch` decides
/// when a restart is necessary.
final class BrowserKeeper: Sendable {
  private let command: BrowserCommand
  private let address: String
  private let limits: BrowserWatch.Limits
  private let signs: @Sendable () -> BrowserWatch.Signs
  /// The time of the last check of the browser, in milliseconds.
  private let lookedAt: Mutex<Int64>

  /// The interval between two checks of the browser, in milliseconds.
  private static let lookMilliseconds = 1_000

  init(
    _ command: BrowserCommand, address: String, limits: BrowserWatch.Limits,
    signs: @escaping @Sendable () -> BrowserWatch.Signs
  ) {
    (self.command, self.address, self.limits) = (command, address, limits)
    self.signs = signs
    lookedAt = Mutex(monotonicMilliseconds())
  }

  /// The time since the last check of the browser, in milliseconds. If this time becomes long, the
  /// thread that watches the browser hangs.
  var silence: Int64 { monotonicMilliseconds() - lookedAt.withLock { $0 } }

  /// Starts the thread that watches the browser. Call this function before the program starts any
  /// other thread. Reason: the watching thread waits for signals, and the system must not deliver
  /// these signals to another thread.
  ///
  /// - Returns: false if the system cannot start a thread.
  func start() -> Bool { startThread { self.keep() } }

  /// Blocks the signals that `keep` waits for. The signals are blocked in this thread and in all
  /// threads that this thread starts later.
  static func blockSignals() {
    var signals = awaited
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static var awaited: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGCHLD] { sigaddset(&signals, signal) }
    return signals
  }

  private func keep() {
    var watch = BrowserWatch(limits: limits)
    var browser: Browser?
    var hasPainted = false
    while true {
      // This clock stops while the machine sleeps. Therefore a browser does not seem to hang after
      // the machine wakes.
      let now = monotonicMilliseconds()
      lookedAt.withLock { $0 = now }
      if let one = browser, !one.isRunning {
        report("the browser ended: \(one.end())")
        browser = nil
      }
      switch watch.action(at: now, isRunning: browser != nil, signs()) {
      case .start:
        browser = open()
        continue
      case .stop(let cause):
        report("\(words(cause)); the browser is started again")
        _ = browser?.end()
        browser = nil
        continue
      case nil: break
      }
      if watch.hasPainted != hasPainted {
        hasPainted = watch.hasPainted
        tell(hasPainted ? "the browser shows the screen" : "the browser starts")
      }
      if isAskedToEnd() {
        _ = browser?.end()
        _exit(0)
      }
    }
  }

  private func open() -> Browser? {
    do {
      return try Browser(command, address: address)
    } catch {
      report("\(error); the next try is in \(limits.restart / 1_000) s")
      return nil
    }
  }

  /// Waits until a signal arrives, at most one second. Returns true if the signal asks the program
  /// to end.
  private func isAskedToEnd() -> Bool {
    var signals = Self.awaited
    var pause = timespec(
      tv_sec: Self.lookMilliseconds / 1_000, tv_nsec: Self.lookMilliseconds % 1_000 * 1_000_000)
    let signal = sigtimedwait(&signals, nil, &pause)
    return signal == SIGTERM || signal == SIGINT
  }

  private func tell(_ line: String) {
    report(line)
    ServiceManager().status(line)
  }

  private func words(_ cause: BrowserWatch.Cause) -> String {
    switch cause {
    case .noFrame: "the browser painted no frame for \(limits.frame / 1_000) s"
    case .noPage: "the page was closed or has crashed"
    }
  }
}
