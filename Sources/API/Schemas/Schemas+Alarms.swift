import Alarms

/// Schemas of alarms, due times and schedules.
extension JSONSchema {
  /// A duration: `90s`, `10m`, `1h30m`.
  static let duration = JSONSchema.format("duration, like 90s, 10m or 1h30m")
  /// A civil date: `2026-12-01`.
  static let date = JSONSchema.format("date")
  /// A civil date and time: `2026-12-01T08:00:00`.
  static let localTime = JSONSchema.format("local date and time, like 2026-12-01T08:00:00")

  static let alarmFields: [Field] = [
    .always("id", .text), .always("version", .integer(1...Int64.max)),
    .always("label", .text, "What is to be done."),
    .always("instructions", .text, "How to do it."), .always("person", .text),
    .always("schedule", .text, "The schedule as it was typed."),
    .always("schedule_detail", .any, "The schedule as it is understood."),
    .always("zone", .text, "The zone of its civil times."),
    .always("tone", .optional(.text), "The tone that speaks; null for the built-in one."),
    .always("rings", .integer(1...20)), .always("spacing", .duration),
    .always("gains", .list(.number), "Decibels, ring by ring."),
    .always("steps", .list(.step), "Every burst, in order; the first is that of `rings`."),
    .always("tell", .list(.notify), "Who is told while nobody answers, in order."),
    .always("complete_by", .duration, "From \"on my way\" until it rings again."),
    .always("complete_step", .optional(.step), "What rings then; null for everything again."),
    .always("late_window", .duration), .always("delay", .duration),
    .always("delay_limit", .count), .always("leads", .list(.text)),
    .always("paused_until", .optional(.text)), .always("skipped", .list(.text)),
    .always("exclude", .list(.text)),
    .always(
      "quiet_hours", .optional(.word(QuietOverride.allCases.map(\.rawValue))),
      "What it does in its person's quiet hours; null for what they want."),
    .always("image", .optional(.imageID), "The picture that helps with it."),
    .always("questions", .list(.question), "What is asked with each prompt."),
    .always("answers_required", .flag, "Whether it can only be completed once they are answered."),
  ]

  static let step = JSONSchema.named(
    "Step",
    .object([
      .always("rings", .integer(1...20)), .always("spacing", .duration),
      .always("gains", .list(.number)), .always("tone", .optional(.text)), .always("urgent", .flag),
      .always("after", .optional(.duration), "From the last ring before; null for the first."),
      .always("words", .text),
    ]))

  static let notify = JSONSchema.named(
    "Tell",
    .object([
      .always("contact", .text),
      .always("after", .duration, "From the first ring, or from the person before."),
    ]))

  static let alarm = JSONSchema.named("Alarm", .object(alarmFields))

  static let alarmForm = JSONSchema.named(
    "AlarmForm",
    .object([
      .maybe("label", .text, "What is to be done; one line, 1 to 200 characters, 1,024 bytes."),
      .maybe("instructions", .text, "How to do it; at most 2,000 characters, 8,192 bytes."),
      .maybe("schedule", .text, "Like `every day 08:00`, `in 20 minutes` or an RRULE."),
      .maybe("zone", .text, "A tzdata zone, or `floating`."), .maybe("person", .text),
      .maybe("tone", .text), .maybe("rings", .integer), .maybe("spacing", .duration),
      .maybe(
        "gains", .list(.number),
        "Decibels, ring by ring; a longer burst repeats the last, a shorter one leaves out the "
          + "first."
      ),
      .maybe(
        "steps", .any,
        "Bursts instead of rings, spacing and gains: a list of objects as they are shown, or of words "
          + "like `3 rings every 1m, louder, tone dad, urgent`."),
      .maybe(
        "tell", .any,
        "Words like `anna after 10m, then bob after 15m`, `none`, or a list of objects."),
      .maybe("complete_by", .duration),
      .maybe("complete_step", .any, "One burst as for steps, or `none`."),
      .maybe("late_window", .duration), .maybe("delay", .duration),
      .maybe("delay_limit", .integer),
      .maybe("leads", .list(.text), "Like `1 hour before`; none takes them away."),
      .maybe("paused_until", .text, "A date or date and time; empty ends the pause."),
      .maybe("skip_next", .integer, "So many occurrences pass in silence."),
      .maybe("exclude", .list(.text), "Days without a sound."),
      .maybe(
        "quiet_hours", .text,
        "In the person's quiet hours: `ring`, `hold` or `suppress`; empty for what they want."),
      .maybe("image", .text, "The id of a picture that helps with it; empty for none."),
      .maybe(
        "questions", .any,
        "A list of questions as they are shown, or of words like `pain=scale How bad is it?`; none "
          + "takes them away."),
      .maybe("answers_required", .flag, "Whether it can only be completed once they are answered."),
    ]))

  static let occurrenceFields: [Field] = [
    .always("utc", .instant), .always("local", .localTime), .always("offset_seconds", .integer),
    .always("zone", .text),
    .maybe("moved", .word(["gap", "fold"]), "Whether a clock change moved it."),
  ]

  static let occurrence = JSONSchema.named("Occurrence", .object(occurrenceFields))

  static let inactivityFields: [Field] = [
    .maybe(
      "suppressed_by", .word([Suppression.Reason.quietHours, .controlPhase].map(\.rawValue)),
      "What will keep it from sounding then, as things stand."),
    .maybe("rings_utc", .instant, "When it sounds after all; without it, it stays silent."),
    .maybe("rings_local", .localTime),
  ]

  static let expectedRing = JSONSchema.named(
    "ExpectedRing", .object(occurrenceFields + inactivityFields))

  static let warnings = JSONSchema.list(
    .named(
      "Warning",
      .object([
        .always("kind", .word(ScheduleWarning.Kind.allCases.map(\.rawValue))),
        .always("text", .text),
      ])))

  static let alarmShown = JSONSchema.named(
    "AlarmShown", .object([.always("alarm", .alarm), .always("next", .list(.expectedRing))]))

  static let alarmSet = JSONSchema.named(
    "AlarmSet",
    .object([
      .always("alarm", .alarm), .always("next", .list(.expectedRing), "Its next rings."),
      .always("explanation", .text), .always("warnings", .warnings),
    ]))

  static let alarmList = JSONSchema.named(
    "AlarmList",
    .object([
      .always(
        "alarms",
        .list(
          JSONSchema.alarm.with(.always("next", .list(.expectedRing)))
            .with(.always("waiting", .count, "Its prompts that wait for an answer.")))),
      .nextPage,
    ]))

  static let alarmVersions = JSONSchema.named(
    "AlarmVersions",
    .object([
      .always(
        "versions",
        .list(
          JSONSchema.alarm.with(
            .always("set_by", .text, "The role and id of who made this version.")
          )
          .with(.always("set_utc", .instant))))
    ]))

  static let alarmRemoved = JSONSchema.named(
    "AlarmRemoved",
    .object([.always("alarm", .alarm), .always("prompts", .list(.answered), "What was stopped.")]))

  static let preview = JSONSchema.named(
    "Preview",
    .object([
      .always(
        "occurrences",
        .list(
          JSONSchema.occurrence.with(
            .maybe("leads_to_local", .localTime, "What a prompt before another leads up to.")))),
      .always("explanation", .text), .always("warnings", .warnings),
    ]))
}
