import CivilTime

/// A ring that sounded recently.
///
/// The daemon uses recent rings for two purposes: to apply the hourly limit, and to find the prompt
/// for an answer without an id.
public struct RecentRing: Hashable, Sendable {
  /// The instant at which the ring started to sound.
  public var at: Instant
  /// True if the ring counts for the hourly limit: see `Ring.isRepetition`.
  public var isRepetition: Bool
  /// True if the ring was for a task; false if the ring was for an announcement (`prompter say`).
  public var isTask: Bool

  public init(at: Instant, isRepetition: Bool, isTask: Bool) {
    self.at = at
    self.isRepetition = isRepetition
    self.isTask = isTask
  }
}

/// The rings of each person within the last hour, oldest first.
///
/// The newest ring for a task stays in the list, even if this ring is older than an hour.
public struct RecentRings: Hashable, Sendable {
  static let hourMilliseconds: Int64 = 3_600_000

  private var rings: [PersonID: [RecentRing]] = [:]

  public init() {}

  /// Adds a ring, and removes the rings that are more than an hour older than the new ring.
  public mutating func add(_ ring: RecentRing, of person: PersonID) {
    var kept = rings[person] ?? []
    kept.append(ring)
    let newestTask = kept.lastIndex(where: \.isTask)
    kept = kept.enumerated().filter { index, other in
      index == newestTask || Self.isRecent(other.at, at: ring.at)
    }.map(\.element)
    rings[person] = kept
  }

  /// Returns the start times of the repetitions in the last hour, oldest first.
  public func repetitions(of person: PersonID, at wall: Instant) -> [Instant] {
    (rings[person] ?? []).filter { $0.isRepetition && Self.isRecent($0.at, at: wall) }.map(\.at)
  }

  /// Returns the time of the last ring of a task for this person. If `person` is nil, the result is
  /// the time of the last ring of a task for any person.
  func lastTaskSound(of person: PersonID?) -> Instant? {
    let all = person.map { rings[$0] ?? [] } ?? rings.values.flatMap { $0 }
    return all.filter(\.isTask).map(\.at).max()
  }

  /// Moves the instants of all rings after a clock step, because the hourly limit depends on
  /// elapsed time.
  mutating func shift(by milliseconds: Int64) {
    rings = rings.mapValues { rings in
      rings.map { ring in
        var ring = ring
        ring.at = ring.at.adding(milliseconds: milliseconds)
        return ring
      }
    }
  }

  /// Returns true if a ring is less than an hour before or after `wall`.
  ///
  /// After the clock was set back, the stored time of an old ring can be in the future. If the
  /// stored time is an hour or more after `wall`, the function returns false.
  private static func isRecent(_ ring: Instant, at wall: Instant) -> Bool {
    abs(wall.milliseconds - ring.milliseconds) < hourMilliseconds
  }
}
