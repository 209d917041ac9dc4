import Alarms

extension ExportTable {
  /// The phases of a study that a column `phase` can contain.
  static let phaseKinds = StudyPhase.Kind.allCases.map(\.rawValue)

  /// The sources of events: kinds of programs, and parts of the daemon.
  static let eventSources =
    ClientKind.allCases.map(\.rawValue) + [
      ClientKind.unnamed, "timer", "speaker", "clock", "start", "notifier",
    ]

  /// The names of the measures in summary.csv, in order.
  public static let measures: [String] = {
    let quartiles = ["q1", "median", "q3"]
    let scales = [
      "first_ring_latency_s", "answer_after_ring_s", "completion_latency_min", "rings_to_answer",
    ]
    var names = ["prompts"]
    names += (["open", "announcement"] + unexpected).map { "excluded_\($0)" }
    names.append("planned")
    names += unmonitored.map { "not_asked_\($0)" }
    names += ["asked", "delivered", "answered", "completed"]
    names += [15, 30, 60].map { "completed_within_\($0)_min" }
    names += ["declined", "missed_no_response"]
    for scale in scales { names += quartiles.map { "\(scale)_\($0)" } }
    names.append(monitored)
    names += [7, 14, 28].map { "persisting_\($0)_days" }
    return names
  }()

  /// The tables that a report writes.
  public static let ofReport = [summary, estimates]

  /// The name of the measure for the monitored time, in hours.
  public static let monitored = "monitored_h"

  /// The limit of small numbers: a number from 1 to 4 is small.
  ///
  /// The limit applies to numbers of prompts and of people. A small number can reveal the data of
  /// one person.
  public static let smallCell = 5

  /// The table of the numbers of a report. `prompter report` writes this table.
  ///
  /// An export does not contain this table, but the codebook of the export describes its columns.
  public static let summary = ExportTable(
    name: "summary",
    title:
      "The numbers of a report. `prompter report`, `analysis.py` and `analysis.R` write this file",
    columns: [
      ExportColumn(
        "phase", .choice(["all", "none"] + phaseKinds),
        "Phase of the study. `all`: all prompts; `none`: the prompts without a phase"),
      ExportColumn(
        "person", .word,
        "Pseudonym. `all`: all people; `unknown`: the prompts without a known person",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "measure", .choice(measures),
        "The measure. `report.html` explains each measure. `excluded_` and `not_asked_` stand before an "
          + "outcome. The shares `answered` and `completed` are shares of the asked prompts, and "
          + "`asked` and `delivered` are shares of the planned prompts"),
      ExportColumn(
        "n", .integer, empty: "the cell was suppressed",
        "Number of prompts, values or people. `persisting_` counts people, and `monitored_h` counts "
          + "phases that have begun", example: "35"),
      ExportColumn(
        "of", .integer, empty: "the measure is no share, or the cell was suppressed",
        "Number of prompts or people that are 100 percent", example: "40"),
      ExportColumn(
        "value", .number,
        empty: "the measure is a number, there is no value, or the cell was suppressed",
        "Share in percent, quantile, or monitored time in hours (`monitored_h`), with one decimal",
        example: "87.5"),
      ExportColumn(
        "is_small", .boolean,
        "True if `n`, or `of` minus `n`, is from 1 to 4. `--suppress-small` leaves the numbers of these "
          + "rows empty", example: "false"),
    ], primaryKey: ["phase", "person", "measure"])
}
