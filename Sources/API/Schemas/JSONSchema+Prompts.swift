import Alarms

/// Schemas of prompts and of the answers to prompts.
extension JSONSchema {
  static let promptID = JSONSchema.format("prompt id, like k3v9t2m8q4wz@2026-12-01T08:00:00")
  static let promptState = JSONSchema.word([
    "planned", "waiting", "expiring", "ringing", "delayed", "acknowledged", "held", "closed",
  ])
  static let reason = JSONSchema.word(ReasonCode.allCases.map(\.rawValue))

  /// The way in which a prompt ended.
  static let outcome = JSONSchema.word(Outcome.allCases.map(\.rawValue) + [HiddenPhase.outcome])

  static let promptFields: [Field] = [
    .always("id", .promptID), .always("alarm_id", .text), .always("alarm_version", .count),
    .always("label", .text),
    .always(
      "instructions", .text, "How to do the task. Empty: the alarm has no instructions."),
    .always("person", .text), .always("state", .promptState),
    .always("outcome", .optional(.outcome)),
    .always("reason", .optional(.reason)), .always("scheduled_utc", .instant),
    .always("scheduled_local", .localTime), .always("zone", .text),
    .always("rings_intended", .count), .always("rings_sounded", .count),
    .always("rings_failed", .count), .always("delays", .count),
    .always(
      "held", .optional(.word(Suppression.Reason.allCases.map(\.rawValue) + [HiddenPhase.reason])),
      "The reason why the prompt is due but does not sound now. Null: there is no such reason."),
    .always("acknowledged_utc", .optional(.instant), "Time of the first answer \"on my way\"."),
    .always(
      "contacts_notified", .count,
      "Number of contacts that the daemon started to notify, with or without success."),
    .always("next_notification_utc", .optional(.instant)),
    .always("delivery", .word(Delivery.allCases.map(\.rawValue))),
    .always("next_step_utc", .optional(.instant)), .always("closed_utc", .optional(.instant)),
    .always("image", .optional(.imageID), "The picture that helps with the task."),
    .always("photos", .list(.imageID), "The pictures that show the completed task."),
    .always(
      "presented_utc", .optional(.instant),
      "Time at which a screen first showed the prompt. Null: no screen reported this."),
    .always(
      "shown_as_due", .flag,
      "True if a screen may show the prompt as due now. False: the prompt is not due yet, is put "
        + "off or is over; or a control phase, a pause or quiet hours apply."),
    .always(
      "delay", .optional(.duration),
      "The time for which the answer \"later\" delays the prompt, if the request contains no "
        + "time. Null: the prompt is over."),
    .always(
      "delays_left", .optional(.count),
      "How often the prompt can still be delayed. Null: the prompt is over."),
    .always(
      "delayed_until_utc", .optional(.instant),
      "The end of the delay. Null: the state is not `delayed`."),
    .always(
      "acknowledged_until_utc", .optional(.instant),
      "The end of \"on my way\": if nobody completes the prompt before this time, the prompt rings "
        + "again. Null: the state is not `acknowledged`."),
    .always(
      "undo_until_utc", .optional(.instant),
      "The last time at which the newest answer can be undone. Null: no answer can be undone."),
    .maybe(
      "also_scheduled_local", .list(.localTime),
      "If the clocks are set forward on this day: the other local times of the schedule that are "
        + "at the same instant as `scheduled_utc`."),
    .maybe(
      "announcement", .flag,
      "True: the prompt is an announcement (`POST /v1/say`). An announcement is not a task."),
    .maybe("leads_to_utc", .instant, "For an early reminder: the due time of the main prompt."),
  ]

  static let prompt = JSONSchema.named("Prompt", .object(promptFields))

  static let rings = JSONSchema.named(
    "Rings",
    .object([
      .always("stopped", .count, "Number of planned rings that were cancelled."),
      .always("sounding", .flag, "True if a ring was sounding."),
      .always("sounded", .count, "Number of rings that had already sounded."),
    ]))

  static let answered = JSONSchema.named(
    "Answered",
    .object(
      promptFields + [
        .always("rings", .rings, "The effect of the request on the rings of the prompt."),
        .maybe(
          "supplies", .list(.supplyLeft),
          "If the alarm uses supplies: the amount that is left of each supply."),
        .maybe(
          "still_open", .list(.text),
          "Labels of the person's other tasks that still need an answer. If the next request "
            + "answers the prompt `current`, it answers the first task of this list."),
      ]))

  static let calling = JSONSchema.named(
    "Calling",
    .object([
      .always("id", .promptID),
      .always("rings_sounded", .count, "Number of rings that have sounded."),
      .always(
        "acknowledge_first", .flag,
        "True if the alarm asks for \"on my way\" first, and nobody has given this answer yet."),
    ]))

  static let promptList = JSONSchema.named(
    "PromptList",
    .object([
      .always("prompts", .list(.prompt)),
      .always(
        "waiting", .count,
        "Number of all prompts that wait for an answer, not only of the prompts on this page."),
      .always(
        "calling", .optional(.calling),
        "If a request answers the prompt `current`, it answers this prompt. This field is correct "
          + "even if the record cannot be written."
      ),
      .maybe(
        "next_before", .promptID,
        "To get the next page, send this value as `before`. Absent on the last page."),
    ]))

  static let agenda = JSONSchema.named(
    "Agenda",
    .object([
      .always(
        "agenda",
        .list(
          .named(
            "AgendaRow",
            .object(
              [
                .always("prompt_id", .promptID), .always("alarm_id", .text),
                .always("label", .text), .always("person", .text), .always("state", .promptState),
                .always("utc", .instant), .always("local", .localTime), .always("zone", .text),
              ] + inactivityFields)))),
      .nextPage,
    ]))

  /// A request body without members. The client may also leave out the body.
  static let nothing = JSONSchema.named("Nothing", .object([]))
  static let delayForm = JSONSchema.named(
    "DelayForm",
    .object([
      .maybe(
        "for", .duration, "Time until the prompt rings again (default: the `delay` of the alarm).")
    ]))
  static let reasonForm = JSONSchema.named("ReasonForm", .object([.maybe("reason", .reason)]))
}
