import CivilTime

/// How far the wall clock can be believed.
public enum ClockState: String, Sendable, CaseIterable {
  /// The kernel reports a clock disciplined by a time source.
  case synced = "synced"
  /// Running, but nothing vouches for it.
  case unsynced = "unsynced"
  /// Before the last record or before this program was built: certainly wrong.
  case unset = "unset"
}

/// What the clocks said when an event reached the engine. The quiet rooms never ask for the time.
public struct ClockReading: Hashable, Sendable {
  /// CLOCK_REALTIME.
  public var wall: Instant
  /// CLOCK_BOOTTIME in nanoseconds: runs through suspend, never steps, starts again at boot.
  public var bootNanoseconds: Int64
  /// The kernel's random name of this boot.
  public var bootID: String
  public var clockState: ClockState
  /// The kernel's own bound on the clock's error in milliseconds, where it has one.
  public var clockErrorMilliseconds: Int?
  /// How long this boot has slept so far: what CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC. Not in the
  /// record; what it grows by is.
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

  /// Wall time minus boot time in milliseconds: constant until the wall clock is stepped.
  public var offsetMilliseconds: Int64 { wall.milliseconds - bootNanoseconds / 1_000_000 }

  /// What the record keeps of it.
  public var asRecorded: ClockReading {
    var reading = self
    reading.asleepMilliseconds = 0
    return reading
  }
}

/// Where the zones come from: the caller reads the files, the quiet rooms only ask by name.
public struct Environment: Sendable {
  /// The home's zone, used where an alarm names none.
  public var homeZone: Zone
  /// A zone by its tzdata name; nil where the system has none by that name.
  public var zone: @Sendable (String) -> Zone?
  /// The release of the tzdata in use, or `unknown`.
  public var tzdataVersion: String
  /// The names of the people who can be told, as the configuration has them.
  public var contacts: Set<String> = []

  public init(
    homeZone: Zone, tzdataVersion: String, zone: @escaping @Sendable (String) -> Zone?
  ) {
    self.homeZone = homeZone
    self.tzdataVersion = tzdataVersion
    self.zone = zone
  }

  /// The zone of an alarm: the one it names, or the home's for a floating one.
  ///
  /// - Returns: nil where the system has none by that name.
  public func zone(of alarm: Alarm) -> Zone? {
    alarm.zoneName == Alarm.floating ? homeZone : zone(alarm.zoneName)
  }
}
