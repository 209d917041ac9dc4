import Alarms
import CivilTime

/// How much of the record's time somebody watched: what is not in a gap was monitored, as the heartbeats say.
public struct MonitoredTime: Sendable, Hashable {
  /// From the first row to the last; by the boot clock within a boot, which nobody sets.
  public private(set) var elapsedMilliseconds: Int64 = 0
  /// In gaps, as the record tells of them.
  public private(set) var gapMilliseconds: Int64 = 0
  /// Inactivity of more than 16 minutes, or across a boot, that no gap explains.
  public private(set) var unexplainedMilliseconds: Int64 = 0

  private var last: ClockReading?
  /// How long it was silent before the rows of the last moment, and whether one of them is a gap.
  private var silence: (milliseconds: Int64, isExplained: Bool) = (0, true)

  /// A heartbeat comes every 15 minutes.
  private static let longestSilence: Int64 = 16 * 60_000

  /// What is in neither.
  public var monitoredMilliseconds: Int64 {
    max(0, elapsedMilliseconds - gapMilliseconds - unexplainedMilliseconds)
  }

  /// Watches from here on.
  mutating func begin(at reading: ClockReading) { last = reading }

  /// Takes the next row. Rows that were written together have one moment, so a gap stands with the row that
  /// ended the silence.
  mutating func add(_ event: Event, at reading: ClockReading) {
    if let last, last.bootID != reading.bootID || last.bootNanoseconds != reading.bootNanoseconds {
      finish()
      let isSameBoot = last.bootID == reading.bootID
      let passed =
        isSameBoot
        ? (reading.bootNanoseconds - last.bootNanoseconds) / 1_000_000
        : reading.wall.milliseconds - last.wall.milliseconds
      elapsedMilliseconds += max(0, passed)
      silence = (max(0, passed), isSameBoot && passed <= Self.longestSilence)
    }
    last = reading
    if case .gap(let from, let to, _) = event {
      gapMilliseconds += max(0, to.milliseconds - from.milliseconds)
      silence.isExplained = true
    }
  }

  /// Counts the last silence, once it is known whether a gap explains it.
  mutating func finish() {
    if !silence.isExplained { unexplainedMilliseconds += silence.milliseconds }
    silence.isExplained = true
  }

  public static func == (a: Self, b: Self) -> Bool { a.figures == b.figures }

  public func hash(into hasher: inout Hasher) { hasher.combine(figures) }

  private var figures: [Int64] {
    [elapsedMilliseconds, gapMilliseconds, unexplainedMilliseconds]
  }

  public init() {}
}
