import CivilTime

/// What is remembered of the clocks between two events.
struct ClockMemory: Sendable, Hashable {
  /// Wall time minus boot time in milliseconds, when last looked at in this boot.
  var offsetMilliseconds: Int64?
  /// The time that the wall clock's last step, if it was forward, left out.
  var skipped: ClosedRange<Instant>?
  /// When this run of the daemon began.
  var startedAt: Instant?
  var state: ClockState?
  /// The home's zone and the release of tzdata, when last looked at in this run.
  var zones: Zones?
  /// When this run last looked, and so the newest time that it can vouch for.
  var lastLook: ClockReading?
  var lastRecord: HomeSnapshot.LastRecord?

  /// Whether somebody set the clock between this look and a later one.
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
