import Alarms
import CivilTime

/// The part of the recorded time that was monitored: the time with heartbeats and without gaps.
public struct MonitoredTime: Sendable, Hashable {
  /// The time from the first row to the last row. Within a boot, the time is measured in boot time,
  /// which nobody can set.
  public private(set) var elapsedMilliseconds: Int64 = 0
  /// The total length of the gaps that the record contains.
  public private(set) var gapMilliseconds: Int64 = 0
  /// The total length of unexplained times. A time is unexplained if the record contains no gap for
  /// it, and either no event was written for more than 16 minutes, or the device was started again.
  public private(set) var unexplainedMilliseconds: Int64 = 0

  private var last: ClockReading?
  /// The time between the two newest clock readings, and whether that time is explained. The time
  /// is explained if a gap covers it, or if it is at most 16 minutes long within one boot.
  private var pending: (milliseconds: Int64, isExplained: Bool) = (0, true)

  /// 16 minutes: the daemon writes a heartbeat every 15 minutes.
  private static let longestPauseMilliseconds: Int64 = 16 * 60_000

  /// The elapsed time without the gaps and without the unexplained times.
  public var monitoredMilliseconds: Int64 {
    max(0, elapsedMilliseconds - gapMilliseconds - unexplainedMilliseconds)
  }

  /// Starts the measurement at a clock reading.
  mutating func begin(at reading: ClockReading) { last = reading }

  /// Adds the next row.
  ///
  /// Rows that were written together have the same clock reading. A gap therefore has the clock
  /// reading of the row that ended the time without events.
  mutating func add(_ event: Event, at reading: ClockReading) {
    if let last, last.bootID != reading.bootID || last.bootNanoseconds != reading.bootNanoseconds {
      finish()
      let isSameBoot = last.bootID == reading.bootID
      let passed =
        isSameBoot
        ? (reading.bootNanoseconds - last.bootNanoseconds) / 1_000_000
        : reading.wall.milliseconds - last.wall.milliseconds
      elapsedMilliseconds += max(0, passed)
      pending = (max(0, passed), isSameBoot && passed <= Self.longestPauseMilliseconds)
    }
    last = reading
    if case .gap(let from, let to, _) = event {
      gapMilliseconds += max(0, to.milliseconds - from.milliseconds)
      pending.isExplained = true
    }
  }

  /// Ends the newest time between two events. If this time is unexplained, the function counts it.
  mutating func finish() {
    if !pending.isExplained { unexplainedMilliseconds += pending.milliseconds }
    pending.isExplained = true
  }

  public static func == (a: Self, b: Self) -> Bool { a.figures == b.figures }

  public func hash(into hasher: inout Hasher) { hasher.combine(figures) }

  private var figures: [Int64] {
    [elapsedMilliseconds, gapMilliseconds, unexplainedMilliseconds]
  }

  public init() {}
}
