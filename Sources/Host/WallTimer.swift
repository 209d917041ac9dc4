import CLinux
import CivilTime
import Glibc

/// One timer on the wall clock, on a thread of its own.
///
/// A `timerfd` with `TFD_TIMER_CANCEL_ON_SET`: when somebody steps the clock, the read fails at once
/// with ECANCELED, so that a step never goes unnoticed until the next ring. With the capability for
/// it (CAP_WAKE_ALARM) the timer also wakes a suspended device.
public final class WallTimer: Sendable {
  /// Yields once for every expiry and every step of the clock. Ticks that nobody has taken yet merge.
  public let ticks: AsyncStream<Void>
  /// Whether this timer wakes a suspended device.
  public let wakesFromSuspend: Bool
  private let descriptor: CInt
  private let continuation: AsyncStream<Void>.Continuation

  /// - Throws: the system's reason where no timer is to be had.
  public init() throws(HostError) {
    let flags = CInt(TFD_CLOEXEC)
    var timer = timerfd_create(CLOCK_REALTIME_ALARM, flags)
    wakesFromSuspend = timer >= 0
    if timer < 0 { timer = timerfd_create(CLOCK_REALTIME, flags) }
    guard timer >= 0 else { throw HostError.system("create a timer", errno) }
    descriptor = timer
    (ticks, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self)
    let failure = pthread_create(&thread, nil, runTimer, me.toOpaque())
    guard failure == 0 else {
      me.release()
      throw HostError.system("start the timer's thread", failure)
    }
    pthread_detach(thread)
  }

  /// Sets the one instant at which to tick next; one that has passed ticks at once.
  public func arm(_ instant: Instant) {
    // 0 would disarm; an instant before 1970 has passed as surely as one nanosecond after it.
    let milliseconds = max(instant.milliseconds, 0)
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(milliseconds / 1_000)
    setting.it_value.tv_nsec = max(Int(milliseconds % 1_000) * 1_000_000, 1)
    let flags = CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    if timerfd_settime(descriptor, flags, &setting, nil) != 0 {
      // ECANCELED: the clock was stepped since the last read. The timer is armed all the same, and
      // the step still has to be looked at.
      continuation.yield()
    }
  }

  fileprivate func run() {
    _ = prompter_set_thread_name("wall-timer")
    var expirations: UInt64 = 0
    while true {
      let count = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
      if count < 0 && errno != ECANCELED {
        if errno == EINTR { continue }
        continuation.finish()
        return
      }
      continuation.yield()
    }
  }
}

private func runTimer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<WallTimer>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
