import Alarms

/// Schemas of alarms, due times and schedules.
extension JSONSchema {
  /// A duration, such as `90s`, `10m` or `1h30m`.
  static let duration = JSONSchema.format("duration, like 90s, 10m or 1h30m")
  /// A civil date, such as `2026-12-01`.
  static let date = JSONSchema.format("date")
  /// A civil date and time, such as `2026-12-01T08:00:00`.
  static let localTime = JSONSchema.format("local date and time, like 2026-12-01T08:00:00")

  static let alarmFields: [Field] = [
    .always("id", .text), .always("version", .integer(1...Int64.max)),
    .always("label", .text, "The task: what to do."),
    .always("instructions", .text, "Instructions: how to do the task."), .always("person", .text),
    .always("schedule", .text, "The schedule as it was typed."),
    .always("schedule_detail", .any, "The parts of the schedule, as the daemon understands them."),
    .always("zone", .text, "The time zone of the local times in the schedule."),
    .always(
      "tone", .optional(.text),
      "The tone of the rings; null: the tone of the person, spoken words or the built-in tone."),
    .always("rings", .integer(1...20)), .always("spacing", .duration),
    .always("gains", .list(.number), "Gain of each ring, in decibels."),
    .always(
      "steps", .list(.step), "All bursts, in order. The first burst is the burst of `rings`."),
    .always("tell", .list(.notify), "Contacts to notify while nobody answers, in order."),
    .always("complete_by", .duration, "Time from \"on my way\" until the prompt rings again."),
    .always(
      "complete_step", .optional(.step),
      "The burst that rings after the time `complete_by`; null: all bursts ring again."),
    .always("late_window", .duration), .always("delay", .duration),
    .always("delay_limit", .count), .always("leads", .list(.text)),
    .always(
      "paused_until", .optional(.text), "The first time after the pause of this alarm."),
    .always("skipped", .list(.text)),
    .always("exclude", .list(.text)),
    .always(
      "quiet_hours", .optional(.word(QuietOverride.allCases.map(\.rawValue))),
      "Behaviour in the quiet hours of the person; null: `quiet_policy` of the person applies."),
    .always("image", .optional(.imageID), "The picture that helps with the task."),
    .always(
      "uid", .optional(.text), "The UID of the calendar event from which the alarm was imported."),
    .always(
      "uid_revision", .optional(.text),
      "The revision of this event, for later imports: its SEQUENCE and DTSTAMP, and those of its "
        + "changed occurrences."),
    .always("questions", .list(.question), "The questions of each prompt."),
    .always(
      "answers_required", .flag, "True if the required questions must be answered before \"done\"."),
    .always("uses", .list(.supplyUse), "The supplies that each completed prompt uses."),
  ]

  static let step = JSONSchema.named(
    "Step",
    .object([
      .always("rings", .integer(1...20)), .always("spacing", .duration),
      .always("gains", .list(.number)), .always("tone", .optional(.text)), .always("urgent", .flag),
      .always(
        "after", .optional(.duration),
        "Time from the last ring of the burst before; null for the first burst."),
      .always("words", .text),
    ]))

  static let notify = JSONSchema.named(
    "Tell",
    .object([
      .always("contact", .text),
      .always(
        "after", .duration,
        "Time from the first ring or, for a later contact, from the notification of the contact "
          + "before."
      ),
    ]))

  static let alarm = JSONSchema.named("Alarm", .object(alarmFields))

  static let alarmForm = JSONSchema.named("AlarmForm", .object(alarmFormFields))

  static let newAlarmForm = JSONSchema.named(
    "NewAlarmForm",
    .object(
      alarmFormFields.map { field in
        var field = field
        if ["label", "schedule"].contains(field.name) { field.isRequired = true }
        return field
      } + [duplicate]))

  private static let duplicate = Field.maybe(
    "duplicate", .flag,
    "True: save the alarm even if the person already has another alarm with the same label and "
      + "schedule. Without this field, the daemon refuses such a request (kind `duplicate`).")

  static let previewForm = JSONSchema.named(
    "PreviewForm",
    .object(
      alarmFormFields + [
        .maybe("after", .instant, "Only due times after this instant (default: now)."),
        .maybe("to", .instant, "Only due times up to and including this instant."),
        .maybe(
          "count", .integer(1...Int64(PreviewRange.most)),
          "Maximum number of due times in the response (default: 10)."),
        .maybe(
          "warn_hours", .text,
          "Hours of the day, for example `22:00-07:00`. If a due time is in these hours, the "
            + "response contains a warning."),
      ]))

  private static let alarmFormFields: [Field] = [
    .maybe(
      "label", .text, "The task: what to do. One line, 1 to 200 characters, at most 1,024 bytes."),
    .maybe(
      "instructions", .text,
      "Instructions: how to do the task. At most 2,000 characters and at most 8,192 bytes."),
    .maybe(
      "schedule", .text,
      "For example `every day 08:00`, `in 20 minutes` or a recurrence rule of RFC 5545 (RRULE)."),
    .maybe(
      "zone", .text,
      "The name of a time zone, for example `Europe/Berlin`. `floating`: the alarm always uses the "
        + "home zone. If the home zone changes, the alarm uses the new home zone."),
    .maybe(
      "person", .text,
      "The id or the name of a person. Upper and lower case make no difference. This field is "
        + "necessary if the home has several people."),
    .maybe("tone", .text), .maybe("rings", .integer), .maybe("spacing", .duration),
    .maybe(
      "gains", .list(.number),
      "Gain of each ring, in decibels. If the burst has more rings than gains, the other rings "
        + "use the last gain. If the burst has fewer rings than gains, the rings use the last "
        + "gains of the list, so that the burst ends with the last gain."
    ),
    .maybe(
      "steps", .any,
      "A list of all bursts, in order. Use either this field, or `rings`, `spacing` and `gains`. "
        + "Each burst is a text such as `3 rings every 1m, louder, tone dad, urgent`, or an object "
        + "in the form that `steps` has in the alarm of a response."),
    .maybe(
      "tell", .any,
      "Contacts to notify: a text such as `anna after 10m, then bob after 15m`, or a list of "
        + "objects in the form that `tell` has in the alarm of a response. `none`: no contacts."),
    .maybe("complete_by", .duration),
    .maybe(
      "uid", .text,
      "The UID of a calendar event, at most 500 characters. An empty text removes it."),
    .maybe(
      "uid_revision", .text,
      "The revision of this event, as an import writes it, at most 2000 characters. An empty text "
        + "removes it."),
    .maybe(
      "complete_step", .any,
      "The burst that rings if nobody completes the prompt within `complete_by` after \"on my "
        + "way\". The burst has the form of one entry of `steps`. `none`: all bursts ring again."),
    .maybe("late_window", .duration), .maybe("delay", .duration),
    .maybe("delay_limit", .integer),
    .maybe(
      "leads", .list(.text),
      "Early reminders, for example `1 hour before`. An empty list removes all early reminders."),
    .maybe(
      "paused_until", .text,
      "End of the pause: a date (the pause includes this whole day), or a date and time. Empty: "
        + "the pause ends now."
    ),
    .maybe(
      "skip_next", .integer,
      "The alarm skips this number of due times, beginning with the next due time."),
    .maybe(
      "exclude", .list(.text),
      "Days on which the alarm does not sound: dates such as `2026-12-24`, or ranges such as "
        + "`2026-12-24/2026-12-26`."),
    .maybe(
      "quiet_hours", .text,
      "Behaviour in the quiet hours of the person: `ring`, `hold` or `suppress`. Empty: "
        + "`quiet_policy` of the person applies."
    ),
    .maybe("image", .text, "The id of a picture that helps with the task. Empty: no picture."),
    .maybe(
      "questions", .any,
      "A list of questions. Each question is a text such as `pain=scale How bad is it?`, or an "
        + "object in the form that `questions` has in the alarm of a response. An empty list "
        + "removes all questions."),
    .maybe(
      "answers_required", .flag,
      "True if the required questions must be answered before \"done\"."),
    .maybe(
      "uses", .any,
      "The supplies that each completed prompt uses, as a list. Each supply is a text such as "
        + "`Donepezil=2`, or an object in the form that `uses` has in the alarm of a response. The "
        + "text `none` instead of a list: the alarm uses no supplies."),
  ]

  static let alarmEdit = JSONSchema.named(
    "AlarmEdit",
    alarmForm.with(duplicate).with(
      .maybe(
        "ends_prompt", .flag,
        "True: save the change even if the change ends an open prompt and the alarm then never "
          + "rings again. Without this field, the daemon refuses such a change with the kind "
          + "`ends_prompt`.")))

  static let occurrenceFields: [Field] = [
    .always("utc", .instant), .always("local", .localTime), .always("offset_seconds", .integer),
    .always("zone", .text),
    .maybe(
      "moved", .word(["gap", "fold"]),
      "Present if the clocks change at this time: `gap` if the local time does not exist, `fold` "
        + "if it exists twice."
    ),
  ]

  static let occurrence = JSONSchema.named("Occurrence", .object(occurrenceFields))

  static let inactivityFields: [Field] = [
    .maybe(
      "suppressed_by",
      .word(ExpectedSuppression.Reason.allCases.map(\.rawValue) + [HiddenPhase.reason]),
      "The reason why the prompt will not sound at that time, by the present settings."),
    .maybe(
      "rings_utc", .instant,
      "The later time at which the prompt will sound. Absent: the prompt will not sound at all."),
    .maybe("rings_local", .localTime),
    .maybe("leads_to_utc", .instant, "For an early reminder: the due time of the main prompt."),
    .maybe("leads_to_local", .localTime),
  ]

  static let expectedRing = JSONSchema.named(
    "ExpectedRing", .object(occurrenceFields + inactivityFields))

  static let voice = JSONSchema.named(
    "Voice",
    .object([
      .always(
        "kind", .word(ExpectedVoice.Kind.allCases.map(\.rawValue)),
        "The sound of the first ring: a recording of the alarm, a recording of the person, spoken "
          + "words, or the built-in tone."),
      .always("tone", .optional(.text), "The name of the recording."),
    ]))

  static let warnings = JSONSchema.list(
    .named(
      "Warning",
      .object([
        .always("kind", .word(ScheduleWarning.Kind.allCases.map(\.rawValue))),
        .always("text", .text),
      ])))

  static let alarmShown = JSONSchema.named(
    "AlarmShown",
    .object([
      .always("alarm", .alarm), personPause, .always("next", .list(.expectedRing)),
      .always("voice", .voice),
    ]))

  /// The pause of the person of an alarm.
  private static let personPause = Field.always(
    "person_pause", .optional(.pause), "The pause of the person; null: the person is not paused.")

  static let alarmSet = JSONSchema.named(
    "AlarmSet",
    .object([
      .always("alarm", .alarm), personPause,
      .always("next", .list(.expectedRing), "The next rings of the alarm."),
      .always("explanation", .text), .always("warnings", .warnings),
    ]))

  static let alarmList = JSONSchema.named(
    "AlarmList",
    .object([
      .always(
        "alarms",
        .list(
          JSONSchema.alarm.with(.always("next", .list(.expectedRing))).with(personPause)
            .with(
              .always("waiting", .count, "Number of prompts of the alarm that wait for an answer.")
            )
            .with(
              .always(
                "is_over", .flag,
                "True: the alarm has rung for the last time, and nobody can answer it any more.")
            )
            .with(.always("voice", .voice)))),
      .nextPage,
    ]))

  static let alarmVersions = JSONSchema.named(
    "AlarmVersions",
    .object([
      .always(
        "versions",
        .list(
          JSONSchema.alarm.with(
            .always("set_by", .text, "Role and id of the user who made this version.")
          )
          .with(.always("set_utc", .instant))))
    ]))

  static let alarmRemoved = JSONSchema.named(
    "AlarmRemoved",
    .object([
      .always("alarm", .alarm),
      .always("prompts", .list(.answered), "The prompts that ended because the alarm was removed."),
    ]))

  static let preview = JSONSchema.named(
    "Preview",
    .object([
      .always(
        "occurrences",
        .list(
          JSONSchema.occurrence.with(
            .maybe(
              "leads_to_local", .localTime,
              "For an early reminder: the local time of its main prompt.")
          )
          .with(
            .maybe(
              "also_local", .list(.localTime),
              "Other local times of the schedule that are at the same instant, because the clocks "
                + "change.")))
      ),
      .always("explanation", .text), .always("warnings", .warnings),
    ]))
}
