import Alarms

/// Schemas of studies and questions.
extension JSONSchema {
  static let participant = JSONSchema.named(
    "Participant",
    .object([
      .always("person", .text), .always("study", .text),
      .always("pseudonym", .text, "The participant's code; empty where it was erased."),
      .always("arm", .optional(.text)), .always("from_utc", .instant),
      .always("to_utc", .optional(.instant), "Null while open."),
      .always("withdrawn", .flag), .always("current", .flag),
    ]))

  static let participantList = JSONSchema.named(
    "ParticipantList", .object([.always("participants", .list(.participant))]))

  static let enrolmentForm = JSONSchema.named(
    "EnrolmentForm",
    .object([
      .always("person", .text),
      .always("pseudonym", .text, "A code that says nothing of the person."),
      .maybe("study", .text, "The study's id; `study` where it is left out."),
      .maybe("arm", .text),
      .maybe("start", .text, "Like `2026-12-01`; now where it is left out."),
      .maybe("end", .text, "Open where it is left out."),
    ]))

  static let withdrawalForm = JSONSchema.named(
    "WithdrawalForm",
    .object([
      .always("person", .text), .maybe("reason", .text, "At most 500 characters, 2,048 bytes."),
      .maybe("erase", .flag, "Whether their words are erased, too."),
    ]))

  static let erasureForm = JSONSchema.named(
    "ErasureForm",
    .object([
      .maybe("alarm", .text, "An alarm that was removed, instead of a person."),
      .maybe("person", .text),
      .maybe(
        "scope", .word(["words", "identity"]),
        "All words but those of alarms that are set; or who somebody was who was removed."),
    ]))

  static let erased = JSONSchema.named(
    "Erased",
    .object([
      .always("scope", .word(["alarm", "words", "identity"])),
      .always("alarms_kept", .count, "Alarms of the person that ring on, with their words."),
    ]))

  static let rekeyed = JSONSchema.named(
    "Rekeyed",
    .object([.always("rekeyed", .flag, "Always true: a failure is a problem document.")]))

  static let diaryImported = JSONSchema.named(
    "DiaryImported",
    .object([
      .always("new", .count), .always("corrected", .count),
      .always("unchanged", .count, "Entries that the record had already."),
    ]))

  static let crossoverForm = JSONSchema.named(
    "CrossoverForm",
    .object([
      .always("person", .text), .maybe("start", .text, "A date; now where it is left out."),
      .always("days", .integer(1...366), "How long each phase is."),
      .always("order", .text, "A for prompted, B for control: `AB`, `BA`, `ABBA`."),
    ]))

  static let question = JSONSchema.named(
    "Question",
    .object([
      .always("name", .text, "Its variable in the data."), .always("text", .text),
      .always("kind", .word(Alarms.Question.Kind.names)),
      .maybe("unit", .text, "Of a number or a temperature: a UCUM code."),
      .maybe("min", .number, "Of a number or a scale."), .maybe("max", .number),
      .maybe(
        "choices",
        .list(
          .named("Choice", .object([.always("name", .text), .always("text", .text)])))),
      .maybe("required", .flag),
    ]))

  static let responseForm = JSONSchema.named(
    "ResponseForm",
    .object([
      .always(
        "responses",
        .list(
          .named(
            "ResponseGiven",
            .object([
              .always("question", .text),
              .always(
                "value", .any,
                "A number, true or false, a word, a list of choices; a text stands for any of them."
              ),
            ])))),
      .maybe("complete", .flag, "Whether the task is done, too."),
    ]))

  static let responseList = JSONSchema.named(
    "ResponseList",
    .object([
      .always("questions", .list(.question), "What the prompt asks."),
      .always(
        "responses",
        .list(
          .named(
            "Response",
            .object([
              .always("seq", .count), .always("question", .text),
              .always("number", .count, "1 for the first, more for corrections."),
              .always("current", .flag, "Whether it is the newest."),
              .always("value", .any), .always("unit", .optional(.text)),
              .always("by", .text, "The role of who gave it."), .always("utc", .instant),
            ])))),
    ]))

  static let series = JSONSchema.named(
    "Series",
    .object([
      .always("person", .text), .always("question", .text), .always("unit", .optional(.text)),
      .always("answers", .count, "How many answers the points stand for."),
      .always(
        "points",
        .list(
          .named(
            "SeriesPoint",
            .object([
              .always("utc", .instant), .always("value", .number, "The mean of its answers."),
              .always("min", .number), .always("max", .number), .always("count", .count),
            ])))),
    ]))
}
