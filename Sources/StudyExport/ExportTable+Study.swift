import Alarms

extension ExportTable {
  /// One row for each response to a question, including corrected ones.
  public static let responses = ExportTable(
    name: "responses",
    title: "Every answer to a question of a check-in, including corrected answers",
    columns: [
      ExportColumn("seq", .integer, "Number of the event that records it", example: "1207"),
      ExportColumn("prompt_id", .identifier("p"), "The prompt that asked the question"),
      ExportColumn(
        "person", .pseudonym, empty: "the alarm's person is unknown", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study", example: "prompted"),
      ExportColumn("question", .word, "Name of the question in the data", example: "pain"),
      ExportColumn(
        "number", .integer,
        "1 for the first answer to that question with that prompt; the answer with the highest number counts"
      ),
      ExportColumn(
        "kind", .choice(["number", "choices", "mood", "flag", "text"]), "Kind of answer"),
      ExportColumn(
        "value_number", .number, empty: "the answer is a choice or a text",
        "The number; 0, 1, 2 for a bad, fair, good mood; 1 for yes and 0 for no", example: "4"),
      ExportColumn(
        "value_word", .word, empty: "the answer is a number or a text, or no choice was selected",
        "The mood, yes or no, or the names of the selected choices, separated by |", example: "fair"
      ),
      ExportColumn(
        "unit", .word, empty: "the answer has no unit", "Unit of the number, a UCUM code",
        example: "Cel"),
      ExportColumn(
        "words", .typed, empty: "no text, or erased", "The person's own words",
        example: "A bit dizzy"),
      ExportColumn("answered", .instant, empty: "before day 1", "When the answer was given"),
      ExportColumn(
        "role", .choice(roles), "Role of the user who gave the answer", example: "patient"),
    ], primaryKey: ["seq"], foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// One row for each diary entry, including corrected ones.
  public static let diary = ExportTable(
    name: "diary", title: "Diary entries about days and prompts, including corrected entries",
    columns: [
      ExportColumn("seq", .integer, "Number of the event that records it", example: "1304"),
      ExportColumn("person", .pseudonym, "The person that the entry is about"),
      ExportColumn(
        "study_id", .word, empty: "the entry is in no study", "Id of the study", example: "trial-1"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study at that time",
        example: "prompted"),
      ExportColumn("about", .day, empty: "about a prompt, or before day 1", "The day it is about"),
      ExportColumn("prompt_id", .identifier("p"), empty: "about a day", "The prompt it is about"),
      ExportColumn(
        "number", .integer, "1 for the first entry about that day or prompt; each correction adds 1"
      ),
      ExportColumn(
        "is_current", .boolean,
        "Whether it is the newest entry about that day or prompt; only the newest counts"
      ),
      ExportColumn(
        "completion", .integer,
        "How much of the task was done: 0 nothing, 1 some, 2 most, 3 all", example: "2"),
      ExportColumn(
        "burden", .integer, empty: "no burden was given",
        "Burden: 0 none to 4 very much", example: "1"),
      ExportColumn(
        "note", .typed, empty: "none, or erased", "Note of the care partner",
        example: "A good day"),
      ExportColumn("recorded", .instant, empty: "before day 1", "When the entry was imported"),
      ExportColumn(
        "role", .choice(roles), "Role of the user who imported the entry", example: "researcher"),
    ], primaryKey: ["seq"], foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// One row for each enrolment of a person in a study.
  public static let participants = ExportTable(
    name: "participants", title: "Every enrolment: person, study, arm, beginning and end",
    columns: [
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn(
        "participant", .typed, empty: "it was erased",
        "Code of the participant in the lists of the researchers",
        example: "A-017"),
      ExportColumn("study_id", .word, "Id of the study", example: "trial-1"),
      ExportColumn(
        "arm", .word, empty: "no arm was given", "Arm of the study", example: "AB"),
      ExportColumn("from", .instant, empty: "before day 1", "Its first instant"),
      ExportColumn(
        "to", .instant, empty: "it is open, or ended before day 1", "The first instant after it"),
      ExportColumn(
        "is_withdrawn", .boolean, "Whether the enrolment ended by a withdrawal", example: "false"),
      ExportColumn(
        "withdrawn", .instant, empty: "no withdrawal, or before day 1",
        "When the withdrawal was recorded"),
      ExportColumn(
        "reason", .typed, empty: "no reason was given, or erased", "Reason of the withdrawal",
        example: "moved"),
      ExportColumn(
        "kept", .choice(["all", "no_words", "no_identity"]),
        "Data that are kept. all: everything; no_words: everything except texts; no_identity: numbers, "
          + "choices and times, under a pseudonym that nobody can link to the person"),
      ExportColumn(
        "seq", .integer, "Number of the event that recorded the enrolment", example: "12"),
    ], primaryKey: ["seq"])
}
