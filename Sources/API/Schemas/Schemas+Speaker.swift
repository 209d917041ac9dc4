import Alarms

/// Schemas of the loudspeakers.
extension JSONSchema {
  static let speaker = JSONSchema.named(
    "Speaker",
    .object([
      .always("usable", .optional(.flag), "Null until one was tried."),
      .always("device", .optional(.text), "The one last heard, else the first that works."),
      .always("trouble", .optional(.text), "Why none can be used."),
      .always("last_heard_utc", .optional(.instant)),
      .always("devices", .list(.speakerDevice)),
      .always(
        "fallbacks", .list(.fallback), "What stood in, newest last, until a ring goes by without."),
    ]))

  private static let percent = JSONSchema.integer(0...100)

  private static let speakerDevice = JSONSchema.named(
    "SpeakerDevice",
    .object([
      .always("name", .text), .always("usable", .flag),
      .always("trouble", .optional(.text), "What the last self-test found wrong."),
      .always("level_percent", .optional(percent), "How loud its card was found."),
      .always("muted", .optional(.flag)),
      .always("ring_level_percent", .optional(percent), "How loud it was set for the last ring."),
      .always(
        "calibrated_percent", .optional(percent),
        "How loud a listener settled that it is made; null where the configuration says it."),
      .always("tested_utc", .optional(.instant)), .always("last_heard_utc", .optional(.instant)),
    ]))

  private static let fallback = JSONSchema.named(
    "StandIn",
    .object([
      .always("utc", .instant), .always("prompt_id", .optional(.promptID)),
      .always("from", .text), .always("to", .text), .always("reason", .text),
    ]))
}
