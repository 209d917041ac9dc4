/// The time of the next contact with the archive. The process of a contact prints this time as its
/// last line.
public struct NextContact: Sendable, Hashable, CustomStringConvertible {
  /// The time until the next contact, in seconds.
  public var seconds: Int64
  /// The number of failed contacts in a row. The value is 0 if the last contact succeeded, if the
  /// link is paused, or if the archive refused the rows.
  public var failures: Int

  public init(seconds: Int64, failures: Int) {
    (self.seconds, self.failures) = (seconds, failures)
  }

  /// Returns the next contact at the regular time of the home. A home uses the regular time if the
  /// last contact succeeded, if the link is paused, or if the archive refused the rows.
  ///
  /// - Parameters:
  ///   - now: the present time, in seconds since 1970-01-01 00:00 UTC.
  ///   - stream: the stream of the home. `LinkTiming.nextContact` computes the time from it.
  public static func regular(now: Int64, stream: String) -> NextContact {
    NextContact(
      seconds: LinkTiming.nextContact(after: now, stream: stream) - now, failures: 0)
  }

  /// Returns the next contact after a failed contact.
  ///
  /// The next contact is at the regular time or earlier. There is one exception: if the archive
  /// requested a pause, the next contact can be later than the regular time.
  ///
  /// - Parameters:
  ///   - failures: the number of failed contacts in a row, including the last contact.
  ///   - retryAfter: the pause that the archive requested, in seconds; nil for no such request.
  ///   - random: a random number from 0 to 1.
  public static func afterFailure(
    _ failures: Int, retryAfter: Int64?, now: Int64, stream: String, random: Double
  ) -> NextContact {
    let pause = LinkTiming.pause(failures: failures, retryAfter: retryAfter, random: random)
    let regular = regular(now: now, stream: stream).seconds
    return NextContact(
      seconds: retryAfter == nil ? min(regular, pause) : pause, failures: failures)
  }

  /// Reads a line that `description` wrote; nil for any other line.
  public init?(line: String) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "next", let seconds = Int64(parts[1]),
      let failures = Int(parts[2]), seconds >= 0, failures >= 0
    else { return nil }
    self.init(seconds: seconds, failures: failures)
  }

  public var description: String { "next \(seconds) \(failures)" }
}
