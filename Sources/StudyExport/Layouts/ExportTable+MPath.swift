import Alarms

// The columns of an export from m-Path, version 1.1. The R package mpathr reads this export.
// Semicolons separate the cells. Each time is the number of seconds from 1970-01-01 00:00:00 to the
// local time. All local times of a row use one offset from UTC. The export uses the column names of
// m-Path. Some data of Prompter have no column in m-Path. The export adds question columns for
// these data at the end of each row.

extension ExportTable {
  /// One row for each prompt that was due or rang.
  ///
  /// m-Path calls a prompt a beep. An export from m-Path contains one row for each beep.
  public static let mpathBasic = ExportTable(
    name: "mpath_basic", title: "Prompts in the format in which m-Path exports beeps",
    columns: [
      ExportColumn(
        "connectionId", .integer,
        "1 for the first person in the record, 2 for the second person, and so on; 0 if the "
          + "person is unknown"),
      ExportColumn(
        "legacyCode", .pseudonym, empty: "the person is unknown", "Pseudonym", example: person),
      ExportColumn(
        "code", .pseudonym, empty: "the person is unknown", "Pseudonym", example: person),
      ExportColumn(
        "alias", .typed, empty: "the name was erased", "Name of the person", example: "anna"),
      ExportColumn("initials", .word, empty: "always: no initials are recorded", "Initials"),
      ExportColumn("accountCode", .pseudonym, "Pseudonym of the device", example: "D-8w3n5t1c"),
      ExportColumn(
        "scheduledBeepId", .integer,
        "Number of the first event of the prompt; in `safe_harbor`, the number of the row",
        example: "1201"),
      ExportColumn(
        "sentBeepId", .integer,
        "Number of the event `ring_started` of the first ring; in `safe_harbor`, the number of the "
          + "row; 0 if no ring sounded",
        example: "1204"),
      ExportColumn(
        "reminderForOriginalSentBeepId", .integer,
        "Always 0: each row is about all rings of a prompt, so no row is a reminder of another row",
        example: "0"),
      ExportColumn("questionListName", .identifier("a"), "The alarm"),
      ExportColumn(
        "questionListLabel", .typed, empty: "the label was erased", "Label: what to do",
        example: "Pills"),
      ExportColumn(
        "fromProtocolName", .choice(phaseKinds), empty: "no phase was set",
        "Phase of the study at the due time of the prompt",
        example: "prompted"),
      seconds("timeStampScheduled", "Time at which the prompt was due"),
      seconds(
        "timeStampSent", "Time at which the first ring began to sound", empty: "no ring sounded"),
      seconds("timeStampStart", "Time of the first answer", empty: "nobody answered"),
      seconds(
        "timeStampStop", "Time at which the prompt was completed",
        empty: "the prompt was not completed"),
      ExportColumn(
        "originalTimeStampSent", .integer,
        "Always 0: each row is about all rings of a prompt, so no row is a reminder of another row",
        example: "0"),
      ExportColumn(
        "timeZoneOffset", .detailInteger, unit: "s",
        "The offset from UTC that the zone of the alarm has at the due time"),
      ExportColumn(
        "deltaUTC", .integer, unit: "s", "Always 0: all times of a row are from one clock",
        example: "0"),
      ExportColumn(
        "outcome_multipleChoice_string", .choice(outcomes), empty: "the prompt is open",
        "The outcome: how the prompt ended"),
      ExportColumn(
        "reason_multipleChoice_string", .choice(ReasonCode.allCases.map(\.rawValue)),
        empty: "the prompt is open",
        "Reason for the outcome; the word `none` if no reason was given"),
      ExportColumn("rings_sliderNeutralPos", .integer, "Number of rings that sounded"),
      ExportColumn(
        "delays_sliderNeutralPos", .integer, "Number of times that the prompt was delayed",
        example: "0"),
    ], delimiter: ";", primaryKey: ["scheduledBeepId"])

  /// The description of the question columns, in the format that m-Path uses.
  public static let mpathMeta = ExportTable(
    name: "mpath_meta",
    title: "The columns of mpath_basic.csv that m-Path treats as questions",
    columns: [
      ExportColumn(
        "columnName", .word, "Name of a column of mpath_basic.csv",
        example: "outcome_multipleChoice_string"),
      ExportColumn(
        "fullQuestion", .word, "Text of the question", example: "The outcome: how the prompt ended"),
      ExportColumn(
        "typeQuestion", .word, "Type of the question in m-Path", example: "multipleChoice"),
      ExportColumn("typeAnswer", .word, "Type of the answer in m-Path", example: "string"),
      ExportColumn(
        "fullQuestion_mixed", .integer,
        "Always 0: the text of a question never changes",
        example: "0"),
      ExportColumn(
        "typeQuestion_mixed", .integer,
        "Always 0: the type of a question never changes",
        example: "0"),
      ExportColumn(
        "typeAnswer_mixed", .integer,
        "Always 0: the type of an answer never changes", example: "0"),
    ], delimiter: ";", primaryKey: ["columnName"])

  /// The rows of mpath_meta.csv. Each row describes one question column of `mpathBasic`. A question
  /// column contains the responses to one question.
  public static var mpathQuestions: [(column: ExportColumn, question: String, answer: String)] {
    mpathBasic.columns.compactMap { column in
      let parts = column.name.split(separator: "_")
      guard parts.count > 1 else { return nil }
      return (column, String(parts[1]), parts.count > 2 ? "string" : "int")
    }
  }

  private static let person = "P-4k9x2m7q"

  private static func seconds(
    _ name: String, _ meaning: String, empty: String? = nil
  ) -> ExportColumn {
    ExportColumn(
      name, .localSeconds, unit: "s", empty: empty,
      meaning + ", in seconds since 1970-01-01 00:00 of the clock of the row")
  }
}
