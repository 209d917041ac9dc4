import CivilTime

/// The reliability of the wall clock.
public enum ClockState: String, Sendable, CaseIterable {
  /// The kernel reports that a time source keeps the clock correct.
  case synced = "synced"
  /// The clock runs, but no time source confirms that the clock is correct.
  case unsynced = "unsynced"
  /// The wall clock is certainly wrong, so the daemon uses a corrected time: see `TrustedClock`.
  /// After a boot, a wall clock without a time source is certainly wrong in two cases: it shows a
  /// time before the newest row of the record, or a time more than 366 days after this row.
  case unset = "unset"
}

/// The values of all clocks at the moment when an input reached the engine.
///
/// This module never reads a clock. The engine reads the clocks and passes the readings to this
/// module.
public struct ClockReading: Hashable, Sendable {
  /// The time that the wall clock shows (CLOCK_REALTIME).
  public var wall: Instant
  /// The time of CLOCK_BOOTTIME in nanoseconds. CLOCK_BOOTTIME starts at 0 at each boot, and also
  /// runs while the device is suspended. Nobody can set CLOCK_BOOTTIME.
  public var bootNanoseconds: Int64
  /// The random id that the kernel gives to each boot.
  public var bootID: String
  public var clockState: ClockState
  /// The maximum error of the wall clock in milliseconds, as the kernel reports it; nil if the
  /// kernel does not report this error.
  public var clockErrorMilliseconds: Int?
  /// The total time that the device was suspended since boot, in milliseconds.
  ///
  /// The value is CLOCK_BOOTTIME minus CLOCK_MONOTONIC. The record does not contain this total.
  /// Each event `resumed` contains the length of one suspend.
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

  /// The wall time minus the boot time, in milliseconds. The difference changes only if a person or
  /// a time source sets the wall clock.
  public var offsetMilliseconds: Int64 { wall.milliseconds - bootNanoseconds / 1_000_000 }

  /// The reading as the record stores it: without `asleepMilliseconds`.
  public var asRecorded: ClockReading {
    var reading = self
    reading.asleepMilliseconds = 0
    return reading
  }
}

/// The zones and contacts that `step` needs for its decisions.
///
/// This module reads no files, and looks up zones only with the closure `zone`.
public struct Environment: Sendable {
  /// The home zone. Prompter uses the home zone for floating alarms, and for people without their
  /// own zone.
  public var homeZone: Zone
  /// A function that returns the zone with the given tzdata name. The function returns nil if the
  /// system has no zone with this name.
  public var zone: @Sendable (String) -> Zone?
  /// The release of the tzdata in use, or `unknown`.
  public var tzdataVersion: String
  /// The names of the contacts in the configuration.
  public var contacts: Set<String> = []
  /// The BCP 47 tag of the home's language for spoken words.
  public var language = "en"
  /// For each contact, the time of day in the home zone at which the contact gets the summary of
  /// the day. A contact that is not in the dictionary gets no summary.
  public var summaries: [String: ClockTime] = [:]
  /// The contacts that the daemon can notify if a person asks for a call.
  public var callContacts: Set<String> = []
  /// True if the daemon plays a merged ring for several prompts of one person that are ready to
  /// ring at the same time.
  public var mergesRings = true

  public init(
    homeZone: Zone, tzdataVersion: String, zone: @escaping @Sendable (String) -> Zone?
  ) {
    self.homeZone = homeZone
    self.tzdataVersion = tzdataVersion
    self.zone = zone
  }

  /// Returns the zone of an alarm. If the zone name of the alarm is `floating`, the result is the
  /// home zone.
  ///
  /// - Returns: the zone; nil if the system has no zone with the name in the alarm.
  public func zone(of alarm: Alarm) -> Zone? {
    alarm.zoneName == Alarm.floating ? homeZone : zone(alarm.zoneName)
  }
}
