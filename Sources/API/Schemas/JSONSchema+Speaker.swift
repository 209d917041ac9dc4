import Alarms

/// Schemas of the loudspeakers.
extension JSONSchema {
  static let speaker = JSONSchema.named(
    "Speaker",
    .object([
      .always(
        "usable", .optional(.flag),
        "True if at least one sound device works. Null if no sound device was tested yet."),
      .always(
        "device", .optional(.text),
        "The sound device that sounded last. If no sound device has sounded yet: the first sound "
          + "device that works."
      ),
      .always("trouble", .optional(.text), "The reason why no sound device can be used."),
      .always("last_heard_utc", .optional(.instant)),
      .always("devices", .list(.speakerDevice)),
      .always(
        "fallbacks", .list(.fallback),
        "Fallbacks, newest last. The list is empty after a ring that needed no fallback."),
    ]))

  private static let percent = JSONSchema.integer(0...100)

  private static let speakerDevice = JSONSchema.named(
    "SpeakerDevice",
    .object([
      .always("name", .text), .always("usable", .flag),
      .always("trouble", .optional(.text), "The fault that the last self-test found."),
      .always(
        "level_percent", .optional(percent), "Level of the sound card before the last ring or test."
      ),
      .always("muted", .optional(.flag)),
      .always(
        "ring_level_percent", .optional(percent),
        "Level to which the card was set for the last ring."),
      .always(
        "calibrated_percent", .optional(percent),
        "Level that a caretaker set for all rings; null: the level of the configuration."),
      .always("tested_utc", .optional(.instant)), .always("last_heard_utc", .optional(.instant)),
    ]))

  private static let fallback = JSONSchema.named(
    "StandIn",
    .object([
      .always("utc", .instant), .always("prompt_id", .optional(.promptID)),
      .always("from", .text), .always("to", .text), .always("reason", .text),
    ]))
}
