import Alarms
import CivilTime

/// The wall clock, as far as it can be believed.
///
/// A device without a battery clock comes up in 1970, or with a failing one in any year. As long as
/// nothing vouches for such a clock, time goes on from the last row of the record by boot time, and
/// every row says `unset`. That is too early by the time the device was off; but a prompt comes, and
/// comes at most once. A time source, or a hand that sets the clock, ends it: what was skipped is then
/// dealt with as after any other step of the clock.
struct TrustedClock: Sendable {
  /// An unsynchronised clock that is further ahead of the record than this is not believed: few homes
  /// stay without power for a year, and fewer without a time source after that.
  private static let believableMilliseconds: Int64 = 366 * 86_400_000

  /// What the record goes on from.
  private let last: ClockReading?
  private var hasLooked = false
  /// While the clock is not believed: wall minus boot time that it shows, and that is used instead.
  private var disbelieved: (shown: Int64, used: Int64)?

  init(last: ClockReading?) { self.last = last }

  /// What is to be added to the clock that is shown, in milliseconds; 0 while it is believed.
  var correctionMilliseconds: Int64 { disbelieved.map { $0.used - $0.shown } ?? 0 }

  /// Reads the clocks.
  mutating func read(_ shown: ClockReading) -> ClockReading {
    if !hasLooked {
      hasLooked = true
      disbelieved = usedOffset(shown).map { (shown.offsetMilliseconds, $0) }
    }
    if let held = disbelieved,
      shown.clockState == .synced || abs(shown.offsetMilliseconds - held.shown) >= 1_000
    {
      disbelieved = nil
    }
    guard disbelieved != nil else { return shown }
    var used = shown
    used.wall = shown.wall.adding(milliseconds: correctionMilliseconds)
    used.clockState = .unset
    used.clockErrorMilliseconds = nil
    return used
  }

  /// The offset to use instead of the one that is shown; nil where that is believed.
  private func usedOffset(_ shown: ClockReading) -> Int64? {
    guard let last, shown.clockState != .synced else { return nil }
    if last.bootID == shown.bootID {
      // This boot's clock was not believed before the daemon was restarted, and still is not.
      return last.clockState == .unset ? last.offsetMilliseconds : nil
    }
    let ahead = shown.wall.milliseconds(since: last.wall)
    return ahead < 0 || ahead > Self.believableMilliseconds ? last.wall.milliseconds : nil
  }
}
