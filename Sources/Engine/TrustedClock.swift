import Alarms
import CivilTime

/// Reads the wall clock, and corrects the reading while the daemon does not trust the wall clock.
///
/// A device without a battery for its clock starts in 1970. A device with a failing battery can
/// start in any year. If no time source has confirmed the clock after a boot, the daemon compares
/// the clock with the newest row of the record. The daemon does not trust a clock that is earlier
/// than this row, or more than 366 days later. Instead of this clock, the daemon uses a corrected
/// time: the time of the newest row, plus the time since the device started. All rows that are
/// recorded with a corrected time have the clock state `unset`.
///
/// The corrected time is too early, because it does not include the time without power. With the
/// corrected time, no prompt is lost, and no prompt rings twice. If a time source synchronises the
/// clock, or if a person sets the clock, the daemon uses the wall clock again. The daemon handles
/// this return to the wall clock like a clock step.
struct TrustedClock: Sendable {
  /// The maximum time by which an unsynchronised clock may be ahead of the newest event: 366 days.
  ///
  /// A larger difference is almost certainly an error of the clock, because a home is rarely
  /// without power for a year.
  private static let believableMilliseconds: Int64 = 366 * 86_400_000

  /// The clock reading of the last row in the record. To compute a corrected time, the daemon
  /// starts from the wall time of this clock reading.
  private let last: ClockReading?
  private var hasLooked = false
  /// The wall time minus the boot time, in milliseconds; nil while the daemon trusts the wall
  /// clock. For `shown`, the wall time is the time that the system shows. For `used`, the wall time
  /// is the corrected time that the daemon uses instead (see `TrustedClock`).
  private var untrustedOffsets: (shown: Int64, used: Int64)?

  init(last: ClockReading?) { self.last = last }

  /// The correction to add to the system's wall clock, in milliseconds; 0 while the clock is
  /// trusted.
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

  /// Returns the corrected time minus the boot time, in milliseconds; nil if the clock is trusted.
  /// The comment of `TrustedClock` defines the corrected time.
  private func usedOffset(_ shown: ClockReading) -> Int64? {
    guard let last, shown.clockState != .synced else { return nil }
    if last.bootID == shown.bootID {
      // The daemon restarted, but the device did not. If the daemon did not trust the clock before
      // the restart, it still does not trust the clock.
      return last.clockState == .unset ? last.offsetMilliseconds : nil
    }
    let ahead = shown.wall.milliseconds(since: last.wall)
    return ahead < 0 || ahead > Self.believableMilliseconds ? last.wall.milliseconds : nil
  }
}
