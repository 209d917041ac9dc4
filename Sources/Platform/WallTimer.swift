import CLinux
import CivilTime
import Glibc

/// A timer that follows the wall clock and has its own thread.
///
/// The timer is a `timerfd` with `TFD_TIMER_CANCEL_ON_SET`. If a clock step happens, the kernel
/// wakes the thread of the timer at once, and `read` fails with ECANCELED. Therefore, the daemon
/// detects a clock step immediately, and not when the next ring is due. With the capability
/// CAP_WAKE_ALARM, a second timer can wake a suspended device (`armDevice`).
///
/// The thread of the timer also yields a pulse at a fixed interval. At each pulse, the daemon
/// reports to the systemd watchdog. If the thread of the timer stops, no alarm can ring, so the
/// watchdog restarts the daemon.
public final class WallTimer: Sendable {
  /// Yields a value when the timer expires, and at each clock step. If the reader has not read the
  /// previous value yet, the timer adds no second value.
  public let ticks: AsyncStream<Void>
  /// True if this timer can wake a suspended device.
  public let wakesFromSuspend: Bool
  /// Yields a value at each pulse. If `init` was called without `pulseMicroseconds`, the stream
  /// yields no value.
  public let pulses: AsyncStream<Void>
  private let descriptor: CInt
  private let device: CInt?
  private let pulse: CInt?
  private let continuation: AsyncStream<Void>.Continuation
  private let pulseContinuation: AsyncStream<Void>.Continuation

  /// - Parameter pulseMicroseconds: the time between two pulses; nil if the timer must send no
  ///   pulses.
  /// - Throws: the error of the system if no timer can be created.
  public init(pulseMicroseconds: UInt64? = nil) throws(HostError) {
    // The timers are non-blocking, because a call of `arm` between `poll` and `read` can set an
    // expired timer to a later instant. A blocking `read` would then wait until this later instant.
    let flags = CInt(TFD_CLOEXEC | TFD_NONBLOCK)
    let timer = timerfd_create(CLOCK_REALTIME, flags)
    let alarm = timerfd_create(CLOCK_REALTIME_ALARM, flags)
    device = alarm < 0 ? nil : alarm
    wakesFromSuspend = alarm >= 0
    guard timer >= 0 else { throw HostError.system("create a timer", errno) }
    descriptor = timer
    (ticks, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (pulses, pulseContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    pulse = try pulseMicroseconds.map { interval throws(HostError) in
      try Self.pulse(every: interval)
    }
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self)
    let failure = pthread_create(&thread, nil, runTimer, me.toOpaque())
    guard failure == 0 else {
      me.release()
      throw HostError.system("start the timer's thread", failure)
    }
    pthread_detach(thread)
  }

  /// Sets the instant at which the timer expires next. If the instant has passed, the timer expires
  /// at once.
  public func arm(_ instant: Instant) { set(descriptor, to: instant) }

  /// Sets the instant at which the timer expires and wakes a suspended device. If `instant` is nil,
  /// the timer never expires.
  public func armDevice(_ instant: Instant?) {
    guard let device else { return }
    guard let instant else {
      var never = itimerspec()
      // The time 0 stops the timer. The call cannot fail, because the descriptor refers to a timer
      // and the time 0 is valid.
      timerfd_settime(device, 0, &never, nil)
      return
    }
    set(device, to: instant)
  }

  private func set(_ timer: CInt, to instant: Instant) {
    // The value 0 would stop the timer. If `instant` is 1970-01-01T00:00:00Z or earlier, the code
    // sets the timer to 1 ns after 1970-01-01T00:00:00Z. This time is in the past, so the timer
    // expires at once.
    let milliseconds = max(instant.milliseconds, 0)
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(milliseconds / 1_000)
    setting.it_value.tv_nsec = max(Int(milliseconds % 1_000) * 1_000_000, 1)
    let flags = CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    if timerfd_settime(timer, flags, &setting, nil) != 0 {
      // If a clock step occurred after the last `read` of this timer, the kernel sets the timer,
      // but `timerfd_settime` fails with ECANCELED. Wake the engine, so that it processes the clock
      // step.
      continuation.yield()
    }
  }

  /// Creates a timer that expires immediately and then at a fixed interval. The length of the
  /// interval is `microseconds`.
  ///
  /// While the device sleeps, the timer stops.
  private static func pulse(every microseconds: UInt64) throws(HostError) -> CInt {
    let timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
    var setting = itimerspec()
    setting.it_value.tv_nsec = 1
    setting.it_interval.tv_sec = Int(microseconds / 1_000_000)
    setting.it_interval.tv_nsec = Int(microseconds % 1_000_000) * 1_000
    guard timer >= 0, timerfd_settime(timer, 0, &setting, nil) == 0 else {
      throw HostError.system("create the watchdog's timer", errno)
    }
    return timer
  }

  fileprivate func run() {
    _ = prompter_set_thread_name("wall-timer")
    var waited = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    // If a timer does not exist, its descriptor is −1. The function `poll` ignores negative
    // descriptors.
    for timer in [device ?? -1, pulse ?? -1] {
      waited.append(pollfd(fd: timer, events: Int16(POLLIN), revents: 0))
    }
    while true {
      if poll(&waited, nfds_t(waited.count), -1) < 0 {
        if errno == EINTR { continue }
        break
      }
      if waited[0].revents != 0, !take(descriptor, continuation) { break }
      if let device, waited[1].revents != 0, !take(device, continuation) { break }
      if let pulse, waited[2].revents != 0, !take(pulse, pulseContinuation) { break }
    }
    // This line runs only after an unexpected failure of a system call. The timer then sends no
    // more pulses, so the watchdog restarts the daemon.
    continuation.finish()
    pulseContinuation.finish()
  }

  /// Reads the timer after it expired or after a clock step, and sends a value to `listener`.
  /// Returns false if `read` failed for an unexpected reason. After a clock step, the failure with
  /// ECANCELED is expected.
  private func take(_ timer: CInt, _ listener: AsyncStream<Void>.Continuation) -> Bool {
    var expirations: UInt64 = 0
    let count = read(timer, &expirations, MemoryLayout<UInt64>.size)
    if count < 0 && errno != ECANCELED { return errno == EINTR || errno == EAGAIN }
    listener.yield()
    return true
  }
}

private func runTimer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<WallTimer>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
