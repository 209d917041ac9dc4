import Alarms

/// What is said of the home, its tones and its record.
extension Shape {
  static let status = Shape.named(
    "Status",
    .object([
      .always("version", .text), .always("state", .word(["ok", "degraded"])),
      .always("problems", .list(.text), "What would keep the next alarm from ringing."),
      .always("alarms", .count), .always("open_prompts", .count),
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
          .always("events", .count), .always("head", .text), .always("writable", .flag),
        ])),
      .always(
        "machine",
        .object([
          .always("state_directory", .text), .always("free_bytes", .optional(.count)),
          .always("total_bytes", .optional(.count)),
          .always("speech", .flag, "Whether words that nobody recorded can be spoken."),
          .always("missing_recordings", .list(.text)),
        ])),
      .always(
        "you", .object([.always("id", .text), .always("role", .text)]),
        "Whom the daemon takes the asker for."),
    ]))

  static let tone = Shape.named(
    "Tone",
    .object([
      .always("name", .text), .always("sha256", .text), .always("duration_ms", .count),
      .always("loudness_lufs", .number),
    ]))
  static let toneShown = Shape.named("ToneShown", .object([.always("tone", .tone)]))
  static let toneList = Shape.named("ToneList", .object([.always("tones", .list(.tone))]))

  /// One row of the record; its columns are described in LOG.md.
  static let event = Shape.named(
    "Event",
    .object([
      .always("seq", .integer(1...Int64.max)), .always("type", .text), .always("payload", .any),
    ]))

  static let verification = Shape.named(
    "Verification",
    .object([
      .always("ok", .flag), .always("events", .count), .always("head", .text),
      .maybe("first_bad_seq", .integer(1...Int64.max)),
    ]))
}
