import Glibc

/// Returns the time since the boot of the machine, in milliseconds. Nobody can set this clock.
package func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_BOOTTIME, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}

/// Returns the time of the wall clock of this machine, in milliseconds since 1970.
package func wallMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
