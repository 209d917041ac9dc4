import Alarms
import CivilTime
import JSONValue

extension JSON {
  /// The reason why an alarm rang, will ring, or does not ring.
  ///
  /// - Parameter userName: a function that returns the name of a user for the id of the actor. The
  ///   function returns nil if the name is not known.
  public static func why(
    _ why: Why, alarm: AlarmID, label: String, at: Instant, zone: Zone,
    userName: (_ actor: String) -> String?
  ) -> JSON {
    func local(_ instant: Instant) -> JSON {
      .string(zone.civil(at: instant).dateTime.description)
    }
    return .object([
      ("alarm_id", .string(alarm.text)), ("label", .string(label)),
      ("at_utc", .string(at.description)), ("at_local", local(at)), ("zone", .string(zone.name)),
      ("verdict", .string(why.verdict.rawValue)), ("summary", .string(why.summary)),
      ("prompt_id", .optional(why.prompt?.description)),
      ("due_utc", .optional(why.dueAt?.description)), ("rule", .optional(why.rule)),
      (
        "reasons",
        .array(
          why.reasons.map {
            .object([
              ("utc", .string($0.at.description)), ("local", local($0.at)),
              ("role", .string($0.actor.role.rawValue)), ("by", .string($0.actor.id)),
              ("by_name", .optional(userName($0.actor.id))),
              ("type", .string($0.type)), ("text", .string($0.text)),
            ])
          })
      ),
      ("before", why.before.map { .occurrence($0, zone: zone) } ?? .null),
      ("after", why.after.map { .occurrence($0, zone: zone) } ?? .null),
    ])
  }
}

extension JSONSchema {
  static let why = JSONSchema.named(
    "Why",
    .object([
      .always("alarm_id", .text), .always("label", .text), .always("at_utc", .instant),
      .always("at_local", .localTime), .always("zone", .text),
      .always(
        "verdict", .word(Why.Verdict.allCases.map(\.rawValue)),
        "What happened or will happen."),
      .always("summary", .text, "The explanation in one or two sentences."),
      .always("prompt_id", .optional(.promptID)), .always("due_utc", .optional(.instant)),
      .always(
        "rule", .optional(.text),
        "The schedule in words, the user who set this schedule, and the time at which the user "
          + "set it."),
      .always(
        "reasons",
        .list(
          .named(
            "WhyReason",
            .object([
              .always("utc", .instant), .always("local", .localTime), .always("role", .text),
              .always("by", .text),
              .always(
                "by_name", .optional(.text),
                "The name of the user; null if the device does not know the user."),
              .always("type", .text, "The type of the event."),
              .always("text", .text),
            ]))), "What happened, oldest first."),
      .always(
        "before", .optional(.occurrence),
        "The last due time before `at_utc`."),
      .always(
        "after", .optional(.occurrence),
        "The next due time after `at_utc`."),
    ]))
}
