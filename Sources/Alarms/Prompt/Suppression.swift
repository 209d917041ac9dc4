import CivilTime

/// A prompt that is due and silent: listed and answerable, and for some reason not sounding now.
public struct Suppression: Hashable, Sendable {
  /// A closed list, as the record spells it.
  public enum Reason: String, Sendable, CaseIterable {
    /// Rings when the quiet hours are over.
    case quietHours = "quiet_hours"
    /// Had rung before the quiet hours began, and rings no more.
    case quietRest = "quiet_rest"
    /// Never sounds: the person is in a control phase.
    case controlPhase = "control_phase"
    /// Rings once the person's hour has room.
    case cap = "cap"
    /// The hour has no room as long as the prompt could ring.
    case capRest = "cap_rest"
  }

  /// When it rings after all, or ends.
  public var until: Instant
  /// When it should have rung.
  public var since: Instant
  /// The ring of its burst that comes then, from 0.
  public var ring: Int
  public var why: Reason

  public init(until: Instant, since: Instant, ring: Int, why: Reason) {
    self.until = until
    self.since = since
    self.ring = ring
    self.why = why
  }

  /// Whether it rings at `until`, and does not end then.
  public var ringsAfterwards: Bool { why == .quietHours || why == .cap }

  /// How it ends where nothing ever sounded.
  public var outcome: Outcome {
    switch why {
    case .quietHours, .quietRest: .suppressedQuietHours
    case .controlPhase: .suppressedControlPhase
    case .cap, .capRest: .suppressedCap
    }
  }
}
