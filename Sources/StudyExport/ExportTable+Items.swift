import Alarms

extension ExportTable {
  /// The kinds of questions that a column `kind` can contain.
  static let questionKinds = [
    "number", "scale", "temperature", "choices", "mood", "yes_no", "text",
  ]

  /// One row for each question of each version of each alarm.
  public static let instruments = ExportTable(
    name: "instruments",
    title: "The questions of check-ins, in all versions of all alarms",
    columns: [
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("alarm_version", .integer, "The alarm's version", example: "2"),
      ExportColumn(
        "item", .name("q"), "Name of the question, as in the column `question` of responses.csv",
        example: "pain"),
      ExportColumn("position", .integer, "1 for the first question of the check-in"),
      ExportColumn(
        "wording_version", .integer,
        "1 for the first wording of the question in this alarm. A change of the text, the kind, the range "
          + "or the choices adds 1. After an erasure of the texts, the number does not count changes of the "
          + "texts"),
      ExportColumn("kind", .choice(questionKinds), "Kind of the question", example: "scale"),
      ExportColumn(
        "low", .number, empty: "the kind is `choices` or `text`",
        "Smallest possible value of `value_number` in responses.csv", example: "0"),
      ExportColumn(
        "high", .number, empty: "the kind is `choices` or `text`",
        "Largest possible value of `value_number` in responses.csv", example: "10"),
      ExportColumn(
        "unit", .word, empty: "the kind is neither `number` nor `temperature`",
        "Unit of the number, as a code of UCUM (Unified Code for Units of Measure)",
        example: "Cel"),
      ExportColumn(
        "choices", .names("c"), empty: "the kind is none of `choices`, `mood` and `yes_no`",
        "Names of the choices, separated by |", example: "bad|fair|good"),
      ExportColumn(
        "is_required", .boolean, "False if the person can leave out the question"),
      ExportColumn(
        "wording", .typed, empty: "the text was erased",
        "The question in the words of the caretaker",
        example: "How bad is the pain, from 0 to 10?"),
    ], primaryKey: ["alarm_id", "alarm_version", "item"])

  /// The reasons why a question has no response.
  static let itemCauses = ItemCause.allCases.map(\.rawValue)

  /// One row for each question of each prompt.
  public static let items = ExportTable(
    name: "items",
    title: "The questions of all prompts, with the cause of each missing response",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt that asked the question"),
      ExportColumn(
        "study_id", .word, empty: "the prompt is in no study", "Id of the study", example: "trial-1"
      ),
      ExportColumn(
        "person", .pseudonym, empty: "the alarm's person is unknown", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "phase", .choice(phaseKinds), empty: "no phase was set",
        "Phase of the study at the due time of the prompt", example: "prompted"),
      ExportColumn("item", .name("q"), "Name of the question", example: "pain"),
      ExportColumn(
        "is_required", .boolean, "False if the person could leave out the question"),
      ExportColumn(
        "is_answered", .boolean,
        "True if responses.csv contains a response to the question of this prompt"),
      ExportColumn(
        "cause", .choice(itemCauses), empty: "the question has a response",
        "Why there is no response. `open`: the prompt has not ended. `skipped`: the prompt was completed "
          + "without this response. `declined`: the person declined the prompt. `no_response`: nobody "
          + "answered the prompt. `control_phase`: nobody answered the prompt, which did not sound "
          + "because of a control phase. `not_asked`: the device could not ask. `not_expected`: the prompt "
          + "was cancelled, suppressed or replaced by an edit", example: "no_response"),
    ], primaryKey: ["prompt_id", "item"],
    foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])
}

/// The reason why a question of a prompt has no response.
public enum ItemCause: String, Sendable, CaseIterable {
  case open = "open"
  case skipped = "skipped"
  case declined = "declined"
  case noResponse = "no_response"
  case controlPhase = "control_phase"
  case notAsked = "not_asked"
  case notExpected = "not_expected"

  /// Finds the reason from the outcome of the prompt.
  ///
  /// - Parameter outcome: the outcome; nil if the prompt is open.
  public init(_ outcome: Outcome?) {
    self =
      switch outcome {
      case nil: .open
      case .completed, .completedOutOfWindow: .skipped
      case .declined: .declined
      case .missedNoResponse: .noResponse
      case .suppressedControlPhase: .controlPhase
      case .missedAudioFailed, .missedDeviceOff, .missedSuspended, .missedClockInvalid,
        .unknownCrash:
        .notAsked
      case .suppressedQuietHours, .suppressedCap, .suppressedPaused, .cancelledBeforeDue,
        .cancelledWhileRinging, .supersededByEdit:
        .notExpected
      }
  }
}
