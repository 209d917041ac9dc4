import Alarms
import CivilTime

/// The lengths of the monitored and the unmonitored periods of a record.
public struct MonitoredTime: Sendable, Hashable {
  /// The time from the first row to the last row. Within one boot, the code measures this time in
  /// boot time, because nobody can set the boot time.
  public private(set) var elapsedMilliseconds: Int64 = 0
  /// The total length of the gap events in the record, in milliseconds.
  public private(set) var gapMilliseconds: Int64 = 0
  /// The total length of unexplained periods. A period between two events is unexplained if the
  /// record contains no `gap` event for this period, and if one of two conditions is true: the
  /// period is longer than 16 minutes, or the device started again during the period.
  public private(set) var unexplainedMilliseconds: Int64 = 0

  private var last: ClockReading?
  /// The length of the period between the two newest clock readings, in milliseconds. The value is
  /// 0 if the record contains a `gap` event for this period. The value is also 0 if the period is
  /// at most 16 minutes long and the device did not start again during the period.
  private var unexplainedPeriod: Int64 = 0

  /// The longest normal time between two events. The daemon writes a heartbeat every 15 minutes, so
  /// 16 minutes are still normal. A period of more than 16 minutes without a `gap` event is
  /// unexplained.
  private static let longestPauseMilliseconds: Int64 = 16 * 60_000

  /// The elapsed time minus the gaps, and minus the unexplained periods.
  public var monitoredMilliseconds: Int64 {
    max(0, elapsedMilliseconds - gapMilliseconds - unexplainedMilliseconds)
  }

  /// Starts the measurement at a clock reading.
  mutating func begin(at reading: ClockReading) { last = reading }

  /// Continues the measurement up to the next row of the record.
  ///
  /// A `gap` event in the first rows after a period without events explains this period. Rows that
  /// were written together have the same clock reading. Therefore, the function waits for a row
  /// with a different clock reading before it decides whether a period is explained.
  mutating func add(_ event: Event, at reading: ClockReading) {
    if let last, last.bootID != reading.bootID || last.bootNanoseconds != reading.bootNanoseconds {
      finish()
      let isSameBoot = last.bootID == reading.bootID
      let passed =
        isSameBoot
        ? (reading.bootNanoseconds - last.bootNanoseconds) / 1_000_000
        : reading.wall.milliseconds - last.wall.milliseconds
      elapsedMilliseconds += max(0, passed)
      let isNormal = isSameBoot && passed <= Self.longestPauseMilliseconds
      unexplainedPeriod = isNormal ? 0 : max(0, passed)
    }
    last = reading
    if case .gap(let from, let to, _) = event {
      gapMilliseconds += max(0, to.milliseconds - from.milliseconds)
      unexplainedPeriod = 0
    }
  }

  /// Ends the last period. If the last period is unexplained, the function adds the length of this
  /// period to the total of the unexplained periods.
  mutating func finish() {
    unexplainedMilliseconds += unexplainedPeriod
    unexplainedPeriod = 0
  }

  public static func == (a: Self, b: Self) -> Bool { a.figures == b.figures }

  public func hash(into hasher: inout Hasher) { hasher.combine(figures) }

  private var figures: [Int64] {
    [elapsedMilliseconds, gapMilliseconds, unexplainedMilliseconds]
  }

  public init() {}
}
