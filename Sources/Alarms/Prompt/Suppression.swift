import CivilTime

/// Why and until when a due prompt does not sound.
///
/// The prompt is listed and can be answered.
public struct Suppression: Hashable, Sendable {
  /// A closed list, as the record spells it.
  public enum Reason: String, Sendable, CaseIterable {
    /// The prompt rings when the quiet hours are over.
    case quietHours = "quiet_hours"
    /// The prompt rang before the quiet hours began, and does not ring again.
    case quietRest = "quiet_rest"
    /// The person is in a control phase. The prompt never sounds.
    case controlPhase = "control_phase"
    /// The prompt rings as soon as the person's hourly limit allows it.
    case cap = "cap"
    /// The hourly limit allows no ring before the window of the prompt is over.
    case capRest = "cap_rest"
  }

  /// When the prompt rings after all, or ends.
  public var until: Instant
  /// When the prompt should have rung.
  public var since: Instant
  /// Index of the ring that comes then, in the chain, from 0.
  public var ring: Int
  public var reason: Reason

  public init(until: Instant, since: Instant, ring: Int, reason: Reason) {
    self.until = until
    self.since = since
    self.ring = ring
    self.reason = reason
  }

  /// Whether the prompt rings at `until`. Otherwise it ends then.
  public var ringsAfterwards: Bool { reason == .quietHours || reason == .cap }

  /// Outcome of the prompt if no ring of it sounded.
  public var outcome: Outcome {
    switch reason {
    case .quietHours, .quietRest: .suppressedQuietHours
    case .controlPhase: .suppressedControlPhase
    case .cap, .capRest: .suppressedCap
    }
  }
}
