import CivilTime

/// Values of the clocks that are remembered from one input to the next.
struct ClockMemory: Sendable, Hashable {
  /// Wall time minus boot time in milliseconds, at the last reading of this boot.
  var offsetMilliseconds: Int64?
  /// Time that the last step of the wall clock skipped; nil if that step was not forward.
  var skipped: ClosedRange<Instant>?
  /// When this run of the daemon began.
  var startedAt: Instant?
  var state: ClockState?
  /// Home zone and tzdata release, as last read in this run.
  var zones: Zones?
  /// Last reading of this run. Its time is the newest that this run can be sure of.
  var lastLook: ClockReading?
  var lastRecord: HomeSnapshot.LastRecord?

  /// Whether the clock was set between this memory and a later one.
  func isSet(before later: ClockMemory) -> Bool {
    offsetMilliseconds.map { $0 != later.offsetMilliseconds } ?? false
  }

  struct Zones: Sendable, Hashable {
    var home: String
    var tzdata: String

    init(_ environment: Environment) {
      home = environment.homeZone.name
      tzdata = environment.tzdataVersion
    }
  }
}
