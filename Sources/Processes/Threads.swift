import Glibc

/// Returns the time of CLOCK_MONOTONIC in milliseconds. The deadlines for child processes are times
/// of this clock, because nobody can set this clock.
package func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}

/// Starts a thread that ends only when `body` returns.
///
/// Use this function for a thread that starts child processes. If a thread ends, the kernel kills
/// the children that the thread started (see `ChildProcess`). The result is false if the system
/// cannot start a thread.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let code = pthread_create(
    &thread, nil,
    { argument in
      // The argument is never nil, because `pthread_create` passes the pointer to `box`.
      Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  guard code == 0 else {
    box.release()
    return false
  }
  pthread_detach(thread)
  return true
}
