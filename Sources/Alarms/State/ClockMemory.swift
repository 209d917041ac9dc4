import CivilTime

/// The clock readings and zones that the core remembers from one input to the next.
struct ClockMemory: Sendable, Hashable {
  /// The wall time minus the boot time in milliseconds, at the last reading of this boot.
  var offsetMilliseconds: Int64?
  /// The time that the last step of the wall clock skipped; nil if the clock did not step forward.
  var skipped: ClosedRange<Instant>?
  /// The instant at which this run of the daemon began.
  var startedAt: Instant?
  var state: ClockState?
  /// The home zone and the tzdata release, as this run last read them.
  var zones: Zones?
  /// The newest clock reading of this run.
  var lastLook: ClockReading?
  var lastRecord: HomeSnapshot.LastRecord?

  /// Returns true if the clock was set between this memory and a later memory.
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
