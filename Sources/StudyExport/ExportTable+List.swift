import Alarms
import JSONValue

// The tables of an export. Programs of published studies read the tables and columns by name.
// Therefore a new version of Prompter may add tables and columns, but must never change a name.

extension ExportTable {
  static let outcomes = Outcome.allCases.map(\.rawValue)
  static let reasons = ReasonCode.allCases.map(\.rawValue)
  static let clockStates = ClockState.allCases.map(\.rawValue)
  static let roles = Role.allCases.map(\.rawValue)

  /// One row for each ring intent.
  public static let rings = ExportTable(
    name: "rings", title: "All rings that the daemon intended to play, and their results",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn("ring_no", .integer, "Ring number: 1 for the prompt's first ring", example: "2"),
      ExportColumn("step", .integer, "Index of the escalation step, counted from 0", example: "0"),
      ExportColumn(
        "burst_index", .integer,
        "Index of the ring, counted from 0 over all bursts of the escalation. After \"later\" or "
          + "\"on my way\", the index begins at 0 again", example: "0"),
      ExportColumn("has_alert", .boolean, "True if the ring was planned with a chime at its start"),
      ExportColumn(
        "gain_db", .number, unit: "dB", "Gain of the ring: 0 is full loudness, below 0 is quieter"),
      ExportColumn(
        "tone_sha256", .identifier("t"), empty: "the ring has no recording",
        "SHA-256 of the recording"),
      ExportColumn(
        "intended", .instant, "Time at which the daemon recorded the intent to play the ring"),
      ExportColumn(
        "started", .instant, empty: "the ring did not sound",
        "Time at which the ring began to sound"),
      ExportColumn(
        "start_latency_ms", .integer, unit: "ms", empty: "the ring did not sound",
        "Time from the ring intent to the start of the sound, measured with the boot time",
        example: "18"),
      ExportColumn(
        "ended", .instant, empty: "the end of the ring is not known", "Time at which the ring ended"
      ),
      ExportColumn(
        "frames", .amount, empty: "the end of the ring is not known",
        "Number of audio frames that were played; 48,000 frames are one second", example: "432000"),
      ExportColumn(
        "xruns", .integer, empty: "the end of the ring is not known",
        "Number of short interruptions of the sound (buffer underruns)", example: "0"),
      ExportColumn(
        "is_stopped", .boolean, empty: "the end of the ring is not known",
        "True if the ring was stopped before its end", example: "true"),
      ExportColumn(
        "result", .choice(["sounded", "failed", "uncertain", "open"]),
        "Result of the ring; `open` if the record does not contain a result"),
      ExportColumn(
        "leading_prompt_id", .identifier("p"), empty: "the ring was for this prompt alone",
        "Leading prompt of the merged ring. If rows have the same leading prompt and the same time "
          + "of the ring intent, these rows are about one sound"),
    ], primaryKey: ["prompt_id", "ring_no"],
    foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// A value of the column `cause` in gaps.csv. This value means that a purge has removed the
  /// events of the period. Therefore the record does not show whether the daemon was running in
  /// this period.
  public static let purgedCause = "purged"

  /// One row for each gap in monitoring.
  public static let gaps = ExportTable(
    name: "gaps", title: "Periods that were not monitored, with their causes",
    columns: [
      ExportColumn(
        "seq", .sequence, "Number of the event that contains the data of this row", example: "1204"),
      ExportColumn(
        "from", .instant,
        "Beginning of the gap"),
      ExportColumn(
        "to", .instant,
        "End of the gap"),
      ExportColumn(
        "duration_ms", .integer, unit: "ms",
        emptyInSafeHarbor: "the gap is longer than 31 days",
        "Length of the gap. In `safe_harbor`, the difference of the two local times",
        example: "540000"),
      ExportColumn(
        "cause", .choice(GapCause.allCases.map(\.rawValue) + [purgedCause]),
        "Cause of the gap. `purged`: a purge moved the events of the period to an archive",
        example: "device_off"),
    ], primaryKey: ["seq"])

  /// One row for each event about the clock, the zone or a start of the device.
  public static let clock = ExportTable(
    name: "clock",
    title: "Events about the clock and the time zone, and about each boot and sleep of the device",
    columns: [
      ExportColumn(
        "seq", .sequence, "Number of the event that contains the data of this row", example: "1204"),
      ExportColumn(
        "type",
        .choice([
          "boot", "clock_step", "clock_sync_gained", "clock_sync_lost", "tz_changed",
          "tzdata_changed", "suspend", "resume",
        ]), "Type of the event", example: "clock_step"),
      ExportColumn(
        "recorded", .instant,
        "Time at which the event was recorded"),
      ExportColumn(
        "step_ms", .integer, unit: "ms",
        empty: "the type is not `clock_step`", emptyInSafeHarbor: "the step is over 31 days",
        "Difference between the new and the old time of the clock; positive if the clock was set "
          + "forward", example: "-3600000"),
      ExportColumn("clock_state", .choice(clockStates), "Reliability of the wall clock"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "the wall clock was not synchronised",
        "Maximum error of the wall clock, as the kernel reported it", example: "3"),
      ExportColumn("boot_id", .identifier("b"), "Boot id of the device"),
      ExportColumn(
        "boottime_ns", .detailInteger, unit: "ns",
        "Boot time: time since the device started, including sleep. Nobody can set the boot time"),
      ExportColumn(
        "from", .detail, empty: "the type is neither `tz_changed` nor `tzdata_changed`",
        "Time zone, or release of the time zone data, before the change", example: "Europe/Berlin"),
      ExportColumn(
        "to", .detail, empty: "the type is neither `tz_changed` nor `tzdata_changed`",
        "Time zone, or release of the time zone data, after the change", example: "Europe/Lisbon"),
    ], primaryKey: ["seq"])

  /// One row for each phase of each person.
  public static let phases = ExportTable(
    name: "phases",
    title:
      "The phases of the study for each person, after the newest change of these phases, and as planned",
    columns: [
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn(
        "phase_no", .integer,
        "1 for the first phase of the person. Phases that were removed before they began have the last "
          + "numbers"),
      ExportColumn(
        "phase", .choice(StudyPhase.Kind.allCases.map(\.rawValue)),
        "`prompted`: prompts ring. `control`: prompts never sound, but lists show these prompts, "
          + "and a person can answer them. `run_in`, `washout` and `follow_up`: prompts ring, and "
          + "estimates leave these prompts out"),
      ExportColumn(
        "from", .instant, empty: "the phase was removed before it began",
        "First instant of the phase"),
      ExportColumn(
        "to", .instant,
        empty: "the phase has no end, or was removed before it began",
        "First instant after the phase"),
      ExportColumn(
        "seq", .sequence, "Number of the event that last changed the phases of the person",
        example: "1204"),
      ExportColumn(
        "monitored_s", .integer, unit: "s",
        "Monitored time of the phase: the time from its beginning to its end, or to the last event of "
          + "the record, without the gaps in gaps.csv. In `safe_harbor`, whole hours of the local clock",
        example: "1209600"),
      ExportColumn(
        "planned_from", .instant,
        "First instant of the phase in the first plan of this phase"),
      ExportColumn(
        "planned_to", .instant, empty: "the phase was planned without an end",
        "First instant after the phase in the first plan of this phase"),
      ExportColumn(
        "study_id", .word, empty: "the phase belongs to no study",
        "Id of the study in which the phase was first planned, or of the study at its beginning",
        example: "trial-1"),
    ], primaryKey: ["person", "phase_no"])

  /// One row for each version of each alarm.
  public static let alarms = ExportTable(
    name: "alarms", title: "All versions of all alarms",
    columns: [
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("version", .integer, "1 for the first version; each edit adds 1", example: "2"),
      ExportColumn(
        "seq", .sequence, "Number of the event that recorded this version", example: "1204"),
      ExportColumn(
        "recorded", .instant,
        "Time at which this version was recorded"),
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn(
        "person_name", .typed, empty: "the name was erased", "Name of the person", example: "anna"),
      ExportColumn(
        "label", .typed, empty: "the label was erased", "Label: what to do", example: "Pills"),
      ExportColumn(
        "instructions", .typed,
        empty: "the alarm has no instructions, or the instructions were erased",
        "Instructions: how to do the task", example: "With a glass of water"),
      ExportColumn(
        "phrase", .typed, empty: "the phrase was erased", "The schedule as a person typed it",
        example: "every day 08:00"),
      ExportColumn(
        "tone", .typed, empty: "the alarm has no tone of its own, or the name was erased",
        "Name of the tone", example: "pills"),
      ExportColumn(
        "schedule_kind",
        .choice([
          "at", "once", "recurring", "several", "every", "every_within", "random", "after",
        ]),
        "Kind of schedule: `at` (one instant), `once` (one local time), `recurring` (a recurrence "
          + "rule), `several` (several rules or dates), `every` (a fixed interval), `every_within` "
          + "(an interval within hours of the day), `random` (random times) or `after` (after an "
          + "answer)", example: "recurring"),
      ExportColumn(
        "frequency", .word, empty: "the schedule has no recurring rule",
        "The recurrence rule without dates and weekdays", example: "FREQ=DAILY"),
      ExportColumn(
        "rule", .detail, empty: "the schedule has no recurring rule",
        "The recurrence rule (RFC 5545)", example: "FREQ=DAILY;UNTIL=20301231T235959Z"),
      ExportColumn(
        "start", .civil, empty: "`schedule_kind` is `at`, `every` or `after`",
        "First local time of the schedule"),
      ExportColumn(
        "at", .instant, empty: "`schedule_kind` is neither `at` nor `every`",
        "Due time of an alarm of kind `at`, or start of the first interval of kind `every`"),
      ExportColumn(
        "every_s", .integer, unit: "s",
        empty: "`schedule_kind` is neither `every` nor `every_within`",
        "Interval between two due times", example: "28800"),
      ExportColumn(
        "schedule", .detail, "The whole schedule as a JSON object",
        example: #"{"kind":"recurring","rule":"FREQ=DAILY","start":"2026-12-01T08:00:00"}"#),
      ExportColumn(
        "tz_name", .detail,
        "Time zone of the local times in the schedule; `floating` means the present home zone",
        example: "Europe/Berlin"),
      ExportColumn("rings", .integer, "Number of rings in the first burst", example: "5"),
      ExportColumn(
        "spacing_s", .integer, unit: "s", "Time from one ring of the first burst to the next ring",
        example: "60"),
      ExportColumn(
        "gains_db", .word, unit: "dB", "Gains of the rings of the first burst, as a JSON list",
        example: "[-12.0,-9.0,-6.0,-3.0,0.0]"),
      ExportColumn(
        "steps", .integer, "Number of escalation steps; the first step is the first burst"),
      ExportColumn(
        "escalation", .word,
        empty: "the escalation has one step and no contacts, and all settings are the defaults",
        "The escalation as a JSON object: the steps after the first step, the times after which "
          + "contacts are notified, and the settings that differ from the defaults",
        example: #"{"later_steps":[],"tell_after_s":[300]}"#),
      ExportColumn(
        "is_announcement", .boolean, "True for an announcement, which is not a task",
        example: "false"),
      ExportColumn(
        "late_window_s", .integer, unit: "s",
        "Late window: time after the due time in which a prompt may still ring", example: "1800"),
      ExportColumn("delay_s", .integer, unit: "s", "Length of a delay", example: "300"),
      ExportColumn("delay_limit", .integer, "Maximum number of delays of a prompt", example: "3"),
      ExportColumn(
        "is_current", .boolean, "True for the newest version of an alarm that is not deleted"),
    ], primaryKey: ["alarm_id", "version"])

  /// One row for each recording that was ever added.
  public static let tones = ExportTable(
    name: "tones", title: "All recordings that were ever added",
    columns: [
      ExportColumn(
        "seq", .sequence, "Number of the event that added the recording", example: "1204"),
      ExportColumn("tone_sha256", .identifier("t"), "SHA-256 of the recording"),
      ExportColumn(
        "name", .typed, empty: "the name was erased", "Name of the recording", example: "pills"),
      ExportColumn("duration_ms", .integer, unit: "ms", "Length of the recording", example: "2150"),
      ExportColumn(
        "loudness_lufs", .level, unit: "LUFS", "Loudness of the recording", example: "-16.0"),
      ExportColumn(
        "added", .instant,
        "Time at which the recording was added"),
      ExportColumn(
        "removed", .instant, empty: "the recording was not removed",
        "Time at which the recording was removed"),
    ], primaryKey: ["seq"])

  /// The table that describes all tables of the export. The codebook has one row for each column of
  /// each table.
  public static let codebook = ExportTable(
    name: "codebook", title: "Meaning of each column",
    columns: [
      ExportColumn(
        "file", .word,
        "Name of the file; `events.csv/payload` in the row of a member of the column `payload`",
        example: "prompts.csv"),
      ExportColumn(
        "column", .word, "Name of the column or of the member", example: "answer_latency_ms"),
      ExportColumn(
        "type", .word,
        "Type of the column in Frictionless Table Schema; JSON type of the member",
        example: "integer"),
      ExportColumn(
        "unit", .word, empty: "the column has no unit", "Unit of the numbers", example: "ms"),
      ExportColumn(
        "meaning", .word, "Meaning of the column",
        example: "Time from the due time to the first answer, measured with the wall clock"),
      ExportColumn(
        "values", .word, empty: "the column has no fixed list of values",
        "Possible values, separated by |", example: "open|closed"),
      ExportColumn(
        "empty_when", .word, empty: "every cell of the column has a value",
        "Condition under which a cell is empty, or the member is null", example: "nobody answered"),
      ExportColumn(
        "example", .word, empty: "the column is always empty, or the row describes a member",
        "A possible value", example: "3120"),
    ], primaryKey: ["file", "column"])
}
