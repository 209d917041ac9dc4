import Alarms
import CivilTime

/// The wall clock, if it can be believed.
///
/// A device without a battery-backed clock starts in 1970; with a failing one it can start in any
/// year. Until a time source confirms that clock, time continues from the last row of the record by
/// boot time, and every row has the clock state `unset`. This time is too early, by the time that
/// the device was off. But each prompt still rings, and at most once. The correction ends if a time
/// source synchronises the clock or a person sets it. Skipped prompts are then processed as after
/// any other clock step.
struct TrustedClock: Sendable {
  /// Maximum that an unsynchronised clock may be ahead of the record: 366 days.
  ///
  /// Few homes are without power for a year, and fewer are then still without a time source.
  private static let believableMilliseconds: Int64 = 366 * 86_400_000

  /// Clock reading from which time continues: the last one in the record.
  private let last: ClockReading?
  private var hasLooked = false
  /// Set while the clock is not believed: wall minus boot time, as shown and as used instead.
  private var disbelieved: (shown: Int64, used: Int64)?

  init(last: ClockReading?) { self.last = last }

  /// Milliseconds to add to the shown wall clock; 0 while it is believed.
  var correctionMilliseconds: Int64 { disbelieved.map { $0.used - $0.shown } ?? 0 }

  /// Corrects a clock reading.
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

  /// Returns the offset to use instead; nil if the clock is believed.
  private func usedOffset(_ shown: ClockReading) -> Int64? {
    guard let last, shown.clockState != .synced else { return nil }
    if last.bootID == shown.bootID {
      // The clock of this boot was not believed before the daemon restarted, so it still is not.
      return last.clockState == .unset ? last.offsetMilliseconds : nil
    }
    let ahead = shown.wall.milliseconds(since: last.wall)
    return ahead < 0 || ahead > Self.believableMilliseconds ? last.wall.milliseconds : nil
  }
}
