import Alarms

/// Schemas of the home, its tones and its record.
extension JSONSchema {
  static let status = JSONSchema.named(
    "Status",
    .object([
      .always("version", .text), .always("state", .word(["ok", "degraded"])),
      .always(
        "problems",
        .list(
          .object([
            .always("kind", .word(StatusProblem.Kind.allCases.map(\.rawValue))),
            .always("detail", .text),
          ])), "Problems that may prevent the next ring, and low supplies."),
      .always("alarms", .count), .always("open_prompts", .count),
      .always("waiting", .count, "Number of prompts that wait for an answer."),
      .maybe(
        "presence",
        .object([
          .always("device_seen_utc", .instant),
          .always("patient_answered_utc", .optional(.instant)),
          .always(
            "callers",
            .list(
              .object([
                .always("id", .text), .always("role", .text), .always("seen_utc", .instant),
                .always("watching", .flag, "True if the user has an event stream open."),
              ]))),
        ]),
        "Only for caretakers and admins: the present time of the device, the time of the last "
          + "answer of a patient, and the time of the last request of each user."),
      .maybe(
        "inactive",
        .list(
          .object([
            .always("person", .text), .always("since_utc", .instant),
            .always("notified", .count, "Number of contacts that the daemon began to notify."),
            .always(
              "next_notification_utc", .optional(.instant),
              "Time at which the daemon notifies the next contact."),
          ])),
        "Only for caretakers and admins: people who have answered no prompt since the ring at "
          + "`since_utc`. The list contains only people whose inactivity Prompter reports to "
          + "contacts."
      ),
      .always(
        "paused",
        .list(
          .object([
            .always("person", .text),
            .always("alarm_id", .optional(.text), "Null: the person is paused."),
            .always("label", .optional(.text)),
            .always(
              "until_local", .optional(.text),
              "The first time after the pause. Null: the pause has no end."),
          ])), "People and alarms that are paused; at most 100."),
      .always("sounding", .optional(.promptID)), .always("next_utc", .optional(.instant)),
      .always(
        "clock",
        .object([
          .always("utc", .instant), .always("state", .text),
          .always("error_ms", .optional(.integer)),
        ])),
      .always("zone", .text), .always("tzdata", .text),
      .always("language", .text, "Language of the home, as a BCP 47 tag."),
      .always(
        "languages",
        .list(
          .object([
            .always("person", .text),
            .always(
              "language", .text, "Language of the person, or of the home if the person has none."),
            .always(
              "voice", .optional(.flag),
              "True if a voice speaks this language. Null: `POST /v1/speaker/check` has not tried "
                + "the language, or the home uses no speech."),
            .always(
              "sentences", .text,
              "Language of the sentences that Prompter itself speaks and shows to the person, and of "
                + "their voice. Prompter has sentences in English, German and Vietnamese."),
          ])), "Languages of at most 100 people."),
      .always("speaker", .speaker),
      .always(
        "record",
        .object([
          .maybe(
            "events", .count,
            "Number of events. Absent for a patient who is restricted to one person."),
          .maybe("head", .text, "Absent for a patient who is restricted to one person."),
          .always("writable", .flag),
        ])),
      .always(
        "machine",
        .object([
          .always("state_directory", .text),
          .always("configuration", .optional(.text), "Path of the configuration file."),
          .always("free_bytes", .optional(.count)),
          .always("total_bytes", .optional(.count)),
          .always("speech", .flag, "True if espeak-ng can speak a text that has no recording."),
          .always(
            "formats", .flag,
            "True if the package `prompter-formats` is installed. With this package, Prompter also "
              + "stores recordings in the formats of telephones and browsers, for example M4A."),
          .always("missing_recordings", .list(.text)),
        ])),
      .maybe(
        "archive_link",
        .object([
          .always(
            "state", .word(["collecting", "paused", "waiting", "refused", "unreadable"]),
            "`collecting`: the last contact succeeded. `waiting`: the archive or the daemon could not be "
              + "reached. `refused`: the archive accepts no rows. `unreadable`: the state is not known."
          ),
          .always("study", .text, "The id of the study; empty if it is not known."),
          .always("archived_seq", .count, "Number of the newest event that the archive has."),
          .always("safe_seq", .count, "Number of the newest event in a backup of the archive."),
          .always("backlog", .count, "Number of events that the archive does not have."),
          .always("contact_utc", .optional(.instant), "The last reply of the archive."),
          .always("detail", .optional(.text), "The reason for the state."),
        ]),
        "Only if the record of this home goes to the archive of a study, and not for a patient with only "
          + "one person."),
      .always(
        "work",
        .list(
          .object([
            .always("what", .word(["verify", "export", "backup"])),
            .always("done", .count, "Number of events that are processed."),
            .always("total", .count),
          ])), "Long operations on the record that are in progress."),
      .always(
        "you",
        .object([
          .always("id", .text),
          .always("name", .optional(.text), "The user name; null if the device does not know it."),
          .always("role", .text, "The first role in `roles`."),
          .always("roles", .list(.text), "All roles; one of them must permit the request."),
          .always(
            "person", .optional(.text),
            "The only person whose data the user sees; null: the user sees the data of all "
              + "people."),
        ]),
        "The user who sent the request, as the daemon identifies the user."),
    ]))

  static let tone = JSONSchema.named(
    "Tone",
    .object([
      .always("name", .text), .always("sha256", .text), .always("duration_ms", .count),
      .always("loudness_lufs", .number),
    ]))
  static let toneShown = JSONSchema.named("ToneShown", .object([.always("tone", .tone)]))
  static let renameForm = JSONSchema.named("RenameForm", .object([.always("name", .text)]))
  static let toneList = JSONSchema.named(
    "ToneList",
    .object([
      .always("tones", .list(.tone)),
      .nextPage,
    ]))

  static let progress = JSONSchema.named(
    "Progress",
    .object([
      .always("date", .date), .always("zone", .text),
      .always(
        "people",
        .list(
          .named(
            "PersonProgress",
            .object([
              .always("person", .text), .always("done", .count, "Number of completed tasks."),
              .always("due", .count, "Number of tasks that were due so far."),
              .always(
                "planned", .count,
                "Number of tasks that are due in the whole day, without cancelled prompts."),
              .always("missed", .count), .always("declined", .count),
              .always("waiting", .count, "Number of tasks that are due and wait for an answer."),
              .always(
                "leftovers", .count,
                "Number of prompts of earlier days that still wait for an answer."),
              .always(
                "complete", .flag, "True if all tasks that are planned for the day are done."),
            ])))),
    ]))

  /// The schema of a row of the record. LOG.md explains the columns of a row.
  static let event = JSONSchema.named(
    "Event",
    .object([
      .always("seq", .integer(1...Int64.max)), .always("type", .text), .always("payload", .any),
    ]))

  /// The schema of the request that retires a device, and of the response to this request.
  static let retirement = JSONSchema.named(
    "Retirement",
    .object([
      .always(
        "head", .text,
        "The head of the backup: the value of the header field `X-Prompter-Head` in the response "
          + "to `GET /v1/backup`.")
    ]))

  static let verification = JSONSchema.named(
    "Verification",
    .object([
      .always("ok", .flag), .always("events", .count), .always("head", .text),
      .always("code", .text), .maybe("first_bad_seq", .integer(1...Int64.max)),
      .maybe("problem", .text), .always("elapsed_ms", .integer(0...Int64.max)),
      .always("gaps_ms", .integer(0...Int64.max)),
      .always("unexplained_ms", .integer(0...Int64.max)),
      .maybe(
        "purged_through_seq", .integer(1...Int64.max),
        "The sequence number of the last event of the purged range. Some events of this range are "
          + "still in the record, because the daemon needs them."),
      .maybe("purged_through_utc", .instant), .maybe("purged_events", .count),
      .maybe("purged_archive_sha256", .text, "SHA-256 of the newest archive."),
      .maybe(
        "export_seq", .optional(.integer(1...Int64.max)),
        "Only if the request has `manifest`: the sequence number of the event `export_made` of this "
          + "export; null if the record has no such event."),
    ]))

  static let purgePlan = JSONSchema.named(
    "PurgePlan",
    .object([
      .always(
        "through_seq", .count,
        "The sequence number of the last event of the range that the purge would cover. If nothing "
          + "can be purged: the end of the previous purge, or 0."),
      .always("through_utc", .optional(.instant)),
      .always("events", .count, "Number of events that would be removed."),
      .always(
        "kept", .count,
        "Number of events up to `through_seq` that would stay in the record, because the daemon "
          + "still needs them."),
      .always(
        "harvested_seq", .count,
        "The sequence number of the last event that was part of an export in the default layout."),
      .always(
        "refusal", .optional(.text),
        "The reason why nothing can be purged now; null: a purge is possible."),
    ]))

  static let purgeForm = JSONSchema.named(
    "PurgeForm",
    .object([
      .always(
        "through_seq", .integer(1...Int64.max),
        "The sequence number of the last event of the purge: the `through_seq` of the purge plan."),
      .always(
        "archive_sha256", .text,
        "SHA-256 of the archive that ends with the event `through_seq`, in hexadecimal."),
    ]))

  static let purged = JSONSchema.named(
    "Purged",
    .object([
      .always("through_seq", .integer(1...Int64.max)),
      .always("events", .count, "Number of removed events."),
      .always(
        "kept", .count,
        "Number of events up to `through_seq` that stay in the record, because the daemon still "
          + "needs them."),
    ]))

  /// The schema of an event in an archive file. The first line of the file is not an event, because
  /// this line contains information about the file.
  static let archivedEvent = JSONSchema.named(
    "ArchivedEvent",
    .object([
      .always("seq", .integer(1...Int64.max)),
      .always("payload", .text, "The payload, exactly as it was hashed."),
      .always("prev_hash", .text), .always("hash", .text),
      .maybe("salt", .text), .maybe("body", .text),
    ]))
}
