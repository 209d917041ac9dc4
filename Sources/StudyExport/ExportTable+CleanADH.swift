// The input of the script CleanADHdata.R (Bandiera et al., JMIR Form Res 2024;8:e51013). The script
// reads an event list with openings of monitored pill containers, and four sheets of one workbook.
// An export contains the event list and each sheet as a file. An alarm stands for a monitor, and a
// completion stands for an opening.

extension ExportTable {
  /// One row for each completion. The script CleanADHdata.R expects this file name.
  public static let eventList = ExportTable(
    name: "eventlist", title: "Completions as openings of a monitor",
    columns: [
      code, monitor,
      ExportColumn("Date", .localText, empty: "before day 1", "When it was completed"),
    ], primaryKey: [])

  /// The sheet EMInfo of the workbook.
  public static let monitorInfo = ExportTable(
    name: "EMInfo", title: "First and last day of each alarm",
    columns: [
      code, monitor,
      date("StartDate", "Day of its first prompt"), date("EndDate", "Day of its last prompt"),
    ], primaryKey: ["PatientCode", "Monitor"])

  /// The sheet Regimen of the workbook.
  public static let regimen = ExportTable(
    name: "Regimen", title: "Expected completions per day",
    columns: [
      code, monitor,
      ExportColumn(
        "ExpectedOpenings", .integer,
        "Prompts per day, without cancelled, replaced and paused prompts, and without those that quiet hours "
          + "or the hourly limit suppressed"),
      date("StartDate", "First day with this number"),
      date("EndDate", "Last day with this number"),
      ExportColumn("On", .integer, empty: "always: no alarm has cycles", "Days on per cycle"),
      ExportColumn("Off", .integer, empty: "always: no alarm has cycles", "Days off per cycle"),
    ], primaryKey: ["PatientCode", "Monitor", "StartDate"])

  /// The sheet NonMonitoredPeriods of the workbook.
  public static let nonMonitoredPeriods = ExportTable(
    name: "NonMonitoredPeriods", title: "Days on which the device could not ask",
    columns: [
      code, monitor,
      date("StartDate", "First day on which the device could not ask"),
      date("EndDate", "Last of these days"),
      ExportColumn(
        "Comments", .choice(unmonitored), "Cause: the outcome of a prompt on each of these days",
        example: "missed_device_off"),
    ], primaryKey: ["PatientCode", "Monitor", "StartDate"])

  /// The outcomes of prompts for which the device could not ask.
  ///
  /// The device could not ask the person, or the person could not answer. These outcomes therefore
  /// show nothing about the person.
  public static let unmonitored = [
    "missed_audio_failed", "missed_device_off", "missed_suspended", "missed_clock_invalid",
    "unknown_crash",
  ]

  /// The outcomes of prompts that no person was expected to complete.
  public static let unexpected = [
    "suppressed_quiet_hours", "suppressed_cap", "suppressed_paused", "cancelled_before_due",
    "cancelled_while_ringing", "superseded_by_edit",
  ]

  private static let code = ExportColumn(
    "PatientCode", .pseudonym, "Pseudonym; unknown if the record does not contain the person",
    example: "P-4k9x2m7q")
  private static let monitor = ExportColumn("Monitor", .identifier("a"), "The alarm")

  private static func date(_ name: String, _ meaning: String) -> ExportColumn {
    ExportColumn(name, .localDate, empty: "before day 1", meaning)
  }
}
