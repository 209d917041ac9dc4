import CivilTime

/// The state that the logbook restores when the daemon starts.
public struct HomeSnapshot: Sendable {
  /// The newest version of every alarm that is not deleted.
  public var alarms: [Alarm]
  public var openPrompts: [Prompt]
  /// The closed prompts whose answers can still be undone.
  public var answeredPrompts: [Prompt]
  /// For each alarm, the closed prompts that the daemon must not plan again, as
  /// `PromptID.nominalKey`.
  ///
  /// These prompts must not ring again, even if somebody sets the clock back.
  public var closedNominals: [AlarmID: Set<Int64>]
  /// For each alarm whose `Alarm.keepsInstants` is true, the due instants of the closed prompts
  /// that the daemon must not plan again.
  public var closedInstants: [AlarmID: Set<Instant>]
  /// For each alarm, the period from which purges removed closed prompts.
  ///
  /// All prompts that were due in this period are closed. `closedNominals` and `closedInstants` do
  /// not contain the removed prompts, so the daemon uses the period to recognise these prompts.
  public var purged: [AlarmID: Range<Instant>] = [:]
  public var tones: [Tone]
  /// All people to whom at least one event of the record refers.
  public var people: [PersonState]
  /// True if the default person, whom each new home contains, was erased.
  ///
  /// After the erasure, no other field of the snapshot contains this person. Without this field,
  /// the daemon would create the default person again.
  public var isPatientForgotten = false
  /// For each sound device, the volume that a caretaker set for rings. The volume is in percent of
  /// the range of the sound card.
  public var levels: [String: Int]
  public var pictures: [Picture]
  /// The lists of holidays that the home stores.
  public var holidays: [HolidayList] = []
  /// The rings in the hour before the newest event of the record.
  public var recentRings: RecentRings
  /// For each alarm, the closed prompts that the daemon may plan again, as `PromptID.nominalKey`:
  /// see `Prompt.canBePlannedAgain`.
  public var unheardNominals: [AlarmID: Set<Int64>]
  /// For each alarm whose `Alarm.keepsInstants` is true, the due instants of the closed prompts
  /// that the daemon may plan again.
  public var unheardInstants: [AlarmID: Set<Instant>]
  /// The user who created each alarm. The list does not contain an alarm whose creator is not
  /// known.
  public var alarmCreators: [AlarmID: String] = [:]
  /// The users who uploaded each picture. The key is the SHA-256 of the picture.
  public var uploaders: [String: Set<String>] = [:]
  /// The user who last added each recording. The key is the name of the recording.
  public var toneAdders: [String: String] = [:]
  /// The prompts whose stored state is different from the state that a replay gives.
  public var mismatches: [ProjectionMismatch]
  /// The pending notifications about missed prompts.
  public var unconfirmed: [UnconfirmedNotification] = []
  public var supplies: [Supply] = []
  /// The notices to contacts, computed from the newest events.
  public var notices = NoticeBook()
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

  /// The newest row of the record: its clock reading and its kind.
  public struct LastRecord: Sendable, Hashable {
    public var reading: ClockReading
    /// True if the row is the event of a normal stop of the daemon.
    public var isServiceStop: Bool

    public init(reading: ClockReading, isServiceStop: Bool) {
      self.reading = reading
      self.isServiceStop = isServiceStop
    }
  }
}

/// The changes that a list of events causes: all changed objects, such as alarms and prompts, with
/// their new values.
public struct StateDelta: Sendable, Hashable {
  public var alarms: [AlarmID: Alarm] = [:]
  public var deletedAlarms: Set<AlarmID> = []
  /// The changed prompts, open or closed.
  public var prompts: [PromptID: Prompt] = [:]
  public var tones: [String: Tone] = [:]
  public var removedTones: Set<String> = []
  /// The idempotency records to store. The events do not contain these records.
  public var idempotencyRecords: [IdempotencyRecord] = []
  public var people: [PersonID: PersonState] = [:]
  /// For each sound device, the volume that a caretaker set, in percent. If the value is nil, the
  /// volume in the configuration applies again.
  public var levels: [String: Int?] = [:]
  public var pictures: [String: Picture] = [:]
  public var removedPictures: Set<String> = []
  public var supplies: [SupplyID: Supply] = [:]
  public var removedSupplies: Set<SupplyID> = []
  /// The changed lists of holidays. The key is the name of the list. The value is nil for a removed
  /// list.
  public var holidays: [String: HolidayList?] = [:]
  /// The people whose identity was erased.
  public var forgottenPeople: Set<PersonID> = []

  public init() {}
}

/// The limits for the contents of one home.
public struct HomeLimits: Sendable, Hashable {
  public var alarms: Int
  public var tones: Int
  /// The maximum size of all recordings together, in bytes.
  public var toneBytes: Int
  /// The hourly limit for people without their own limit.
  ///
  /// The daemon also refuses an alarm if the number of its rings in one hour can be larger than
  /// this limit. This check counts all rings of the alarm, and not only the repetitions.
  public var ringsPerHour: Int
  public var pictures: Int
  /// The maximum size of all pictures and their thumbnails together, in bytes.
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
