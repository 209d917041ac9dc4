import CivilTime

/// The state that no event sets, so the record cannot restore it.
///
/// A decision contains the whole volatile state. After a restart, the volatile state is empty,
/// except for the parts that the snapshot of the record contains.
struct VolatileState: Sendable {
  /// The ring that uses the speaker.
  struct ActiveRing: Sendable, Hashable {
    var prompt: PromptID
    var ring: Int
    /// The person for whom the prompt rings. The person stays the same if the alarm is removed
    /// during the ring.
    var person: PersonID
    var deadline: Instant
    /// True if the hourly limit counts the ring: see `Ring.isRepetition`.
    var isRepetition: Bool
    /// True if the ring is for a task; false if it is for an announcement.
    var isTask: Bool
    /// True if the player reported that the ring sounds.
    var hasStarted = false
    /// True if the player used a fallback device or sound during this ring.
    var usedFallback = false
  }

  /// The last chime.
  struct Alert: Sendable, Hashable {
    var prompt: PromptID
    var at: Instant
  }

  /// The ring that uses the speaker. After a restart, no ring sounds.
  var activeRing: ActiveRing?
  /// The last chime. After a restart the value is nil, because a second chime does no harm.
  var lastAlert: Alert?
  var clock = ClockMemory()
  var speaker = SpeakerHealth()
  /// True if disk space was low at the last check. After a restart, a low disk is reported once
  /// more.
  var isDiskLow = false
  /// The rings of each person in the last hour, for the hourly limit.
  var recentRings = RecentRings()
  /// The prompts that the next decision stores again, because their stored state was wrong.
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
