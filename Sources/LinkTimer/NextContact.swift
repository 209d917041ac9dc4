/// The time of the next contact with the archive. The program of a contact prints it as its last line.
public struct NextContact: Sendable, Hashable, CustomStringConvertible {
  /// The time until the next contact, in seconds.
  public var seconds: Int64
  /// The number of contacts in a row that failed; 0 after a contact that the archive answered.
  public var failures: Int

  public init(seconds: Int64, failures: Int) {
    (self.seconds, self.failures) = (seconds, failures)
  }

  /// The next contact of a home after a contact that the archive answered.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970-01-01 00:00 UTC.
  ///   - stream: the stream of the home, which decides the time.
  public static func regular(now: Int64, stream: String) -> NextContact {
    NextContact(
      seconds: LinkTiming.nextContact(after: now, stream: stream) - now, failures: 0)
  }

  /// The next contact after a failure: not later than the regular time, except if the archive asked
  /// for a pause.
  ///
  /// - Parameters:
  ///   - failures: the number of failures in a row, with this one.
  ///   - retryAfter: the pause that the archive asked for, in seconds; nil if it did not.
  ///   - random: from 0 to 1.
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
