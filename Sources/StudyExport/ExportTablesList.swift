import Alarms
import JSONValue

// The tables of an export. Their names are a contract with published analyses: names may be added,
// but never changed.

extension ExportTable {
  static let outcomes = Outcome.allCases.map(\.rawValue)
  private static let reasons = ReasonCode.allCases.map(\.rawValue)
  private static let clockStates = ClockState.allCases.map(\.rawValue)
  static let roles = Role.allCases.map(\.rawValue)

  /// One row for each occurrence, whether or not it rang.
  public static let prompts = ExportTable(
    name: "prompts", title: "Every occurrence: plan, delivery, response, outcome",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn("study_id", .word, empty: "of no study", "The study", example: "trial-1"),
      ExportColumn(
        "person", .pseudonym, empty: "the alarm's person is unknown", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "person_name", .typed, empty: "the link was erased", "The person", example: "anna"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study it belongs to",
        example: "prompted"),
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("alarm_version", .integer, "The alarm's version"),
      ExportColumn(
        "label", .typed, empty: "the label was erased", "What was to be done", example: "Pills"),
      ExportColumn(
        "is_announcement", .boolean, "Whether it only said something and asked for nothing",
        example: "false"),
      ExportColumn("scheduled", .civil, empty: "before day 1", "The scheduled local time"),
      ExportColumn(
        "also_scheduled", .detail, empty: "it stands for one scheduled time, or dates are left out",
        "Other scheduled local times that a clock change put on the same instant",
        example: "2026-12-03T08:30:00"),
      ExportColumn(
        "fold", .integer,
        "1 in the second pass of a repeated hour, and of an elapsed time whose wall time had been before the zone "
          + "changed; else 0", example: "0"),
      ExportColumn("tz_name", .detail, "The zone of the scheduled time", example: "Europe/Berlin"),
      ExportColumn("utc_offset_s", .detailInteger, unit: "s", "The zone's offset then"),
      ExportColumn("due", .instant, empty: "before day 1", "When it was due"),
      ExportColumn("plans", .integer, "How often it was planned; more than 1 after edits"),
      ExportColumn(
        "late_ms", .integer, unit: "ms", empty: "it was never found due",
        "How long after its due time the device took it up", example: "12"),
      ExportColumn("rings_intended", .integer, "Rings that were to sound", example: "1"),
      ExportColumn(
        "rings_sounded", .integer, "Rings of which the device took frames", example: "1"),
      ExportColumn("rings_failed", .integer, "Rings that no device would play", example: "0"),
      ExportColumn(
        "rings_uncertain", .integer, "Rings cut short by a crash or a hang", example: "0"),
      ExportColumn(
        "is_delivered", .boolean,
        "Whether a ring was played to its end, or answered while it sounded"),
      ExportColumn("first_ring", .instant, empty: "none sounded", "First frames of its first ring"),
      ExportColumn(
        "first_ring_latency_ms", .integer, unit: "ms", empty: "none sounded",
        "From due to the first frames, by the wall clock", example: "3120"),
      ExportColumn(
        "first_answer", .choice(["acknowledged", "delayed", "completed", "declined"]),
        empty: "nobody answered", "The first answer", example: "acknowledged"),
      ExportColumn(
        "first_answer_role", .choice(roles), empty: "nobody answered", "Who gave it",
        example: "patient"),
      ExportColumn("answered", .instant, empty: "nobody answered", "When it was given"),
      ExportColumn(
        "answer_latency_ms", .integer, unit: "ms", empty: "nobody answered",
        "From due to the first answer, by the wall clock", example: "65230"),
      ExportColumn(
        "answer_after_ring_ms", .integer, unit: "ms",
        empty: "no ring, no answer, or a boot between",
        "From the first frames to the first answer, by the boot clock, which is never set",
        example: "62110"),
      ExportColumn(
        "completion_latency_ms", .integer, unit: "ms", empty: "it was not completed",
        "From due to completion, by the wall clock; negative where it was done before its time",
        example: "70410"),
      ExportColumn("rings_to_answer", .integer, empty: "nobody answered", "Rings heard until then"),
      ExportColumn(
        "contacts_notified", .integer, "How often the daemon began to notify a contact",
        example: "0"),
      ExportColumn("delays", .integer, "How often it was put off", example: "0"),
      ExportColumn(
        "state", .choice(["open", "closed"]), "Whether it had ended", example: "closed"),
      ExportColumn("outcome", .choice(outcomes), empty: "it is open", "How it ended"),
      ExportColumn(
        "reason", .choice(reasons), empty: "it is open", "Why, as far as it was said",
        example: "none"),
      ExportColumn("closed", .instant, empty: "it is open", "When it ended"),
      ExportColumn(
        "closed_role", .choice(roles), empty: "it is open", "Who or what ended it",
        example: "patient"),
      ExportColumn(
        "clock_state", .choice(clockStates), empty: "no event is about it",
        "The worst that was known of the clock during its life"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "no time source said",
        "The largest bound on the clock's error during its life", example: "3"),
      ExportColumn("boots", .integer, "In how many boots of the device its life took place"),
      ExportColumn(
        "corrections", .integer, "How often what was said about it was taken back", example: "0"),
    ], primaryKey: ["prompt_id"])

  /// One row for each ring intent.
  public static let rings = ExportTable(
    name: "rings", title: "Every ring that was intended, and what came of it",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn("ring_no", .integer, "1 for the prompt's first ring", example: "2"),
      ExportColumn("step", .integer, "The step of the escalation, from 0", example: "0"),
      ExportColumn("burst_index", .integer, "Its place in its burst, from 0", example: "0"),
      ExportColumn("has_alert", .boolean, "Whether a chime came before the voice"),
      ExportColumn("gain_db", .number, unit: "dB", "Its gain, full scale being 0"),
      ExportColumn(
        "tone_sha256", .identifier("t"), empty: "the built-in tone", "The recording"),
      ExportColumn("intended", .instant, "When it was recorded that it shall sound"),
      ExportColumn("started", .instant, empty: "it did not sound", "First frames"),
      ExportColumn(
        "start_latency_ms", .integer, unit: "ms", empty: "it did not sound",
        "From the intent to the first frames, by the boot clock", example: "18"),
      ExportColumn("ended", .instant, empty: "its end is not known", "When it ended"),
      ExportColumn(
        "frames", .integer, empty: "its end is not known", "Frames played, at 48 kHz",
        example: "432000"),
      ExportColumn(
        "xruns", .integer, empty: "its end is not known", "Times the sound broke off", example: "0"),
      ExportColumn(
        "is_stopped", .boolean, empty: "its end is not known", "Whether it was stopped",
        example: "true"),
      ExportColumn(
        "result", .choice(["sounded", "failed", "uncertain", "open"]),
        "What came of it; open where nothing more is recorded"),
    ], primaryKey: ["prompt_id", "ring_no"],
    foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// The cause of a monitored time whose events were purged.
  public static let purgedCause = "purged"

  /// One row for each gap in monitoring.
  public static let gaps = ExportTable(
    name: "gaps", title: "When the device did not watch, and why",
    columns: [
      ExportColumn("seq", .integer, "The event that tells of it", example: "1204"),
      ExportColumn("from", .instant, empty: "before day 1", "Its beginning"),
      ExportColumn("to", .instant, empty: "before day 1", "Its end"),
      ExportColumn(
        "duration_ms", .integer, unit: "ms", empty: "safe harbor: longer than 31 days",
        "Its length", example: "540000"),
      ExportColumn(
        "cause", .choice(GapCause.allCases.map(\.rawValue) + [purgedCause]),
        "Why; purged where it was watched, and its events are in an archive now",
        example: "device_off"),
    ], primaryKey: ["seq"])

  /// One row for each event about clock, zone and boots.
  public static let clock = ExportTable(
    name: "clock", title: "What befell the clock, its zone and its boots",
    columns: [
      ExportColumn("seq", .integer, "The event that tells of it", example: "1204"),
      ExportColumn(
        "type",
        .choice([
          "boot", "clock_step", "clock_sync_gained", "clock_sync_lost", "tz_changed",
          "tzdata_changed", "suspend", "resume",
        ]), "What happened", example: "clock_step"),
      ExportColumn(
        "recorded", .instant, empty: "before day 1", "When, by the clock as it was then"),
      ExportColumn(
        "step_ms", .integer, unit: "ms", empty: "no step; safe harbor: longer than 31 days",
        "How far the clock was set; forward is positive", example: "-3600000"),
      ExportColumn("clock_state", .choice(clockStates), "How far the wall clock could be believed"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "no time source says",
        "Bound on the clock's error", example: "3"),
      ExportColumn("boot_id", .identifier("b"), "The boot of the device"),
      ExportColumn("boottime_ns", .integer, unit: "ns", "Clock since that boot, never set"),
      ExportColumn(
        "from", .detail, empty: "no change of zone", "The former zone, or its release",
        example: "Europe/Berlin"),
      ExportColumn(
        "to", .detail, empty: "no change of zone", "The new one", example: "Europe/Lisbon"),
    ], primaryKey: ["seq"])

  /// One row for each phase of each person.
  public static let phases = ExportTable(
    name: "phases", title: "The phases of the study, as they were last set",
    columns: [
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn("phase_no", .integer, "1 for the person's first"),
      ExportColumn(
        "phase", .choice(StudyPhase.Kind.allCases.map(\.rawValue)),
        "prompted: prompts ring; control: they are listed and can be answered, and never sound"),
      ExportColumn("from", .instant, empty: "before day 1", "Its first instant"),
      ExportColumn(
        "to", .instant, empty: "it is open, or ended before day 1", "The first instant after it"),
      ExportColumn("seq", .integer, "The event that set it", example: "1204"),
    ], primaryKey: ["person", "phase_no"])

  /// One row for each version of each alarm.
  public static let alarms = ExportTable(
    name: "alarms", title: "Every version of every alarm",
    columns: [
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("version", .integer, "1 when created, one more with each edit", example: "2"),
      ExportColumn("seq", .integer, "The event that made it", example: "1204"),
      ExportColumn("recorded", .instant, empty: "before day 1", "When it was made"),
      ExportColumn("person", .pseudonym, "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn(
        "person_name", .typed, empty: "the link was erased", "The person", example: "anna"),
      ExportColumn("label", .typed, empty: "it was erased", "What is to be done", example: "Pills"),
      ExportColumn(
        "instructions", .typed, empty: "none, or erased", "How", example: "With a glass of water"),
      ExportColumn(
        "phrase", .typed, empty: "it was erased", "The schedule as it was typed",
        example: "every day 08:00"),
      ExportColumn(
        "tone", .typed, empty: "the built-in tone, or erased", "The tone's name", example: "pills"),
      ExportColumn(
        "schedule_kind",
        .choice([
          "at", "once", "recurring", "several", "every", "every_within", "random", "after",
        ]), "Kind of schedule", example: "recurring"),
      ExportColumn(
        "frequency", .word, empty: "not recurring", "The rule without dates and weekdays",
        example: "FREQ=DAILY"),
      ExportColumn(
        "rule", .detail, empty: "not recurring", "The rule, RFC 5545",
        example: "FREQ=DAILY;UNTIL=20301231T235959Z"),
      ExportColumn(
        "start", .civil, empty: "not once, recurring, every_within or random",
        "Its first local time"),
      ExportColumn("at", .instant, empty: "neither at nor every", "The instant it counts from"),
      ExportColumn(
        "every_s", .integer, unit: "s", empty: "neither every nor every_within", "Seconds between",
        example: "28800"),
      ExportColumn(
        "schedule", .detail, "All of the schedule, a JSON object",
        example: #"{"kind":"recurring","rule":"FREQ=DAILY","start":"2026-12-01T08:00:00"}"#),
      ExportColumn("tz_name", .detail, "The zone of its local times", example: "Europe/Berlin"),
      ExportColumn("rings", .integer, "Rings of a burst", example: "5"),
      ExportColumn("spacing_s", .integer, unit: "s", "From ring to ring", example: "60"),
      ExportColumn(
        "gains_db", .word, unit: "dB", "The gain of each ring, a JSON list",
        example: "[-12.0,-9.0,-6.0,-3.0,0.0]"),
      ExportColumn("steps", .integer, "Steps of its escalation, the burst above being the first"),
      ExportColumn(
        "escalation", .word, empty: "one step, and nobody is told",
        "Its later steps and when people are told, a JSON object",
        example: #"{"later_steps":[],"tell_after_s":[300]}"#),
      ExportColumn(
        "is_announcement", .boolean, "Whether it only says something and asks nothing",
        example: "false"),
      ExportColumn(
        "late_window_s", .integer, unit: "s", "How late it may still ring", example: "1800"),
      ExportColumn("delay_s", .integer, unit: "s", "How long \"later\" is", example: "300"),
      ExportColumn("delay_limit", .integer, "How often a prompt may be delayed", example: "3"),
      ExportColumn("is_current", .boolean, "Whether it is in force at the end of the record"),
    ], primaryKey: ["alarm_id", "version"])

  /// One row for each recording that was ever added.
  public static let tones = ExportTable(
    name: "tones", title: "Every recording",
    columns: [
      ExportColumn("seq", .integer, "The event that added it", example: "1204"),
      ExportColumn("tone_sha256", .identifier("t"), "The recording"),
      ExportColumn("name", .typed, empty: "it was erased", "Its name", example: "pills"),
      ExportColumn("duration_ms", .integer, unit: "ms", "Its length", example: "2150"),
      ExportColumn("loudness_lufs", .number, unit: "LUFS", "Its loudness", example: "-16.0"),
      ExportColumn("added", .instant, empty: "before day 1", "When it was added"),
      ExportColumn("removed", .instant, empty: "it was not removed", "When it was removed"),
    ], primaryKey: ["seq"])

  /// The meaning of each column.
  public static let codebook = ExportTable(
    name: "codebook", title: "What every column means",
    columns: [
      ExportColumn("file", .word, "The file", example: "prompts.csv"),
      ExportColumn("column", .word, "The column", example: "answer_latency_ms"),
      ExportColumn(
        "type", .word, "Its type, as Frictionless Table Schema names it", example: "integer"),
      ExportColumn(
        "unit", .word, empty: "it counts nothing", "What its numbers count", example: "ms"),
      ExportColumn(
        "meaning", .word, "What it says", example: "From due to the first answer, by the wall clock"
      ),
      ExportColumn(
        "values", .word, empty: "the list is open", "The values there are, with |",
        example: "open|closed"),
      ExportColumn(
        "empty_when", .word, empty: "never empty", "When a cell is empty",
        example: "nobody answered"),
      ExportColumn(
        "example", .word, empty: "the column is always empty", "A value as it may stand there",
        example: "3120"),
    ], primaryKey: ["file", "column"])
}
