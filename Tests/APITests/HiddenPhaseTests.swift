import API
import Alarms
import JSONValue
import Testing

@Suite struct `Names of phases that a study hides` {
  @Test(arguments: [
    (#"{"phase":"control"}"#, #"{"phase":null}"#), (#"{"phase":null}"#, #"{"phase":null}"#),
    (#"{"outcome":"suppressed_control_phase"}"#, #"{"outcome":"suppressed_by_study"}"#),
    (#"{"outcome":"completed"}"#, #"{"outcome":"completed"}"#),
    (
      #"{"prompts":[{"held":"control_phase"},{"held":"quiet_hours"}]}"#,
      #"{"prompts":[{"held":"study"},{"held":"quiet_hours"}]}"#
    ),
    (#"{"next":{"suppressed_by":"control_phase"}}"#, #"{"next":{"suppressed_by":"study"}}"#),
    (#"{"payload":{"why":"control_phase"}}"#, #"{"payload":{"why":"study"}}"#),
    // A person can type this word as a label. A label does not change.
    (#"{"label":"control_phase"}"#, #"{"label":"control_phase"}"#),
  ]) func `are replaced at any depth, and nothing else`(document: String, hidden: String) throws {
    #expect(try JSON(parsing: Array(document.utf8)).hidingPhaseNames().description == hidden)
  }

  @Test func `no word of the model that names a phase survives`() {
    let words =
      StudyPhase.Kind.allCases.map { ("phase", $0.rawValue) }
      + Outcome.allCases.map { ("outcome", $0.rawValue) }
      + Suppression.Reason.allCases.map { ("held", $0.rawValue) }
      + ExpectedSuppression.Reason.allCases.map { ("suppressed_by", $0.rawValue) }
    for (member, word) in words {
      let hidden = JSON.object([(member, .string(word))]).hidingPhaseNames().description
      #expect(!hidden.contains("control") && !hidden.contains("washout"), "\(hidden)")
    }
  }
}
