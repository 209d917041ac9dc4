import Alarms
import CivilTime

/// The wall clock, or a replacement while the wall clock is certainly wrong.
///
/// A device without a battery for its clock starts in 1970. A device with a failing battery can
/// start in any year. Until a time source confirms this clock, the time continues from the last row
/// of the record by boot time, and every row has the clock state `unset`. The continued time is too
/// early, because it does not contain the time without power. But each prompt still rings, and
/// rings at most once. The correction ends if a time source synchronises the clock or a person sets
/// the clock. The prompts of the skipped time are then processed as after any other clock step.
struct TrustedClock: Sendable {
  /// The maximum time by which an unsynchronised clock may be ahead of the record: 366 days.
  ///
  /// Few homes are without power for a year. Even fewer homes still have no time source after a
  /// year without power.
  private static let believableMilliseconds: Int64 = 366 * 86_400_000

  /// The clock reading from which the time continues: the last reading in the record.
  private let last: ClockReading?
  private var hasLooked = false
  /// Two differences between the wall time and the boot time: `shown` is from the clock of the
  /// system, `used` is from the corrected clock. nil while the clock is trusted.
  private var untrustedOffsets: (shown: Int64, used: Int64)?

  init(last: ClockReading?) { self.last = last }

  /// The milliseconds to add to the shown wall clock; 0 while the clock is trusted.
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

  /// Returns the offset to use for the wall clock; nil if the clock is trusted.
  private func usedOffset(_ shown: ClockReading) -> Int64? {
    guard let last, shown.clockState != .synced else { return nil }
    if last.bootID == shown.bootID {
      // If the clock of this boot was not trusted before a restart of the daemon, it is still not
      // trusted.
      return last.clockState == .unset ? last.offsetMilliseconds : nil
    }
    let ahead = shown.wall.milliseconds(since: last.wall)
    return ahead < 0 || ahead > Self.believableMilliseconds ? last.wall.milliseconds : nil
  }
}
