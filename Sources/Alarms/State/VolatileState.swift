import CivilTime

/// State that no event sets, so that the record cannot restore it.
///
/// A decision hands it on as a whole. After a restart it begins empty, except for the parts that
/// the snapshot of the record gives.
struct VolatileState: Sendable {
  /// The ring that has the speaker.
  struct ActiveRing: Sendable, Hashable {
    var prompt: PromptID
    var ring: Int
    /// Person who is called, even if the alarm is removed while it sounds.
    var person: PersonID
    var deadline: Instant
    /// Whether the hourly limit counts the ring: see `Ring.isRepetition`.
    var isRepetition: Bool
    /// Whether it is for a task, and not for an announcement.
    var isTask: Bool
    /// Whether the player reported that it sounds.
    var hasStarted = false
    /// Whether a fallback device or sound was used during this ring.
    var usedFallback = false
  }

  /// The last chime.
  struct Alert: Sendable, Hashable {
    var prompt: PromptID
    var at: Instant
  }

  /// The ring that has the speaker; after a restart nothing sounds.
  var activeRing: ActiveRing?
  /// The last chime. A second chime after a restart does no harm.
  var lastAlert: Alert?
  var clock = ClockMemory()
  var speaker = SpeakerHealth()
  /// Whether the disk was found low. A restart reports a low disk once more.
  var isDiskLow = false
  /// The rings of the last hour of each person, as needed by the hourly limit.
  var recentRings = RecentRings()
  /// Prompts that the next decision stores again.
  var mismatches: [ProjectionMismatch] = []
}

/// A state or a transition that has volatile state.
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
}
