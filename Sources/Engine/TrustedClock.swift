import Alarms
import CivilTime

/// Reads the wall clock, and corrects the reading while the daemon does not trust the wall clock.
///
/// A device without a battery for its clock starts in 1970. A device with a failing battery can
/// start in any year. If no time source has confirmed the clock after a boot, the daemon compares
/// the clock with the newest row of the record. The daemon does not trust a clock that is earlier
/// than this row, or more than 366 days later than this row. Instead of such a clock, the daemon
/// uses a corrected time: the time of the newest row, plus the time since the device started. A row
/// that the daemon records with a corrected time has the clock state `unset`.
///
/// The corrected time is too early, because it does not include the time without power. With the
/// corrected time, the daemon loses no prompt and rings for no prompt twice. If a time source
/// synchronises the clock, or if a person sets the clock, the daemon uses the wall clock again. The
/// daemon handles this change from the corrected time to the wall clock like a clock step.
struct TrustedClock: Sendable {
  /// The maximum time by which an unsynchronised clock may be ahead of the newest event: 366 days.
  ///
  /// A larger difference is almost certainly an error of the clock, because a home is rarely
  /// without power for a year.
  private static let believableMilliseconds: Int64 = 366 * 86_400_000

  /// The clock reading of the newest row in the record. The corrected time starts from the wall
  /// time of this clock reading.
  private let last: ClockReading?
  private var hasLooked = false
  /// Two differences in milliseconds; nil while the daemon trusts the wall clock. `shown` is the
  /// wall clock of the system minus the boot time. `used` is the corrected time minus the boot
  /// time.
  private var untrustedOffsets: (shown: Int64, used: Int64)?

  init(last: ClockReading?) { self.last = last }

  /// The correction that the daemon adds to the wall clock of the system, in milliseconds; 0 while
  /// the daemon trusts the wall clock.
  var correctionMilliseconds: Int64 { untrustedOffsets.map { $0.used - $0.shown } ?? 0 }

  /// Corrects a clock reading.
  mutating func read(_ shown: ClockReading) -> ClockReading {
    if !hasLooked {
      hasLooked = true
      untrustedOffsets = usedOffset(shown).map { (shown.offsetMilliseconds, $0) }
    }
    if let held = untrustedOffsets,
      shown.clockState == .synced || abs(shown.offsetMilliseconds - held.shown) >= 1_000
    {
      untrustedOffsets = nil
    }
    guard untrustedOffsets != nil else { return shown }
    var used = shown
    used.wall = shown.wall.adding(milliseconds: correctionMilliseconds)
    used.clockState = .unset
    used.clockErrorMilliseconds = nil
    return used
  }

  /// Returns the corrected time minus the boot time, in milliseconds; nil if the daemon trusts the
  /// clock. The comment of `TrustedClock` defines the corrected time.
  private func usedOffset(_ shown: ClockReading) -> Int64? {
    guard let last, shown.clockState != .synced else { return nil }
    if last.bootID == shown.bootID {
      // The daemon started again, but the device did not. If the daemon did not trust the clock
      // earlier, it does not trust the clock now.
      return last.clockState == .unset ? last.offsetMilliseconds : nil
    }
    let ahead = shown.wall.milliseconds(since: last.wall)
    return ahead < 0 || ahead > Self.believableMilliseconds ? last.wall.milliseconds : nil
  }
}
