import CivilTime

/// What the Logbook gives back when the daemon starts.
public struct HomeSnapshot: Sendable {
  /// The newest version of every living alarm.
  public var alarms: [Alarm]
  public var openPrompts: [Prompt]
  /// Closed prompts whose answer may still be taken back.
  public var answeredPrompts: [Prompt]
  /// `PromptID.nominalKey` of every closed prompt of a living alarm: none of these may ring again,
  /// however the clock is set.
  public var closedNominals: [AlarmID: Set<Int64>]
  /// When these were due, of alarms whose prompts keep their instants: see `Alarm.keepsInstants`.
  public var closedInstants: [AlarmID: Set<Instant>]
  /// From when an alarm was made to where the record was purged: what was due then is over, though nothing says so
  /// any more.
  public var purged: [AlarmID: Range<Instant>] = [:]
  public var tones: [Tone]
  /// Everybody of whom something was recorded.
  public var people: [PersonState]
  /// Whether the one that a new home has was erased: nothing says any more that there was such a one.
  public var isPatientForgotten = false
  /// How loud each calibrated device's card is made for a ring, in percent of its range.
  public var levels: [String: Int]
  public var pictures: [Picture]
  /// The rings of the hour before the newest row.
  public var recentRings: RecentRings
  /// The same of closed prompts that may come again: see `Prompt.mayComeAgain`.
  public var unheardNominals: [AlarmID: Set<Int64>]
  /// When these were due, of alarms whose prompts keep their instants.
  public var unheardInstants: [AlarmID: Set<Instant>]
  /// The user who created each living alarm, as far as the record says.
  public var alarmCreators: [AlarmID: String] = [:]
  /// The users who uploaded each picture, by its digest.
  public var uploaders: [String: Set<String>] = [:]
  /// The user who last added each recording, by its name.
  public var toneAdders: [String: String] = [:]
  /// Prompts of which something else was stored than the record says.
  public var strays: [ProjectionMismatch]
  /// Who was being told of what was missed, and nobody knows how it went.
  public var unconfirmed: [UnconfirmedNotification] = []
  /// The newest row of the record; nil on the first day.
  public var lastRecord: LastRecord?

  public init(
    alarms: [Alarm] = [], openPrompts: [Prompt] = [], answeredPrompts: [Prompt] = [],
    closedNominals: [AlarmID: Set<Int64>] = [:],
    closedInstants: [AlarmID: Set<Instant>] = [:],
    unheardNominals: [AlarmID: Set<Int64>] = [:],
    unheardInstants: [AlarmID: Set<Instant>] = [:], strays: [ProjectionMismatch] = [],
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
    self.strays = strays
    self.tones = tones
    self.people = people
    self.recentRings = recentRings
    self.levels = levels
    self.pictures = pictures
    self.lastRecord = lastRecord
  }

  /// When, and with what, the record last spoke.
  public struct LastRecord: Sendable, Hashable {
    public var reading: ClockReading
    /// Whether it says that the service stopped in good order.
    public var isServiceStop: Bool

    public init(reading: ClockReading, isServiceStop: Bool) {
      self.reading = reading
      self.isServiceStop = isServiceStop
    }
  }
}

/// What a batch of events made of everything that it touched.
public struct StateDelta: Sendable, Hashable {
  public var alarms: [AlarmID: Alarm] = [:]
  public var deletedAlarms: Set<AlarmID> = []
  /// Open or closed.
  public var prompts: [PromptID: Prompt] = [:]
  public var tones: [String: Tone] = [:]
  public var removedTones: Set<String> = []
  /// Answers to be kept for whoever asks again. No event leads to them.
  public var idempotencyRecords: [IdempotencyRecord] = []
  public var people: [PersonID: PersonState] = [:]
  /// Of calibrated devices; nil where that was taken back.
  public var levels: [String: Int?] = [:]
  public var pictures: [String: Picture] = [:]
  public var removedPictures: Set<String> = []
  /// Of whom nobody knows any more who they were.
  public var forgottenPeople: Set<PersonID> = []

  public init() {}
}

/// Limits on what one home may hold.
public struct HomeLimits: Sendable, Hashable {
  public var alarms: Int
  public var tones: Int
  /// All recordings together.
  public var toneBytes: Int
  /// Rings an hour for one person; a schedule whose bursts exceed it is refused when saved.
  public var ringsPerHour: Int
  public var pictures: Int
  /// All pictures together, with their thumbnails.
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
