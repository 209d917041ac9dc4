/// The times at which a home contacts the archive.
///
/// Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015 ("full jitter").
public enum LinkTiming {
  /// The time between two contacts, in seconds.
  public static let interval: Int64 = 900
  /// The longest time from a new event to a contact, in seconds, if the configuration says `at_once`.
  public static let wakeSeconds: Int64 = 25

  /// The next regular contact: a time of the quarter hour that differs from home to home, so that not
  /// all homes come at once.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970-01-01 00:00 UTC.
  ///   - stream: the stream of the home, which decides the time.
  public static func nextContact(after now: Int64, stream: String) -> Int64 {
    let phase =
      stream.utf8.reduce(Int64(5_381)) { ($0 &* 33 &+ Int64($1)) & 0x7fff_ffff } % interval
    let since = now - phase
    let begun = since >= 0 ? since / interval : (since - interval + 1) / interval
    return (begun + 1) * interval + phase
  }

  /// The time until the next attempt after a failure, in seconds: a random time up to a limit that
  /// doubles with each failure, from 5 seconds to 15 minutes.
  ///
  /// - Parameters:
  ///   - failures: the number of failures in a row, at least 1.
  ///   - retryAfter: the time that the archive asked for; the result is not shorter.
  ///   - random: from 0 to 1.
  public static func pause(failures: Int, retryAfter: Int64?, random: Double) -> Int64 {
    let limit = min(interval, 5 << Int64(min(max(failures, 1) - 1, 10)))
    return max(1 + Int64(random * Double(limit - 1)), min(retryAfter ?? 0, interval))
  }
}
