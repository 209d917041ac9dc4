import Alarms

extension ExportTable {
  /// One row for each response to a question. The table also contains responses that were corrected
  /// later.
  public static let responses = ExportTable(
    name: "responses",
    title: "All responses to questions of check-ins, including responses that were corrected later",
    columns: [
      ExportColumn(
        "seq", .sequence, "Number of the event that contains the data of this row", example: "1207"),
      ExportColumn("prompt_id", .identifier("p"), "The prompt that asked the question"),
      ExportColumn(
        "person", .pseudonym, empty: "the alarm's person is unknown", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "phase", .choice(phaseKinds), empty: "no phase was set",
        "Phase of the study at the due time of the prompt",
        example: "prompted"),
      ExportColumn(
        "question", .name("q"), "Name of the question (not the text of the question)",
        example: "pain"),
      ExportColumn(
        "number", .integer,
        "1 for the first response to this question of this prompt. Each correction has the next "
          + "number. The response with the highest number is valid"
      ),
      ExportColumn(
        "kind", .choice(["number", "choices", "mood", "flag", "text"]), "Kind of the response"),
      ExportColumn(
        "value_number", .number, empty: "the response is a choice or a text",
        "The response as a number. A mood is 0 (bad), 1 (fair) or 2 (good). Yes is 1, and no is 0",
        example: "4"),
      ExportColumn(
        "value_word", .names("c"),
        empty: "the response is a number or a text, or no choice was selected",
        "The response as a word: a mood, `yes`, `no`, or the names of the selected choices, "
          + "separated by |",
        example: "fair"
      ),
      ExportColumn(
        "unit", .word, empty: "the response has no unit",
        "Unit of the number, as a code of UCUM (Unified Code for Units of Measure)",
        example: "Cel"),
      ExportColumn(
        "words", .typed, empty: "the response is not a text, or the text was erased",
        "The text of the response, as the person typed it",
        example: "A bit dizzy"),
      ExportColumn(
        "answered", .instant,
        "Time at which the response was recorded"),
      ExportColumn(
        "role", .choice(roles), "Role of the user who sent the response", example: "patient"),
    ], primaryKey: ["seq"], foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// One row for each diary entry. The table also contains entries that were corrected later.
  public static let diary = ExportTable(
    name: "diary",
    title: "Diary entries about days and prompts, including entries that were corrected later",
    columns: [
      ExportColumn(
        "seq", .sequence, "Number of the event that contains the data of this row", example: "1304"),
      ExportColumn("person", .pseudonym, "The person whom the entry is about"),
      ExportColumn(
        "study_id", .word, empty: "the entry is in no study", "Id of the study", example: "trial-1"),
      ExportColumn(
        "phase", .choice(phaseKinds), empty: "no phase was set",
        "Phase of the study at the due time of the prompt, or 12 hours after the start of the day",
        example: "prompted"),
      ExportColumn(
        "about", .day,
        empty: "the entry is about a prompt",
        "The day that the entry is about"),
      ExportColumn(
        "prompt_id", .identifier("p"), empty: "the entry is about a day",
        "The prompt that the entry is about"),
      ExportColumn(
        "number", .integer,
        "1 for the first entry about the day or the prompt; each correction has the next number"
      ),
      ExportColumn(
        "is_current", .boolean,
        "True for the newest entry about the day or the prompt; only the newest entry is valid"
      ),
      ExportColumn(
        "completion", .integer,
        "How much of the task, or of all tasks of the day, was done: 0 (nothing), 1 (some), 2 "
          + "(most) or 3 (all)", example: "2"),
      ExportColumn(
        "burden", .integer, empty: "no burden was given",
        "Burden of the care partner (the person who wrote the diary): 0 (none) to 4 (very much)",
        example: "1"),
      ExportColumn(
        "note", .typed, empty: "there is no note, or the note was erased",
        "Note of the care partner",
        example: "A good day"),
      ExportColumn(
        "recorded", .instant,
        "Time at which the entry was imported"),
      ExportColumn(
        "role", .choice(roles), "Role of the user who imported the entry", example: "researcher"),
    ], primaryKey: ["seq"], foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// One row for each enrolment of a person in a study.
  public static let participants = ExportTable(
    name: "participants", title: "All enrolments, with person, study, arm, beginning and end",
    columns: [
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn(
        "participant", .word,
        empty:
          "the code was erased, or the export is not `identified` and either the code could be a "
          + "name or the pseudonyms were changed after the enrolment",
        "Code of the participant in the lists of the researchers. Join other data of the trial with "
          + "this column. An export with the profile `limited` or `safe_harbor` contains the code "
          + "only if it has at most four letters, then digits, for example A-017",
        example: "A-017"),
      ExportColumn("study_id", .word, "Id of the study", example: "trial-1"),
      ExportColumn(
        "arm", .word, empty: "no arm was given",
        "Arm of the study, or the code of the arm if `is_blinded` is true", example: "AB"),
      ExportColumn(
        "from", .instant,
        "First instant of the enrolment"),
      ExportColumn(
        "to", .instant,
        empty: "the enrolment has no end",
        "First instant after the enrolment"),
      ExportColumn(
        "is_withdrawn", .boolean, "True if the enrolment ended with a withdrawal", example: "false"),
      ExportColumn(
        "withdrawn", .instant,
        empty: "there was no withdrawal",
        "Time at which the withdrawal was recorded"),
      ExportColumn(
        "reason", .typed, empty: "no reason was given, or the reason was erased",
        "Reason for the withdrawal",
        example: "moved"),
      ExportColumn(
        "kept", .choice(["all", "no_words", "no_identity"]),
        "Data of the person that are still in the record. `all`: all data. `no_words`: all data "
          + "except texts. `no_identity`: only numbers, choices and times, under a pseudonym that "
          + "nobody can link to the person"),
      ExportColumn(
        "seq", .sequence, "Number of the event that recorded the enrolment", example: "12"),
      ExportColumn(
        "is_blinded", .boolean,
        "True if `arm` is a code in place of the arm, because no administrator has unblinded the study",
        example: "false"),
      ExportColumn(
        "consent", .word, empty: "no version was given", "Version of the consent form",
        example: "2.1"),
      ExportColumn(
        "reason_code", .choice(WithdrawalCode.allCases.map(\.rawValue)),
        empty: "there was no withdrawal, or it has no code",
        "Reason for the withdrawal, as a code (CDISC NCOMPLT)", example: "withdrawal_by_subject"),
      ExportColumn(
        "hides_phases", .boolean,
        "True if patients and caretakers do not see the names of the phases until the enrolment ends",
        example: "false"),
      ExportColumn(
        "consent_scope", .word, empty: "nobody gave it",
        "What the person consented to, separated by |: "
          + ConsentScope.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
        example: "this_study|photos"),
      ExportColumn(
        "data_use", .choice(DataUse.allCases.map(\.rawValue)),
        empty: "there was no withdrawal, or nobody said it",
        "Which data the study may still use after the withdrawal. If it is `none`, reports and scripts "
          + "leave out the prompts of this person in this study",
        example: "until_withdrawal"),
      ExportColumn(
        "allocation_sha256", .word, empty: "the arm comes from no list, or the study is blinded",
        "SHA-256 of the allocation list from which the arm comes",
        example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    ], primaryKey: ["seq"])
}
