import Alarms
import CivilTime

/// How much of the time of the record was monitored, by the heartbeats: time outside gaps.
public struct MonitoredTime: Sendable, Hashable {
  /// From the first row to the last. Within a boot it is boot time, which nobody can set.
  public private(set) var elapsedMilliseconds: Int64 = 0
  /// Time in gaps, as the record states them.
  public private(set) var gapMilliseconds: Int64 = 0
  /// Unexplained time: no events for more than 16 minutes, or a boot, without a gap.
  public private(set) var unexplainedMilliseconds: Int64 = 0

  private var last: ClockReading?
  /// The time between the two newest clock readings, and whether it is explained. A gap explains
  /// it, or a length of at most 16 minutes within a boot.
  private var pending: (milliseconds: Int64, isExplained: Bool) = (0, true)

  /// 16 minutes: a heartbeat comes every 15 minutes.
  private static let longestPauseMilliseconds: Int64 = 16 * 60_000

  /// Elapsed time in neither a gap nor an unexplained time.
  public var monitoredMilliseconds: Int64 {
    max(0, elapsedMilliseconds - gapMilliseconds - unexplainedMilliseconds)
  }

  /// Starts the measurement at this clock reading.
  mutating func begin(at reading: ClockReading) { last = reading }

  /// Adds the next row.
  ///
  /// Rows that were written together have one clock reading. A gap therefore has the same clock
  /// reading as the row that ended the time without events.
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

  /// Ends the last time between events, and counts it if it is unexplained.
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
