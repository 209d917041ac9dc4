import Alarms
import JSONValue

// The tables of an export. Published analyses rely on the names of tables and columns. New names
// may be added, but a name must never be changed.

extension ExportTable {
  static let outcomes = Outcome.allCases.map(\.rawValue)
  private static let reasons = ReasonCode.allCases.map(\.rawValue)
  private static let clockStates = ClockState.allCases.map(\.rawValue)
  static let roles = Role.allCases.map(\.rawValue)

  /// One row for each occurrence, even if it never rang.
  public static let prompts = ExportTable(
    name: "prompts", title: "Every occurrence: plan, delivery, response, outcome",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn(
        "study_id", .word, empty: "the prompt is in no study", "Id of the study", example: "trial-1"
      ),
      ExportColumn(
        "person", .pseudonym, empty: "the alarm's person is unknown", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "person_name", .typed, empty: "the name was erased", "Name of the person", example: "anna"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study at its last event",
        example: "prompted"),
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("alarm_version", .integer, "The alarm's version"),
      ExportColumn(
        "label", .typed, empty: "the label was erased", "Label: what to do", example: "Pills"),
      ExportColumn(
        "is_announcement", .boolean, "Whether it is an announcement, which asks for no task",
        example: "false"),
      ExportColumn("scheduled", .civil, empty: "before day 1", "The scheduled local time"),
      ExportColumn(
        "also_scheduled", .detail, empty: "it has only one scheduled time",
        "Other scheduled local times that a clock change moved to the same instant",
        example: "2026-12-03T08:30:00"),
      ExportColumn(
        "fold", .integer,
        "1 for the second pass of a repeated hour, or if an elapsed schedule reached the same local time again "
          + "after a change of the zone; otherwise 0", example: "0"),
      ExportColumn("tz_name", .detail, "Time zone of the scheduled time", example: "Europe/Berlin"),
      ExportColumn("utc_offset_s", .detailInteger, unit: "s", "Offset of that zone from UTC"),
      ExportColumn("due", .instant, empty: "before day 1", "When it was due"),
      ExportColumn("plans", .integer, "How often it was planned; more than 1 after an edit"),
      ExportColumn(
        "late_ms", .integer, unit: "ms", empty: "it has no event of the type due",
        "How long after its due time the daemon began to handle it", example: "12"),
      ExportColumn(
        "rings_intended", .integer, "Rings that the daemon was about to play", example: "1"),
      ExportColumn(
        "rings_sounded", .integer, "Rings whose first frames the sound device took", example: "1"),
      ExportColumn("rings_failed", .integer, "Rings that no sound device could play", example: "0"),
      ExportColumn(
        "rings_uncertain", .integer, "Rings that a crash or a hang interrupted", example: "0"),
      ExportColumn(
        "is_delivered", .boolean,
        "Whether a ring was played to its end, or the prompt was answered while a ring sounded"),
      ExportColumn(
        "first_ring", .instant, empty: "no ring sounded", "When its first ring began to sound"),
      ExportColumn(
        "first_ring_latency_ms", .integer, unit: "ms", empty: "no ring sounded",
        "From the due time to the start of the first ring, by the wall clock", example: "3120"),
      ExportColumn(
        "first_answer", .choice(["acknowledged", "delayed", "completed", "declined"]),
        empty: "nobody answered", "The first answer", example: "acknowledged"),
      ExportColumn(
        "first_answer_role", .choice(roles), empty: "nobody answered",
        "Role of the user who gave the first answer",
        example: "patient"),
      ExportColumn(
        "answered", .instant, empty: "nobody answered", "When the first answer was given"),
      ExportColumn(
        "answer_latency_ms", .integer, unit: "ms", empty: "nobody answered",
        "From the due time to the first answer, by the wall clock", example: "65230"),
      ExportColumn(
        "answer_after_ring_ms", .integer, unit: "ms",
        empty: "no ring sounded, nobody answered, or the device booted in between",
        "From the start of the first ring to the first answer, by the time since boot, which cannot be set",
        example: "62110"),
      ExportColumn(
        "completion_latency_ms", .integer, unit: "ms", empty: "it was not completed",
        "From the due time to the completion, by the wall clock; negative if it was done before the due time",
        example: "70410"),
      ExportColumn(
        "rings_to_answer", .integer, empty: "nobody answered",
        "Rings that sounded before the first answer"),
      ExportColumn(
        "contacts_notified", .integer, "How often the daemon began to notify a contact",
        example: "0"),
      ExportColumn("delays", .integer, "How often it was delayed", example: "0"),
      ExportColumn(
        "state", .choice(["open", "closed"]), "Whether it has ended", example: "closed"),
      ExportColumn("outcome", .choice(outcomes), empty: "it is open", "How it ended"),
      ExportColumn(
        "reason", .choice(reasons), empty: "it is open",
        "Reason of the outcome; none if no reason was given",
        example: "none"),
      ExportColumn("closed", .instant, empty: "it is open", "When it ended"),
      ExportColumn(
        "closed_role", .choice(roles), empty: "it is open",
        "Role of the user or program that ended it",
        example: "patient"),
      ExportColumn(
        "clock_state", .choice(clockStates), empty: "it has no events",
        "Worst state of the clock at its events"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "no time source gave one",
        "Largest possible clock error at its events", example: "3"),
      ExportColumn("boots", .integer, "Number of boots of the device in which it has events"),
      ExportColumn(
        "corrections", .integer, "How often an answer to it was undone", example: "0"),
    ], primaryKey: ["prompt_id"])

  /// One row for each ring intent.
  public static let rings = ExportTable(
    name: "rings", title: "Every intended ring and its result",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn("ring_no", .integer, "1 for the prompt's first ring", example: "2"),
      ExportColumn("step", .integer, "Escalation step, from 0", example: "0"),
      ExportColumn("burst_index", .integer, "Position in its burst, from 0", example: "0"),
      ExportColumn("has_alert", .boolean, "Whether a chime sounded before the voice"),
      ExportColumn("gain_db", .number, unit: "dB", "Gain; 0 is full scale"),
      ExportColumn(
        "tone_sha256", .identifier("t"), empty: "the built-in tone", "The recording"),
      ExportColumn("intended", .instant, "When the daemon recorded the intent to play it"),
      ExportColumn("started", .instant, empty: "it did not sound", "When it began to sound"),
      ExportColumn(
        "start_latency_ms", .integer, unit: "ms", empty: "it did not sound",
        "From intended to started, by the time since boot", example: "18"),
      ExportColumn("ended", .instant, empty: "its end is not known", "When it ended"),
      ExportColumn(
        "frames", .integer, empty: "its end is not known", "Frames played, at 48 kHz",
        example: "432000"),
      ExportColumn(
        "xruns", .integer, empty: "its end is not known", "How often the sound was interrupted",
        example: "0"),
      ExportColumn(
        "is_stopped", .boolean, empty: "its end is not known", "Whether it was stopped",
        example: "true"),
      ExportColumn(
        "result", .choice(["sounded", "failed", "uncertain", "open"]),
        "Result; open if nothing more is recorded"),
    ], primaryKey: ["prompt_id", "ring_no"],
    foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// The cause in gaps.csv for a monitored time whose events were purged.
  public static let purgedCause = "purged"

  /// One row for each gap in monitoring.
  public static let gaps = ExportTable(
    name: "gaps", title: "Gaps in monitoring, with their causes",
    columns: [
      ExportColumn("seq", .integer, "Number of the event that records it", example: "1204"),
      ExportColumn("from", .instant, empty: "before day 1", "Its beginning"),
      ExportColumn("to", .instant, empty: "before day 1", "Its end"),
      ExportColumn(
        "duration_ms", .integer, unit: "ms", empty: "safe harbor: longer than 31 days",
        "Its length", example: "540000"),
      ExportColumn(
        "cause", .choice(GapCause.allCases.map(\.rawValue) + [purgedCause]),
        "Cause; purged: the time was monitored, and its events are now in an archive",
        example: "device_off"),
    ], primaryKey: ["seq"])

  /// One row for each event about clock, zone and boots.
  public static let clock = ExportTable(
    name: "clock", title: "Events of the clock, its zone and its boots",
    columns: [
      ExportColumn("seq", .integer, "Number of the event that records it", example: "1204"),
      ExportColumn(
        "type",
        .choice([
          "boot", "clock_step", "clock_sync_gained", "clock_sync_lost", "tz_changed",
          "tzdata_changed", "suspend", "resume",
        ]), "Type of the event", example: "clock_step"),
      ExportColumn(
        "recorded", .instant, empty: "before day 1",
        "When it was recorded, by the wall clock at that moment"),
      ExportColumn(
        "step_ms", .integer, unit: "ms", empty: "no step; safe harbor: longer than 31 days",
        "How far the clock was set; forward is positive", example: "-3600000"),
      ExportColumn("clock_state", .choice(clockStates), "How reliable the wall clock was"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "no time source gave one",
        "Largest possible clock error", example: "3"),
      ExportColumn("boot_id", .identifier("b"), "Id of the device's boot"),
      ExportColumn("boottime_ns", .integer, unit: "ns", "Time since that boot; it cannot be set"),
      ExportColumn(
        "from", .detail, empty: "no change of zone",
        "Former zone, or former release of the zone data",
        example: "Europe/Berlin"),
      ExportColumn(
        "to", .detail, empty: "no change of zone", "New zone, or new release of the zone data",
        example: "Europe/Lisbon"),
    ], primaryKey: ["seq"])

  /// One row for each phase of each person.
  public static let phases = ExportTable(
    name: "phases", title: "The phases of the study, as they were last set",
    columns: [
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn("phase_no", .integer, "1 for the person's first"),
      ExportColumn(
        "phase", .choice(StudyPhase.Kind.allCases.map(\.rawValue)),
        "prompted: prompts ring; control: prompts are listed and can be answered, but never sound"),
      ExportColumn("from", .instant, empty: "before day 1", "Its first instant"),
      ExportColumn(
        "to", .instant, empty: "it is open, or ended before day 1", "The first instant after it"),
      ExportColumn("seq", .integer, "Number of the event that set it", example: "1204"),
    ], primaryKey: ["person", "phase_no"])

  /// One row for each version of each alarm.
  public static let alarms = ExportTable(
    name: "alarms", title: "Every version of every alarm",
    columns: [
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("version", .integer, "1 at creation; each edit adds 1", example: "2"),
      ExportColumn("seq", .integer, "Number of the event that recorded it", example: "1204"),
      ExportColumn("recorded", .instant, empty: "before day 1", "When it was recorded"),
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn(
        "person_name", .typed, empty: "the name was erased", "Name of the person", example: "anna"),
      ExportColumn("label", .typed, empty: "it was erased", "Label: what to do", example: "Pills"),
      ExportColumn(
        "instructions", .typed, empty: "none, or erased", "How to do it",
        example: "With a glass of water"),
      ExportColumn(
        "phrase", .typed, empty: "it was erased", "The schedule as a person typed it",
        example: "every day 08:00"),
      ExportColumn(
        "tone", .typed, empty: "the built-in tone, or erased", "The tone's name", example: "pills"),
      ExportColumn(
        "schedule_kind",
        .choice([
          "at", "once", "recurring", "several", "every", "every_within", "random", "after",
        ]), "Kind of schedule", example: "recurring"),
      ExportColumn(
        "frequency", .word, empty: "it has no recurring rule",
        "The rule without dates and weekdays",
        example: "FREQ=DAILY"),
      ExportColumn(
        "rule", .detail, empty: "it has no recurring rule", "The recurrence rule (RFC 5545)",
        example: "FREQ=DAILY;UNTIL=20301231T235959Z"),
      ExportColumn(
        "start", .civil, empty: "schedule_kind is at, every or after", "Its first local time"),
      ExportColumn(
        "at", .instant, empty: "schedule_kind is neither at nor every",
        "The due instant, or the instant from which the schedule counts"),
      ExportColumn(
        "every_s", .integer, unit: "s", empty: "schedule_kind is neither every nor every_within",
        "Interval between two due times",
        example: "28800"),
      ExportColumn(
        "schedule", .detail, "The whole schedule, a JSON object",
        example: #"{"kind":"recurring","rule":"FREQ=DAILY","start":"2026-12-01T08:00:00"}"#),
      ExportColumn("tz_name", .detail, "Time zone of its local times", example: "Europe/Berlin"),
      ExportColumn("rings", .integer, "Rings per burst", example: "5"),
      ExportColumn(
        "spacing_s", .integer, unit: "s", "Time from one ring to the next", example: "60"),
      ExportColumn(
        "gains_db", .word, unit: "dB", "Gain of each ring, a JSON list",
        example: "[-12.0,-9.0,-6.0,-3.0,0.0]"),
      ExportColumn("steps", .integer, "Escalation steps; the first is the burst above"),
      ExportColumn(
        "escalation", .word, empty: "one step, no contacts, and no other settings",
        "The later steps, when contacts are notified, and other settings, a JSON object",
        example: #"{"later_steps":[],"tell_after_s":[300]}"#),
      ExportColumn(
        "is_announcement", .boolean, "Whether it is an announcement, which asks for no task",
        example: "false"),
      ExportColumn(
        "late_window_s", .integer, unit: "s", "How late it may still ring", example: "1800"),
      ExportColumn("delay_s", .integer, unit: "s", "How long a delay lasts", example: "300"),
      ExportColumn("delay_limit", .integer, "How often a prompt may be delayed", example: "3"),
      ExportColumn(
        "is_current", .boolean, "Whether this version is in force at the end of the record"),
    ], primaryKey: ["alarm_id", "version"])

  /// One row for each recording that was ever added.
  public static let tones = ExportTable(
    name: "tones", title: "Every recording",
    columns: [
      ExportColumn("seq", .integer, "Number of the event that added it", example: "1204"),
      ExportColumn("tone_sha256", .identifier("t"), "The recording"),
      ExportColumn("name", .typed, empty: "it was erased", "Its name", example: "pills"),
      ExportColumn("duration_ms", .integer, unit: "ms", "Its length", example: "2150"),
      ExportColumn("loudness_lufs", .number, unit: "LUFS", "Its loudness", example: "-16.0"),
      ExportColumn("added", .instant, empty: "before day 1", "When it was added"),
      ExportColumn("removed", .instant, empty: "it was not removed", "When it was removed"),
    ], primaryKey: ["seq"])

  /// The meaning of each column.
  public static let codebook = ExportTable(
    name: "codebook", title: "Meaning of each column",
    columns: [
      ExportColumn("file", .word, "The file", example: "prompts.csv"),
      ExportColumn("column", .word, "The column", example: "answer_latency_ms"),
      ExportColumn(
        "type", .word, "Type of the column in Frictionless Table Schema", example: "integer"),
      ExportColumn(
        "unit", .word, empty: "the column has no unit", "Unit of the numbers", example: "ms"),
      ExportColumn(
        "meaning", .word, "Meaning of the column",
        example: "From the due time to the first answer, by the wall clock"),
      ExportColumn(
        "values", .word, empty: "the list is open", "Possible values, separated by |",
        example: "open|closed"),
      ExportColumn(
        "empty_when", .word, empty: "never empty", "When a cell is empty",
        example: "nobody answered"),
      ExportColumn(
        "example", .word, empty: "the column is always empty", "A possible value",
        example: "3120"),
    ], primaryKey: ["file", "column"])
}
