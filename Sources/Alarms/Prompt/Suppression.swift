import CivilTime

/// The reason why a due prompt does not sound, and the time at which the reason ends.
///
/// Lists show a suppressed prompt, and a person can answer this prompt.
public struct Suppression: Hashable, Sendable {
  /// The reason for a suppression. The record contains the raw value. The list of reasons is fixed.
  public enum Reason: String, Sendable, CaseIterable {
    /// The prompt rings when the quiet hours are over.
    case quietHours = "quiet_hours"
    /// The prompt rang before the quiet hours began, and does not ring again.
    case quietRest = "quiet_rest"
    /// The person is in a control phase. The prompt never sounds.
    case controlPhase = "control_phase"
    /// The prompt rings as soon as the person's hourly limit allows the ring.
    case cap = "cap"
    /// The hourly limit allows no ring before the late window of the prompt is over.
    case capRest = "cap_rest"
  }

  /// The instant at which the prompt rings or ends: see `ringsAfterwards`.
  public var until: Instant
  /// The instant at which the prompt should have rung.
  public var since: Instant
  /// The index of the next ring, counted from 0 over all bursts of the prompt. If `ringsAfterwards`
  /// is true, this ring sounds at `until`. Otherwise no further ring sounds.
  public var ring: Int
  public var reason: Reason

  public init(until: Instant, since: Instant, ring: Int, reason: Reason) {
    self.until = until
    self.since = since
    self.ring = ring
    self.reason = reason
  }

  /// True if the prompt rings at `until`; false if the prompt ends at `until`.
  public var ringsAfterwards: Bool { reason == .quietHours || reason == .cap }

  /// The outcome of a prompt that ends without an answer while the daemon holds the prompt back. If
  /// the prompt is delivered, or if one of its rings failed, the prompt gets another outcome.
  public var outcome: Outcome {
    switch reason {
    case .quietHours, .quietRest: .suppressedQuietHours
    case .controlPhase: .suppressedControlPhase
    case .cap, .capRest: .suppressedCap
    }
  }
}
