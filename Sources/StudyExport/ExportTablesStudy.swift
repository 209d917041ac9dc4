import Alarms

extension ExportTable {
  /// One row for each response to a question, including corrected ones.
  public static let responses = ExportTable(
    name: "responses", title: "Every answer to a question of a check-in, corrected ones too",
    columns: [
      ExportColumn("seq", .integer, "The event that tells of it", example: "1207"),
      ExportColumn("prompt_id", .identifier("p"), "The prompt that it was asked with"),
      ExportColumn(
        "person", .pseudonym, empty: "the alarm's person is unknown", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study", example: "prompted"),
      ExportColumn("question", .word, "The question's name in the data", example: "pain"),
      ExportColumn(
        "number", .integer,
        "1 for the first answer to that question with that prompt; the highest is the one that counts"
      ),
      ExportColumn(
        "kind", .choice(["number", "choices", "mood", "flag", "text"]), "What kind of answer it is"),
      ExportColumn(
        "value_number", .number, empty: "a choice or a text",
        "The number; 0, 1, 2 for a bad, fair, good mood; 1 for yes and 0 for no", example: "4"),
      ExportColumn(
        "value_word", .word, empty: "a number or a text; none of the choices",
        "The mood, yes or no, or the names of what was chosen, with |", example: "fair"),
      ExportColumn(
        "unit", .word, empty: "it counts nothing", "UCUM code of the number", example: "Cel"),
      ExportColumn(
        "words", .typed, empty: "no text, or erased", "The person's own words",
        example: "A bit dizzy"),
      ExportColumn("answered", .instant, empty: "before day 1", "When it was given"),
      ExportColumn("role", .choice(roles), "Who gave it", example: "patient"),
    ], primaryKey: ["seq"], foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// One row for each diary entry, including corrected ones.
  public static let diary = ExportTable(
    name: "diary", title: "What care partners wrote of days and prompts, corrected entries too",
    columns: [
      ExportColumn("seq", .integer, "The event that tells of it", example: "1304"),
      ExportColumn("person", .pseudonym, "Of whom it is"),
      ExportColumn("study_id", .word, empty: "of no study", "The study", example: "trial-1"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study then", example: "prompted"),
      ExportColumn("about", .day, empty: "about a prompt, or before day 1", "The day it is about"),
      ExportColumn("prompt_id", .identifier("p"), empty: "about a day", "The prompt it is about"),
      ExportColumn(
        "number", .integer, "1 for the first entry about that day or prompt, more for corrections"),
      ExportColumn(
        "is_current", .boolean,
        "Whether it is the newest about that day or prompt, the one that counts"
      ),
      ExportColumn(
        "completion", .integer,
        "How much of what was to be done was done: 0 nothing, 1 some, 2 most, 3 all", example: "2"),
      ExportColumn(
        "burden", .integer, empty: "it was not said",
        "How much of a burden it was: 0 none to 4 very much", example: "1"),
      ExportColumn(
        "note", .typed, empty: "none, or erased", "In the care partner's words",
        example: "A good day"),
      ExportColumn("recorded", .instant, empty: "before day 1", "When it was brought in"),
      ExportColumn("role", .choice(roles), "Who brought it in", example: "researcher"),
    ], primaryKey: ["seq"], foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// One row for each enrolment of a person in a study.
  public static let participants = ExportTable(
    name: "participants", title: "Who took part in which study, in which arm, from when to when",
    columns: [
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn(
        "participant", .typed, empty: "it was erased",
        "The participant's code in the researchers' lists",
        example: "A-017"),
      ExportColumn("study_id", .word, "The study", example: "trial-1"),
      ExportColumn(
        "arm", .word, empty: "none was said", "The arm they were assigned to", example: "AB"),
      ExportColumn("from", .instant, empty: "before day 1", "Its first instant"),
      ExportColumn(
        "to", .instant, empty: "it is open, or ended before day 1", "The first instant after it"),
      ExportColumn("is_withdrawn", .boolean, "Whether it ended by a withdrawal", example: "false"),
      ExportColumn(
        "withdrawn", .instant, empty: "nobody withdrew, or before day 1", "When that was recorded"),
      ExportColumn(
        "reason", .typed, empty: "none was given, or erased", "Why somebody withdrew",
        example: "moved"),
      ExportColumn(
        "kept", .choice(["all", "no_words", "no_identity"]),
        "What is kept of them: all; all but what is in words; numbers, choices and times under a "
          + "pseudonym of which nobody knows any more whose it was"),
      ExportColumn("seq", .integer, "The event that began it", example: "12"),
    ], primaryKey: ["seq"])
}
