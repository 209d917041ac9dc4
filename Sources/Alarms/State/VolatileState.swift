import CivilTime

/// The part of the state that a replay of the events cannot restore.
///
/// Each `Decision` contains the complete volatile state after the call of `step`. The engine
/// replaces the old volatile state with this state. After a restart, the volatile state is empty,
/// except for the values in `HomeSnapshot`.
struct VolatileState: Sendable {
  /// The ring that uses the speaker, or the words of a prompt that the player says again.
  struct ActiveRing: Sendable, Hashable {
    var prompt: PromptID
    /// The number of the ring. If `again` is not nil, the number is below 0.
    var ring: Int
    /// The person for whom the prompt rings. The value stays the same if a caretaker removes the
    /// alarm during the ring.
    var person: PersonID
    var deadline: Instant
    /// True if the ring counts for the hourly limit: see `Ring.isRepetition`.
    var isRepetition: Bool
    /// True if the ring is for a task; false if the ring is for an announcement.
    var isTask: Bool
    /// True if the player reported the start of the ring.
    var hasStarted = false
    /// True if the player used a fallback device or sound during this ring.
    var usedFallback = false
    /// The other prompts of a merged ring; empty if the ring is for one prompt alone.
    var others: [Other] = []
    /// The data of a sound that only says a prompt again; nil for a ring. During such a sound, the
    /// state of the prompt does not change, and the player's reports about the sound cause no
    /// events.
    var again: Again?
  }

  /// The recording of a prompt that the player says again.
  struct Again: Sendable, Hashable {
    /// The SHA-256 of the recording; nil for spoken words or the built-in tone.
    var toneSHA256: String?
  }

  /// The last chime.
  struct Alert: Sendable, Hashable {
    var prompt: PromptID
    var at: Instant
  }

  /// The ring that uses the speaker now. After a restart of the daemon the value is nil, because no
  /// ring sounds.
  var activeRing: ActiveRing?
  /// The newest chime. If another prompt rings within 60 s after this chime, its ring has no chime.
  /// A restart deletes the value. Therefore the first ring after a restart can have an unnecessary
  /// chime.
  var lastAlert: Alert?
  /// The number of orders to say a prompt again since the daemon started. From this count, the
  /// daemon gives each of these orders its own negative ring number.
  var againCount = 0
  var clock = ClockMemory()
  var speaker = SpeakerHealth()
  /// True if disk space was low at the last check. The value is lost at a restart, so if disk space
  /// is still low after a restart, the daemon records the low disk space again.
  var isDiskLow = false
  /// The recent rings of each person: see `RecentRings`.
  var recentRings = RecentRings()
  /// The prompts whose stored state was wrong. The next decision stores these prompts again.
  var mismatches: [ProjectionMismatch] = []
  /// The notices to contacts. At its start, the daemon reads these notices from the snapshot of the
  /// record.
  var notices = NoticeBook()
  /// For each contact, the day of the last requested summary. If the daemon restarts before it has
  /// recorded a summary, `step` requests this summary again.
  var requestedSummaries: [String: CivilDate] = [:]
}

/// A type with the property `volatile`: the state of the home, or a transition.
protocol HasVolatileState {
  var volatile: VolatileState { get set }
}

extension HasVolatileState {
  var activeRing: VolatileState.ActiveRing? {
    get { volatile.activeRing }
    set { volatile.activeRing = newValue }
  }
  var lastAlert: VolatileState.Alert? {
    get { volatile.lastAlert }
    set { volatile.lastAlert = newValue }
  }
  var clock: ClockMemory {
    get { volatile.clock }
    set { volatile.clock = newValue }
  }
  var isDiskLow: Bool {
    get { volatile.isDiskLow }
    set { volatile.isDiskLow = newValue }
  }
  var recentRings: RecentRings {
    get { volatile.recentRings }
    set { volatile.recentRings = newValue }
  }
  var mismatches: [ProjectionMismatch] {
    get { volatile.mismatches }
    set { volatile.mismatches = newValue }
  }
  var notices: NoticeBook {
    get { volatile.notices }
    set { volatile.notices = newValue }
  }
}
