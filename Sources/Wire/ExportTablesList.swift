import Alarms

// The tables of an export. Names are part of the contract with published analyses: extend, do not
// rename.

extension ExportTable {
  /// All tables, in the order of the data package.
  public static let all: [ExportTable] = [
    prompts, rings, gaps, clock, alarms, tones, events, codebook,
  ]

  private static let outcomes = Outcome.allCases.map(\.rawValue)
  private static let reasons = ReasonCode.allCases.map(\.rawValue)
  private static let clockStates = ClockState.allCases.map(\.rawValue)
  private static let roles = Role.allCases.map(\.rawValue)

  /// One row for each occurrence, rung or not.
  public static let prompts = ExportTable(
    name: "prompts", title: "Every occurrence: plan, delivery, response, outcome",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn("study_id", .word, empty: "of no study", "The study"),
      ExportColumn("person", .word, empty: "the alarm's person is unknown", "Pseudonym"),
      ExportColumn("person_name", .typed, empty: "the link was erased", "The person"),
      ExportColumn("phase", .word, empty: "no phase was set", "Phase of the study it belongs to"),
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("alarm_version", .integer, "The alarm's version"),
      ExportColumn("label", .typed, empty: "the label was erased", "What was to be done"),
      ExportColumn("scheduled", .civil, empty: "before day 1", "The scheduled local time"),
      ExportColumn(
        "also_scheduled", .detail, empty: "it stands for one scheduled time, or dates are left out",
        "Other scheduled local times that a clock change put on the same instant"),
      ExportColumn("fold", .integer, "1 in the second pass of a repeated hour, else 0"),
      ExportColumn("tz_name", .detail, "The zone of the scheduled time"),
      ExportColumn("utc_offset_s", .detailInteger, unit: "s", "The zone's offset then"),
      ExportColumn("due", .instant, empty: "before day 1", "When it was due"),
      ExportColumn("plans", .integer, "How often it was planned; more than 1 after edits"),
      ExportColumn(
        "late_ms", .integer, unit: "ms", empty: "it was never found due",
        "How long after its due time the device took it up"),
      ExportColumn("rings_intended", .integer, "Rings that were to sound"),
      ExportColumn("rings_sounded", .integer, "Rings of which the device took frames"),
      ExportColumn("rings_failed", .integer, "Rings that no device would play"),
      ExportColumn("rings_uncertain", .integer, "Rings cut short by a crash or a hang"),
      ExportColumn("is_delivered", .boolean, "Whether at least one ring sounded"),
      ExportColumn("first_ring", .instant, empty: "none sounded", "First frames of its first ring"),
      ExportColumn(
        "first_ring_latency_ms", .integer, unit: "ms", empty: "none sounded",
        "From due to the first frames, by the wall clock"),
      ExportColumn(
        "first_answer", .choice(["acknowledged", "delayed", "completed", "declined"]),
        empty: "nobody answered", "The first answer"),
      ExportColumn(
        "first_answer_role", .choice(roles), empty: "nobody answered", "Who gave it"),
      ExportColumn("answered", .instant, empty: "nobody answered", "When it was given"),
      ExportColumn(
        "answer_latency_ms", .integer, unit: "ms", empty: "nobody answered",
        "From due to the first answer, by the wall clock"),
      ExportColumn(
        "answer_after_ring_ms", .integer, unit: "ms",
        empty: "no ring, no answer, or a boot between",
        "From the first frames to the first answer, by the boot clock, which is never set"),
      ExportColumn("rings_to_answer", .integer, empty: "nobody answered", "Rings heard until then"),
      ExportColumn("delays", .integer, "How often it was put off"),
      ExportColumn("state", .choice(["open", "closed"]), "Whether it had ended"),
      ExportColumn("outcome", .choice(outcomes), empty: "it is open", "How it ended"),
      ExportColumn("reason", .choice(reasons), empty: "it is open", "Why, as far as it was said"),
      ExportColumn("closed", .instant, empty: "it is open", "When it ended"),
      ExportColumn("closed_role", .choice(roles), empty: "it is open", "Who or what ended it"),
      ExportColumn(
        "clock_state", .choice(clockStates), empty: "no event is about it",
        "The worst that was known of the clock during its life"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "no time source said",
        "The largest bound on the clock's error during its life"),
      ExportColumn("boots", .integer, "In how many boots of the device its life took place"),
      ExportColumn("corrections", .integer, "How often what was said about it was taken back"),
    ], primaryKey: ["prompt_id"])

  /// One row for each ring intent.
  public static let rings = ExportTable(
    name: "rings", title: "Every ring that was intended, and what came of it",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn("ring_no", .integer, "1 for the prompt's first ring"),
      ExportColumn("burst_index", .integer, "Its place in its burst, from 0"),
      ExportColumn("gain_db", .number, unit: "dB", "Its gain, full scale being 0"),
      ExportColumn(
        "tone_sha256", .identifier("t"), empty: "the built-in tone", "The recording"),
      ExportColumn("intended", .instant, "When it was recorded that it shall sound"),
      ExportColumn("started", .instant, empty: "it did not sound", "First frames"),
      ExportColumn(
        "start_latency_ms", .integer, unit: "ms", empty: "it did not sound",
        "From the intent to the first frames, by the boot clock"),
      ExportColumn("ended", .instant, empty: "its end is not known", "When it ended"),
      ExportColumn("frames", .integer, empty: "its end is not known", "Frames played, at 48 kHz"),
      ExportColumn("xruns", .integer, empty: "its end is not known", "Times the sound broke off"),
      ExportColumn("is_stopped", .boolean, empty: "its end is not known", "Whether it was stopped"),
      ExportColumn(
        "result", .choice(["sounded", "failed", "uncertain", "open"]),
        "What came of it; open where nothing more is recorded"),
    ], primaryKey: ["prompt_id", "ring_no"],
    foreignKeys: [ForeignKey(column: "prompt_id", table: "prompts")])

  /// One row for each stretch without monitoring.
  public static let gaps = ExportTable(
    name: "gaps", title: "When the device did not watch, and why",
    columns: [
      ExportColumn("seq", .integer, "The event that tells of it"),
      ExportColumn("from", .instant, empty: "before day 1", "Its beginning"),
      ExportColumn("to", .instant, empty: "before day 1", "Its end"),
      ExportColumn(
        "duration_ms", .integer, unit: "ms", empty: "safe harbor: longer than 31 days",
        "Its length"),
      ExportColumn("cause", .choice(GapCause.allCases.map(\.rawValue)), "Why"),
    ], primaryKey: ["seq"])

  /// One row for each thing that befell the clock.
  public static let clock = ExportTable(
    name: "clock", title: "What befell the clock, its zone and its boots",
    columns: [
      ExportColumn("seq", .integer, "The event that tells of it"),
      ExportColumn(
        "type",
        .choice([
          "boot", "clock_step", "clock_sync_gained", "clock_sync_lost", "tz_changed",
          "tzdata_changed", "suspend", "resume",
        ]), "What happened"),
      ExportColumn(
        "recorded", .instant, empty: "before day 1", "When, by the clock as it was then"),
      ExportColumn(
        "step_ms", .integer, unit: "ms", empty: "no step; safe harbor: longer than 31 days",
        "How far the clock was set; forward is positive"),
      ExportColumn("clock_state", .choice(clockStates), "How far the wall clock could be believed"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "no time source says",
        "Bound on the clock's error"),
      ExportColumn("boot_id", .identifier("b"), "The boot of the device"),
      ExportColumn("boottime_ns", .integer, unit: "ns", "Clock since that boot, never set"),
      ExportColumn("from", .detail, empty: "no change of zone", "The former zone, or its release"),
      ExportColumn("to", .detail, empty: "no change of zone", "The new one"),
    ], primaryKey: ["seq"])

  /// One row for each version of each alarm.
  public static let alarms = ExportTable(
    name: "alarms", title: "Every version of every alarm",
    columns: [
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("version", .integer, "1 when created, one more with each edit"),
      ExportColumn("seq", .integer, "The event that made it"),
      ExportColumn("recorded", .instant, empty: "before day 1", "When it was made"),
      ExportColumn("person", .word, "Pseudonym"),
      ExportColumn("person_name", .typed, empty: "the link was erased", "The person"),
      ExportColumn("label", .typed, empty: "it was erased", "What is to be done"),
      ExportColumn("instructions", .typed, empty: "none, or erased", "How"),
      ExportColumn("phrase", .typed, empty: "it was erased", "The schedule as it was typed"),
      ExportColumn("tone", .typed, empty: "the built-in tone, or erased", "The tone's name"),
      ExportColumn(
        "schedule_kind",
        .choice([
          "at", "once", "recurring", "several", "every", "every_within", "random", "after",
        ]), "Kind of schedule"),
      ExportColumn(
        "frequency", .word, empty: "not recurring", "The rule without dates and weekdays"),
      ExportColumn("rule", .detail, empty: "not recurring", "The rule, RFC 5545"),
      ExportColumn(
        "start", .civil, empty: "not once, recurring, every_within or random",
        "Its first local time"),
      ExportColumn("at", .instant, empty: "neither at nor every", "The instant it counts from"),
      ExportColumn(
        "every_s", .integer, unit: "s", empty: "neither every nor every_within", "Seconds between"),
      ExportColumn("schedule", .detail, "All of the schedule, a JSON object"),
      ExportColumn("tz_name", .detail, "The zone of its local times"),
      ExportColumn("rings", .integer, "Rings of a burst"),
      ExportColumn("spacing_s", .integer, unit: "s", "From ring to ring"),
      ExportColumn("gains_db", .word, unit: "dB", "The gain of each ring, a JSON list"),
      ExportColumn("late_window_s", .integer, unit: "s", "How late it may still ring"),
      ExportColumn("delay_s", .integer, unit: "s", "How long \"later\" is"),
      ExportColumn("delay_limit", .integer, "How often a prompt may be delayed"),
      ExportColumn("is_current", .boolean, "Whether it is in force at the end of the record"),
    ], primaryKey: ["alarm_id", "version"])

  /// One row for each recording that was ever added.
  public static let tones = ExportTable(
    name: "tones", title: "Every recording",
    columns: [
      ExportColumn("seq", .integer, "The event that added it"),
      ExportColumn("tone_sha256", .identifier("t"), "The recording"),
      ExportColumn("name", .typed, empty: "it was erased", "Its name"),
      ExportColumn("duration_ms", .integer, unit: "ms", "Its length"),
      ExportColumn("loudness_lufs", .number, unit: "LUFS", "Its loudness"),
      ExportColumn("added", .instant, empty: "before day 1", "When it was added"),
      ExportColumn("removed", .instant, empty: "it was not removed", "When it was removed"),
    ], primaryKey: ["seq"])

  /// What the columns mean.
  public static let codebook = ExportTable(
    name: "codebook", title: "What every column means",
    columns: [
      ExportColumn("file", .word, "The file"),
      ExportColumn("column", .word, "The column"),
      ExportColumn("type", .word, "Its type, as Frictionless Table Schema names it"),
      ExportColumn("unit", .word, empty: "it counts nothing", "What its numbers count"),
      ExportColumn("meaning", .word, "What it says"),
      ExportColumn("values", .word, empty: "the list is open", "The values there are, with |"),
      ExportColumn("empty_when", .word, empty: "never empty", "When a cell is empty"),
    ], primaryKey: ["file", "column"])
}
