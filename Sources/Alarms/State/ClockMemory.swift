import CivilTime

/// The clock readings and zones that the daemon stores between two inputs.
struct ClockMemory: Sendable, Hashable {
  /// The wall time minus the boot time, in milliseconds, at the first known clock reading of this
  /// boot or after the newest clock step.
  var offsetMilliseconds: Int64?
  /// The period that the last clock step skipped; nil if there was no clock step, or if the last
  /// clock step was a step back.
  var skipped: ClosedRange<Instant>?
  /// The instant at which the daemon started.
  var startedAt: Instant?
  var state: ClockState?
  /// The home zone and the tzdata release at the start of the daemon, or after the last change of
  /// the zones. The value is nil until `step` has handled the start of the daemon.
  var zones: Zones?
  /// The newest clock reading since the daemon started.
  var lastLook: ClockReading?
  var lastRecord: HomeSnapshot.LastRecord?

  /// Returns true if a person or a time source set the wall clock between this reading and a later
  /// reading.
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
