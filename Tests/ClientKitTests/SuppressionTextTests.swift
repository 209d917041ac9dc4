import ClientKit
import JSONValue
import Testing

@Suite struct `The reason why a prompt will be silent` {
  @Test(arguments: [
    (#"{}"#, ""), (#"{"suppressed_by":"control_phase"}"#, "silent, control phase"),
    (#"{"suppressed_by":"study"}"#, "silent, because of the study"),
    (#"{"suppressed_by":"paused"}"#, "silent, paused"),
  ]) func `is in words, also if a study hides its phases`(due: String, words: String) throws {
    #expect(PromptText.suppressionText(try JSON(parsing: Array(due.utf8))) == words)
  }
}
