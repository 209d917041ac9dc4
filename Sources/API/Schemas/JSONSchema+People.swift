import Alarms

/// Schemas of people and their study phases.
extension JSONSchema {
  static let person = JSONSchema.named(
    "Person",
    .object([
      .always("id", .text), .always("version", .count), .always("name", .text),
      .always(
        "language", .optional(.text),
        "The language of spoken words, as a BCP 47 tag, for example `de`."),
      .always("zone", .text, "The time zone of the person."), .always("tone", .optional(.text)),
      .always("quiet_hours", .optional(.text), "For example `22:00-07:00`."),
      .always("quiet_policy", .optional(.word(QuietPolicy.allCases.map(\.rawValue)))),
      .always("rings_per_hour", .integer(1...1_000_000), "Maximum repetitions per hour."),
      .always(
        "inactivity_hours", .optional(.integer(1...168)),
        "The daemon notifies contacts after this number of hours without an answer."),
      .always("inactivity_tell", .list(.notify), "The contacts to notify, in order."),
      .always(
        "inactive_since_utc", .optional(.instant),
        "Start of the first unanswered ring, if contacts are set for inactivity."),
      .always(
        "inactivity_notified", .count,
        "Number of these contacts that the daemon started to notify, with or without success."),
      .always("pause", .optional(.pause), "Null: the person is not paused."),
      .always(
        "phase", .optional(.word(StudyPhase.Kind.allCases.map(\.rawValue))),
        "The study phase. Null: there is none, or the study hides it from your role."),
      .always(
        "silenced", .flag,
        "True if a pause or a study keeps the person's reminders silent now."),
      .always(
        "reward_image", .optional(.imageID),
        "The picture that a screen shows when all planned tasks of a day are done."),
      .always("alarms", .count, "Number of the person's alarms."),
    ]))

  /// The pause of a person.
  static let pause = JSONSchema.named(
    "Pause",
    .object([
      .always(
        "until_utc", .optional(.instant),
        "The first instant after the pause. Null: the pause has no end."),
      .always("until_local", .optional(.text), "The same time in the zone of the person."),
    ]))

  static let pauseForm = JSONSchema.named(
    "PauseForm",
    .object([
      .maybe(
        "until", .text,
        "The end of the pause: a date (the pause includes this whole day), or a date and time. "
          + "Absent: the pause has no end."
      )
    ]))

  static let pauseShown = JSONSchema.named(
    "PauseShown",
    .object([
      .always("people", .list(.person)),
      .always(
        "first_rings", .list(.firstRing),
        "The next ring of each person. If a person is paused: the first ring after the pause. The "
          + "list does not contain a person without a next ring."
      ),
      .always(
        "prompts", .list(.answered),
        "The due prompts that the pause ended. If the request ends a pause, the list is empty."),
      .always(
        "paused_alarms", .list(.pausedAlarm),
        "Alarms of these people that a caretaker paused separately. The pause of such an alarm "
          + "does not end with the pause of the person."
      ),
    ]))

  private static let firstRing = JSONSchema.named(
    "FirstRing",
    .object([
      .always("person", .text), .always("alarm_id", .text), .always("label", .text),
      .always("utc", .instant), .always("local", .text), .always("zone", .text),
    ]))

  static let pausedAlarm = JSONSchema.named(
    "PausedAlarm",
    .object([
      .always("alarm_id", .text), .always("label", .text), .always("person", .text),
      .always("until_local", .text, "The first time after the pause, in the zone of the alarm."),
    ]))

  private static let personFields: [Field] = [
    .maybe("name", .text, "One line, at most 100 characters and at most 512 bytes."),
    .maybe("language", .text, "The language of spoken words, as a BCP 47 tag, for example `de`."),
    .maybe(
      "zone", .text,
      "A time zone of tzdata, for example `Europe/Berlin`. Empty: the home zone applies."),
    .maybe(
      "tone", .text,
      "The tone of a ring if the alarm has no tone. Empty: spoken words or the built-in tone."),
    .maybe("quiet_hours", .text, "For example `22:00-07:00`; empty or `none`: no quiet hours."),
    .maybe("quiet_policy", .word(QuietPolicy.allCases.map(\.rawValue))),
    .maybe(
      "rings_per_hour", .integer,
      "The hourly limit: the maximum number of repetitions in an hour, 1 to 240. 0: the limit of "
        + "the home applies."),
    .maybe(
      "inactivity_hours", .integer,
      "If the person gives no answer for this number of hours, 1 to 168, the daemon notifies "
        + "contacts. 0: the daemon never does this."),
    .maybe(
      "inactivity_tell", .any,
      "Contacts to notify: a text such as `anna after 0s, then bob after 30m`, or a list of "
        + "objects in the form that `inactivity_tell` has in a response."
    ),
    .maybe(
      "reward_image", .text,
      "The id of a picture that a screen shows when all planned tasks of a day are done. Empty: no "
        + "picture."),
  ]

  static let personForm = JSONSchema.named("PersonForm", .object(personFields))

  static let newPerson = JSONSchema.named(
    "NewPerson",
    .object(
      [
        .always(
          "id", .text,
          "The id of the new person: 1 to 64 ASCII letters, digits, `.`, `-` and `_`. Alarms and "
            + "requests name the person by this id.")
      ] + personFields))

  static let personShown = JSONSchema.named("PersonShown", .object([.always("person", .person)]))

  static let personSet = JSONSchema.named(
    "PersonSet",
    .object([
      .always("person", .person),
      .always(
        "warnings", .warnings,
        "Warnings about due prompts that the new quiet hours or the new zone affect, and about "
          + "alarms whose rings are now too close together."
      ),
    ]))

  static let personList = JSONSchema.named(
    "PersonList", .object([.always("people", .list(.person)), .nextPage]))

  static let phase = JSONSchema.named(
    "Phase",
    .object([
      .always("person", .text), .always("kind", .word(StudyPhase.Kind.allCases.map(\.rawValue))),
      .always("from_utc", .instant), .always("to_utc", .optional(.instant), "Null: no end."),
      .always("current", .flag),
      .always("from_local", .localTime),
      .always("to_local", .optional(.localTime), "Null: no end."),
      .always("zone", .text, "The zone of the local times: the zone of the person."),
    ]))

  static let phaseForm = JSONSchema.named(
    "PhaseForm",
    .object([
      .always("person", .text),
      .always("kind", .word(StudyPhase.Kind.allCases.map(\.rawValue))),
      .maybe(
        "from", .text,
        "Start of the phase, for example `2026-12-01` (default: the end of the previous phase if "
          + "this end is in the future, otherwise now)."
      ),
      .maybe(
        "to", .text,
        "End of the phase: a date (this whole day belongs to the phase), or a date and time "
          + "(default: no end)."
      ),
    ]))

  static let phaseEnd = JSONSchema.named(
    "PhaseEnd",
    .object([
      .always("person", .text),
      .maybe(
        "at", .text,
        "End of the phase: a date (this whole day belongs to the phase), or a date and time "
          + "(default: now)."
      ),
    ]))

  static let phaseList = JSONSchema.named("PhaseList", .object([.always("phases", .list(.phase))]))
}
