import CivilTime

/// How far the wall clock can be believed.
public enum ClockState: String, Sendable, CaseIterable {
  /// The kernel reports that a time source disciplines the clock.
  case synced = "synced"
  /// The clock runs, but no time source confirms it.
  case unsynced = "unsynced"
  /// The clock is certainly wrong: before the last record or before the build of this program.
  case unset = "unset"
}

/// Values of all clocks at the moment when an input reached the engine.
///
/// This module never reads a clock itself.
public struct ClockReading: Hashable, Sendable {
  /// CLOCK_REALTIME.
  public var wall: Instant
  /// CLOCK_BOOTTIME in nanoseconds. It counts suspended time, is never stepped, and restarts at
  /// boot.
  public var bootNanoseconds: Int64
  /// Random id that the kernel gives to each boot.
  public var bootID: String
  public var clockState: ClockState
  /// The kernel's limit for the clock error, in milliseconds; nil if the kernel gives none.
  public var clockErrorMilliseconds: Int?
  /// How long this boot has been suspended so far, in milliseconds.
  ///
  /// This is CLOCK_BOOTTIME minus CLOCK_MONOTONIC. The record does not contain this value, only
  /// each increase of it (`Event.resumed`).
  public var asleepMilliseconds: Int64

  public init(
    wall: Instant, bootNanoseconds: Int64, bootID: String, clockState: ClockState,
    clockErrorMilliseconds: Int? = nil, asleepMilliseconds: Int64 = 0
  ) {
    self.wall = wall
    self.bootNanoseconds = bootNanoseconds
    self.bootID = bootID
    self.clockState = clockState
    self.clockErrorMilliseconds = clockErrorMilliseconds
    self.asleepMilliseconds = asleepMilliseconds
  }

  /// Wall time minus boot time, in milliseconds. It is constant until the wall clock is stepped.
  public var offsetMilliseconds: Int64 { wall.milliseconds - bootNanoseconds / 1_000_000 }

  /// The reading as the record stores it: without the suspended time.
  public var asRecorded: ClockReading {
    var reading = self
    reading.asleepMilliseconds = 0
    return reading
  }
}

/// Zones and contacts that decisions depend on.
///
/// The caller reads the files. This module looks up zones by name only.
public struct Environment: Sendable {
  /// The home zone. It applies to floating alarms, and to people without a zone of their own.
  public var homeZone: Zone
  /// Looks up a zone by its tzdata name; nil if the system has no zone of that name.
  public var zone: @Sendable (String) -> Zone?
  /// Release of the tzdata in use, or `unknown`.
  public var tzdataVersion: String
  /// Names of the contacts in the configuration.
  public var contacts: Set<String> = []

  public init(
    homeZone: Zone, tzdataVersion: String, zone: @escaping @Sendable (String) -> Zone?
  ) {
    self.homeZone = homeZone
    self.tzdataVersion = tzdataVersion
    self.zone = zone
  }

  /// Zone of an alarm: the zone that it names, or the home zone if it is floating.
  ///
  /// - Returns: nil if the system has no zone of that name.
  public func zone(of alarm: Alarm) -> Zone? {
    alarm.zoneName == Alarm.floating ? homeZone : zone(alarm.zoneName)
  }
}
