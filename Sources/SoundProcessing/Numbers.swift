@preconcurrency import Glibc

/// Converts decibels to a factor: 10 to the power of `decibels`/20.
package func factor(decibels: Double) -> Double { pow(10, decibels / 20) }

/// Converts a factor to decibels; −∞ for 0.
package func decibels(factor: Double) -> Double { 20 * log10(factor) }

/// Returns the time of CLOCK_MONOTONIC in milliseconds, with fractions.
package func monotonicMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
}
