import Alarms

/// Schemas of people and their phases.
extension JSONSchema {
  static let person = JSONSchema.named(
    "Person",
    .object([
      .always("id", .text), .always("version", .count), .always("name", .text),
      .always("language", .optional(.text), "BCP 47."),
      .always("zone", .text, "The zone they live by."), .always("tone", .optional(.text)),
      .always("quiet_hours", .optional(.text), "Like `22:00-07:00`."),
      .always("quiet_policy", .optional(.word(QuietPolicy.allCases.map(\.rawValue)))),
      .always("rings_per_hour", .integer(1...1_000_000), "Most rings in any hour."),
      .always(
        "inactivity_hours", .optional(.integer(1...168)),
        "After so many hours without an answer people are told."),
      .always("inactivity_tell", .list(.notify), "Who, in order."),
      .always(
        "inactive_since_utc", .optional(.instant),
        "When the first ring began to which nothing was answered, where people would be told."),
      .always("inactivity_notified", .count, "How many of them it was begun to tell of it."),
      .always("phase", .optional(.word(StudyPhase.Kind.allCases.map(\.rawValue)))),
      .always("alarms", .count, "How many are theirs."),
    ]))

  private static let personFields: [Field] = [
    .maybe("name", .text, "One line, at most 100 characters, 512 bytes."),
    .maybe("language", .text, "BCP 47."),
    .maybe("zone", .text, "A tzdata zone; empty for the home's."),
    .maybe("tone", .text, "For alarms that name none; empty for the built-in one."),
    .maybe("quiet_hours", .text, "Like `22:00-07:00`; empty or `none` ends them."),
    .maybe("quiet_policy", .word(QuietPolicy.allCases.map(\.rawValue))),
    .maybe("rings_per_hour", .integer, "1 to 240; 0 for the home's own."),
    .maybe(
      "inactivity_hours", .integer,
      "1 to 168; after so many without an answer people are told. 0: nobody is."),
    .maybe(
      "inactivity_tell", .any,
      "Who is told then: words such as `anna after 0s, then bob after 30m`, or a list of objects."),
  ]

  static let personForm = JSONSchema.named("PersonForm", .object(personFields))

  static let newPerson = JSONSchema.named(
    "NewPerson",
    .object(
      [
        .always(
          "id", .text, "What alarms call them; 1 to 64 letters a to z, digits, `.`, `-` and `_`.")
      ] + personFields))

  static let personShown = JSONSchema.named("PersonShown", .object([.always("person", .person)]))

  static let personList = JSONSchema.named(
    "PersonList", .object([.always("people", .list(.person)), .nextPage]))

  static let phase = JSONSchema.named(
    "Phase",
    .object([
      .always("person", .text), .always("kind", .word(StudyPhase.Kind.allCases.map(\.rawValue))),
      .always("from_utc", .instant), .always("to_utc", .optional(.instant), "Null while open."),
      .always("current", .flag),
    ]))

  static let phaseForm = JSONSchema.named(
    "PhaseForm",
    .object([
      .always("person", .text),
      .always("kind", .word(StudyPhase.Kind.allCases.map(\.rawValue))),
      .maybe("from", .text, "Like `2026-12-01`; else the end of the phase before, else now."),
      .maybe("to", .text, "Open where it is left out."),
    ]))

  static let phaseEnd = JSONSchema.named(
    "PhaseEnd",
    .object([.always("person", .text), .maybe("at", .text, "Now where it is left out.")]))

  static let phaseList = JSONSchema.named("PhaseList", .object([.always("phases", .list(.phase))]))
}
