import CivilTime

/// State that the logbook restores when the daemon starts.
public struct HomeSnapshot: Sendable {
  /// The newest version of every living alarm.
  public var alarms: [Alarm]
  public var openPrompts: [Prompt]
  /// Closed prompts whose answer can still be undone.
  public var answeredPrompts: [Prompt]
  /// `PromptID.nominalKey` of every closed prompt of a living alarm.
  ///
  /// None of them may ring again, however the clock is set.
  public var closedNominals: [AlarmID: Set<Int64>]
  /// Their due instants, for alarms whose prompts keep their instants: see `Alarm.keepsInstants`.
  public var closedInstants: [AlarmID: Set<Instant>]
  /// For each alarm: the time from its creation to the purge.
  ///
  /// Occurrences that were due in this time are over, although no row says so after the purge.
  public var purged: [AlarmID: Range<Instant>] = [:]
  public var tones: [Tone]
  /// All people whom the record mentions.
  public var people: [PersonState]
  /// Whether the default person of a new home was erased.
  ///
  /// Nothing else says after the erasure that this person existed.
  public var isPatientForgotten = false
  /// Calibrated volume of each device's card for a ring, in percent of its range.
  public var levels: [String: Int]
  public var pictures: [Picture]
  /// Rings of the hour before the newest row.
  public var recentRings: RecentRings
  /// The same for closed prompts that may be planned again: see `Prompt.canBePlannedAgain`.
  public var unheardNominals: [AlarmID: Set<Int64>]
  /// Their due instants, for alarms whose prompts keep their instants.
  public var unheardInstants: [AlarmID: Set<Instant>]
  /// User who created each living alarm, as far as the record says.
  public var alarmCreators: [AlarmID: String] = [:]
  /// Users who uploaded each picture, by its digest.
  public var uploaders: [String: Set<String>] = [:]
  /// User who last added each recording, by its name.
  public var toneAdders: [String: String] = [:]
  /// Prompts whose stored state disagrees with the record.
  public var mismatches: [ProjectionMismatch]
  /// Notifications of missed prompts without a known result.
  public var unconfirmed: [UnconfirmedNotification] = []
  /// The newest row of the record; nil for a new record.
  public var lastRecord: LastRecord?

  public init(
    alarms: [Alarm] = [], openPrompts: [Prompt] = [], answeredPrompts: [Prompt] = [],
    closedNominals: [AlarmID: Set<Int64>] = [:],
    closedInstants: [AlarmID: Set<Instant>] = [:],
    unheardNominals: [AlarmID: Set<Int64>] = [:],
    unheardInstants: [AlarmID: Set<Instant>] = [:], mismatches: [ProjectionMismatch] = [],
    tones: [Tone] = [],
    people: [PersonState] = [], recentRings: RecentRings = RecentRings(),
    levels: [String: Int] = [:], pictures: [Picture] = [], lastRecord: LastRecord? = nil
  ) {
    self.alarms = alarms
    self.openPrompts = openPrompts
    self.answeredPrompts = answeredPrompts
    self.closedNominals = closedNominals
    self.closedInstants = closedInstants
    self.unheardNominals = unheardNominals
    self.unheardInstants = unheardInstants
    self.mismatches = mismatches
    self.tones = tones
    self.people = people
    self.recentRings = recentRings
    self.levels = levels
    self.pictures = pictures
    self.lastRecord = lastRecord
  }

  /// Clock reading and kind of the newest row.
  public struct LastRecord: Sendable, Hashable {
    public var reading: ClockReading
    /// Whether the row says that the service was stopped normally.
    public var isServiceStop: Bool

    public init(reading: ClockReading, isServiceStop: Bool) {
      self.reading = reading
      self.isServiceStop = isServiceStop
    }
  }
}

/// New values of everything that a batch of events changed.
public struct StateDelta: Sendable, Hashable {
  public var alarms: [AlarmID: Alarm] = [:]
  public var deletedAlarms: Set<AlarmID> = []
  /// Open and closed prompts.
  public var prompts: [PromptID: Prompt] = [:]
  public var tones: [String: Tone] = [:]
  public var removedTones: Set<String> = []
  /// Idempotency records to store. They do not follow from any event.
  public var idempotencyRecords: [IdempotencyRecord] = []
  public var people: [PersonID: PersonState] = [:]
  /// Volumes of calibrated devices; nil if the calibration was removed.
  public var levels: [String: Int?] = [:]
  public var pictures: [String: Picture] = [:]
  public var removedPictures: Set<String> = []
  /// People whose identity was erased.
  public var forgottenPeople: Set<PersonID> = []

  public init() {}
}

/// Limits for the contents of one home.
public struct HomeLimits: Sendable, Hashable {
  public var alarms: Int
  public var tones: Int
  /// All recordings together, in bytes.
  public var toneBytes: Int
  /// Repetitions in an hour for one person. An alarm whose bursts alone exceed it is refused.
  public var ringsPerHour: Int
  public var pictures: Int
  /// All pictures together, with their thumbnails, in bytes.
  public var pictureBytes: Int

  public init(
    alarms: Int, tones: Int, ringsPerHour: Int, pictures: Int = 1_000,
    pictureBytes: Int = 500 << 20, toneBytes: Int = 500 << 20
  ) {
    self.alarms = alarms
    self.tones = tones
    self.ringsPerHour = ringsPerHour
    self.pictures = pictures
    self.pictureBytes = pictureBytes
    self.toneBytes = toneBytes
  }

  public static let standard = HomeLimits(alarms: 5_000, tones: 500, ringsPerHour: 20)
}
