import Alarms
import JSONValue

/// The words that replace the name of a study phase.
///
/// A study can hide the names of the phases from patients and caretakers until the enrolment ends.
/// Patients and caretakers then see that a prompt stayed silent, but they do not see that the
/// reason was a control phase.
public enum HiddenPhase {
  /// The outcome of a prompt that a hidden phase kept silent.
  public static let outcome = "suppressed_by_study"
  /// The reason why a hidden phase keeps a prompt silent.
  public static let reason = "study"
  /// The names of the JSON members that contain the reason why a prompt is silent.
  fileprivate static let reasons: Set<String> = ["held", "suppressed_by", "why"]
}

extension JSON {
  /// Returns the document without the names of study phases. The function also removes the names in
  /// nested objects and arrays.
  public func hidingPhaseNames() -> JSON {
    switch self {
    case .array(let values): .array(values.map { $0.hidingPhaseNames() })
    case .members(let members):
      .object(members.map { ($0.name, $0.value.hidingPhaseName(of: $0.name)) })
    default: self
    }
  }

  private func hidingPhaseName(of member: String) -> JSON {
    switch (member, string) {
    case ("phase", .some): .null
    case ("outcome", Outcome.suppressedControlPhase.rawValue): .string(HiddenPhase.outcome)
    case (_, Suppression.Reason.controlPhase.rawValue) where HiddenPhase.reasons.contains(member):
      .string(HiddenPhase.reason)
    default: hidingPhaseNames()
    }
  }
}
