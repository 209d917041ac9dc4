/// The times at which a home contacts the archive.
///
/// Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 ("full jitter").
public enum LinkTiming {
  /// The time between two contacts, in seconds.
  public static let interval: Int64 = 900
  /// The maximum time from a new event to the next contact, in seconds. This limit applies only if
  /// the setting `at_once` is true.
  public static let wakeSeconds: Int64 = 25

  /// Returns the time of the next regular contact. The unit is seconds since 1970-01-01 00:00 UTC.
  ///
  /// A home contacts the archive once in each quarter hour. The minute and the second depend on the
  /// stream of the home, so that not all homes contact the archive at the same time.
  ///
  /// - Parameter now: the present time, in seconds since 1970-01-01 00:00 UTC.
  public static func nextContact(after now: Int64, stream: String) -> Int64 {
    let phase =
      stream.utf8.reduce(Int64(5_381)) { ($0 &* 33 &+ Int64($1)) & 0x7fff_ffff } % interval
    let since = now - phase
    let begun = since >= 0 ? since / interval : (since - interval + 1) / interval
    return (begun + 1) * interval + phase
  }

  /// Returns the time from a failed contact to the next attempt, in seconds.
  ///
  /// The time is random. Its maximum is 5 seconds after the first failure, and doubles with each
  /// further failure, up to 15 minutes.
  ///
  /// - Parameters:
  ///   - failures: the number of failures in a row, at least 1.
  ///   - retryAfter: the time that the archive asked the link to wait, in seconds; nil for no such
  ///     request. The result is at least this time, but never more than 15 minutes.
  ///   - random: a random number from 0 to 1.
  public static func pause(failures: Int, retryAfter: Int64?, random: Double) -> Int64 {
    let limit = min(interval, 5 << Int64(min(max(failures, 1) - 1, 10)))
    return max(1 + Int64(random * Double(limit - 1)), min(retryAfter ?? 0, interval))
  }
}
