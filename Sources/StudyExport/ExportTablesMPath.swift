import Alarms

// The columns of m-Path's own export, version 1.1, as the R package mpathr reads it. Cells are
// separated by semicolons. Times are seconds on the participant's wall clock. The texts follow
// m-Path. Facts for which m-Path has no column are in questions at the end.

extension ExportTable {
  /// One row for each prompt that became due or rang.
  ///
  /// m-Path has one row for each beep.
  public static let mpathBasic = ExportTable(
    name: "mpath_basic", title: "Prompts as m-Path exports beeps",
    columns: [
      ExportColumn("connectionId", .integer, "The person, counted from 1 as they appear"),
      ExportColumn(
        "legacyCode", .pseudonym, empty: "the person is unknown", "Pseudonym", example: person),
      ExportColumn(
        "code", .pseudonym, empty: "the person is unknown", "Pseudonym", example: person),
      ExportColumn(
        "alias", .typed, empty: "the link was erased", "The person", example: "anna"),
      ExportColumn("initials", .word, empty: "always: there are none", "Initials"),
      ExportColumn("accountCode", .pseudonym, "Pseudonym of the device", example: "D-8w3n5t1c"),
      ExportColumn(
        "scheduledBeepId", .integer, "The event that first planned the prompt", example: "1201"),
      ExportColumn(
        "sentBeepId", .integer, "The event with which it first rang; 0 where it never did",
        example: "1204"),
      ExportColumn(
        "reminderForOriginalSentBeepId", .integer, "Always 0: rings of a prompt are one beep",
        example: "0"),
      ExportColumn("questionListName", .identifier("a"), "The alarm"),
      ExportColumn(
        "questionListLabel", .typed, empty: "the label was erased", "What was to be done",
        example: "Pills"),
      ExportColumn(
        "fromProtocolName", .word, empty: "no phase was set", "Phase of the study",
        example: "prompted"),
      seconds("timeStampScheduled", "When it was due"),
      seconds("timeStampSent", "First frames of its first ring", empty: "none sounded"),
      seconds("timeStampStart", "When it was first answered", empty: "nobody answered"),
      seconds("timeStampStop", "When it was completed", empty: "it was not completed"),
      ExportColumn(
        "originalTimeStampSent", .integer, "Always 0: rings of a prompt are one beep",
        example: "0"),
      ExportColumn("timeZoneOffset", .detailInteger, unit: "s", "The zone's offset then"),
      ExportColumn("deltaUTC", .integer, unit: "s", "Always 0: one clock does all", example: "0"),
      ExportColumn(
        "outcome_multipleChoice_string", .choice(outcomes), empty: "it is open", "How it ended"),
      ExportColumn(
        "reason_multipleChoice_string", .choice(ReasonCode.allCases.map(\.rawValue)),
        empty: "it is open", "Why, as far as it was said"),
      ExportColumn("rings_sliderNeutralPos", .integer, "Rings that sounded"),
      ExportColumn("delays_sliderNeutralPos", .integer, "How often it was put off", example: "0"),
    ], delimiter: ";", primaryKey: ["scheduledBeepId"])

  /// The description of the question columns, in m-Path's terms.
  public static let mpathMeta = ExportTable(
    name: "mpath_meta", title: "The questions of mpath_basic.csv",
    columns: [
      ExportColumn("columnName", .word, "The column", example: "outcome_multipleChoice_string"),
      ExportColumn("fullQuestion", .word, "What it says", example: "How it ended"),
      ExportColumn("typeQuestion", .word, "m-Path's type of question", example: "multipleChoice"),
      ExportColumn("typeAnswer", .word, "m-Path's type of answer", example: "string"),
      ExportColumn("fullQuestion_mixed", .integer, "Always 0: it never changed", example: "0"),
      ExportColumn("typeQuestion_mixed", .integer, "Always 0: it never changed", example: "0"),
      ExportColumn("typeAnswer_mixed", .integer, "Always 0: it never changed", example: "0"),
    ], delimiter: ";", primaryKey: ["columnName"])

  /// The rows of mpath_meta.csv: the columns of `mpathBasic` that are questions.
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
      name, .localSeconds, unit: "s",
      empty: [empty, "before day 1"].compactMap { $0 }.joined(separator: "; "),
      meaning + ", from 1970 on the wall clock")
  }
}
