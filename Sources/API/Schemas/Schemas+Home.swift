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
          ])), "What would keep the next alarm from ringing."),
      .always("alarms", .count), .always("open_prompts", .count),
      .always("waiting", .count, "Prompts that wait for an answer."),
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
                .always("watching", .flag, "Whether a stream of events is open."),
              ]))),
        ]), "For caretakers: who was last here."),
      .maybe(
        "inactive",
        .list(
          .object([
            .always("person", .text), .always("since_utc", .instant),
            .always("notified", .count, "How many contacts the daemon began to notify."),
            .always(
              "next_notification_utc", .optional(.instant), "When the next contact is notified."),
          ])), "For caretakers: who has answered nothing since a ring, where people would be told."),
      .always("sounding", .optional(.promptID)), .always("next_utc", .optional(.instant)),
      .always(
        "clock",
        .object([
          .always("utc", .instant), .always("state", .text),
          .always("error_ms", .optional(.integer)),
        ])),
      .always("zone", .text), .always("tzdata", .text),
      .always("speaker", .speaker),
      .always(
        "record",
        .object([
          .maybe(
            "events", .count,
            "Not for a patient who is tied to a person: it counts everybody's."),
          .maybe("head", .text, "Not for a patient who is tied to a person."),
          .always("writable", .flag),
        ])),
      .always(
        "machine",
        .object([
          .always("state_directory", .text),
          .always("configuration", .optional(.text), "The file that holds the settings."),
          .always("free_bytes", .optional(.count)),
          .always("total_bytes", .optional(.count)),
          .always("speech", .flag, "Whether words that nobody recorded can be spoken."),
          .always("missing_recordings", .list(.text)),
        ])),
      .always(
        "work",
        .list(
          .object([
            .always("what", .word(["verify", "export", "backup"])),
            .always("done", .count, "Events that are through."), .always("total", .count),
          ])), "Long work on the record that is under way."),
      .always(
        "you",
        .object([
          .always("id", .text), .always("role", .text, "The first of the roles."),
          .always("roles", .list(.text), "All roles; a request is served if one of them may ask."),
          .always("person", .optional(.text), "Whose things alone they see; null for everybody's."),
        ]),
        "Whom the daemon takes the asker for."),
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
              .always("person", .text), .always("done", .count, "Completed."),
              .always("due", .count, "Due so far."),
              .always("planned", .count, "Due in the whole day, without what was taken away."),
              .always("missed", .count), .always("declined", .count),
              .always("waiting", .count, "Due, and waiting for an answer."),
              .always("leftovers", .count, "Of earlier days, and still waiting."),
              .always("complete", .flag, "Whether everything planned for the day is done."),
            ])))),
    ]))

  /// A row of the record. LOG.md describes its columns.
  static let event = JSONSchema.named(
    "Event",
    .object([
      .always("seq", .integer(1...Int64.max)), .always("type", .text), .always("payload", .any),
    ]))

  /// The request that retires a device, and its response.
  static let retirement = JSONSchema.named(
    "Retirement",
    .object([.always("head", .text, "The head of the record that the backup ends with.")]))

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
        "Up to here events were purged, but for some."),
      .maybe("purged_through_utc", .instant), .maybe("purged_events", .count),
      .maybe("purged_archive_sha256", .text, "Of the newest archive."),
    ]))

  static let purgePlan = JSONSchema.named(
    "PurgePlan",
    .object([
      .always("through_seq", .count, "The last event that would go; 0 where none would."),
      .always("through_utc", .optional(.instant)),
      .always("events", .count, "Events that would go."),
      .always("kept", .count, "Events up to there that would stay."),
      .always("harvested_seq", .count, "The last event that an export has handed out."),
      .always("refusal", .optional(.text), "Why nothing can be purged now."),
    ]))

  static let purgeForm = JSONSchema.named(
    "PurgeForm",
    .object([
      .always("through_seq", .integer(1...Int64.max), "The last event that goes."),
      .always("archive_sha256", .text, "SHA-256 of the archive up to that event, in hex."),
    ]))

  static let purged = JSONSchema.named(
    "Purged",
    .object([
      .always("through_seq", .integer(1...Int64.max)),
      .always("events", .count, "Events that are gone."),
      .always("kept", .count, "Events up to there that stay."),
    ]))

  /// A line of an archive. The first line describes its content.
  static let archivedEvent = JSONSchema.named(
    "ArchivedEvent",
    .object([
      .always("seq", .integer(1...Int64.max)), .always("payload", .text, "As it was hashed."),
      .always("prev_hash", .text), .always("hash", .text),
      .maybe("salt", .text), .maybe("body", .text),
    ]))
}
