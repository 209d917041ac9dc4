// The files that the script CleanADHdata.R reads (Bandiera et al., JMIR Form Res 2024;8:e51013).
// The script reads data from electronic pill boxes. The script needs one list with the times at
// which a person opened each pill box, and one workbook with four sheets. The export writes one
// file for the list, and one file for each sheet of the workbook. In these files, each alarm
// represents a pill box, and each completed prompt of the alarm represents one opening of this pill
// box.

extension ExportTable {
  /// One row for each completion. The script CleanADHdata.R expects this file name.
  public static let eventList = ExportTable(
    name: "eventlist",
    title: "Each row presents one completed prompt as one opening of an electronic pill box",
    columns: [
      code, monitor,
      ExportColumn(
        "Date", .localText, "Time at which the prompt was completed, on the clock of the row"),
    ], primaryKey: [])

  /// The sheet EMInfo of the workbook.
  public static let monitorInfo = ExportTable(
    name: "EMInfo", title: "First and last day of each alarm",
    columns: [
      code, monitor,
      date("StartDate", "Day of the first prompt of the alarm"),
      date("EndDate", "Day of the last prompt of the alarm"),
    ], primaryKey: ["PatientCode", "Monitor"])

  /// The sheet Regimen of the workbook that the script CleanADHdata.R reads.
  public static let regimen = ExportTable(
    name: "Regimen", title: "Number of completions that are expected on each day",
    columns: [
      code, monitor,
      ExportColumn(
        "ExpectedOpenings", .integer,
        "Number of prompts on each day. The number does not include announcements, prompts that a "
          + "caretaker cancelled, prompts that an edit of the alarm ended, and prompts that a "
          + "pause, quiet hours or the hourly limit suppressed"),
      date("StartDate", "First day with this number of prompts"),
      date("EndDate", "Last day with this number of prompts"),
      ExportColumn(
        "On", .integer, empty: "always: Prompter has no regimens with cycles",
        "Number of days with expected openings in each cycle of the regimen", example: ""),
      ExportColumn(
        "Off", .integer, empty: "always: Prompter has no regimens with cycles",
        "Number of days without expected openings in each cycle of the regimen", example: ""),
    ], primaryKey: ["PatientCode", "Monitor", "StartDate"])

  /// The sheet NonMonitoredPeriods of the workbook.
  public static let nonMonitoredPeriods = ExportTable(
    name: "NonMonitoredPeriods", title: "Days on which the device could not ring for a prompt",
    columns: [
      code, monitor,
      date("StartDate", "First day on which the device could not ring"),
      date("EndDate", "Last day on which the device could not ring"),
      ExportColumn(
        "Comments", .choice(unmonitored),
        "The cause: an outcome. On each day from `StartDate` to `EndDate`, a prompt of the alarm "
          + "ended with this outcome",
        example: "missed_device_off"),
    ], primaryKey: ["PatientCode", "Monitor", "StartDate"])

  /// The study phases, in the same form as the sheets of the workbook. The script CleanADHdata.R
  /// does not read this file.
  public static let studyPhases = ExportTable(
    name: "StudyPhases", title: "First and last day of each phase of the study",
    columns: [
      code,
      ExportColumn(
        "Phase", .choice(phaseKinds),
        "Phase of the study. The script does not read this file; join it to compute the adherence of "
          + "each phase", example: "prompted"),
      date("StartDate", "First day of the phase"),
      ExportColumn(
        "EndDate", .localDate, empty: "the phase has no end",
        "Last day of the phase: the day that contains its last instant"),
    ], primaryKey: ["PatientCode", "StartDate", "Phase"])

  /// The outcomes of prompts that no person could complete.
  ///
  /// These outcomes mean that the device could not ring, or that the person could not answer.
  /// Therefore a prompt with one of these outcomes gives no information about the behaviour of the
  /// person.
  public static let unmonitored = [
    "missed_audio_failed", "missed_device_off", "missed_suspended", "missed_clock_invalid",
    "unknown_crash",
  ]

  /// The outcomes of prompts that no person had to complete.
  public static let unexpected = [
    "suppressed_quiet_hours", "suppressed_cap", "suppressed_paused", "cancelled_before_due",
    "cancelled_while_ringing", "superseded_by_edit",
  ]

  private static let code = ExportColumn(
    "PatientCode", .pseudonym,
    "Pseudonym; the word `unknown` if the record does not contain the person",
    example: "P-4k9x2m7q")
  private static let monitor = ExportColumn(
    "Monitor", .identifier("a"), "The alarm; the script reads this value as the id of a pill box")

  private static func date(_ name: String, _ meaning: String) -> ExportColumn {
    ExportColumn(
      name, .localDate, meaning)
  }
}
