import Alarms

/// The schemas for the tasks of a day and for the summary of a day.
extension JSONSchema {
  static let day = JSONSchema.named(
    "Day",
    .object([
      .always("date", .date), .always("zone", .text),
      .always(
        "tasks",
        .list(
          .named(
            "DayTask",
            .object([
              .always(
                "prompt_id", .optional(.promptID),
                "The prompt of the task. Null: the daemon plans the prompt later."),
              .always("label", .text), .always("person", .text),
              .always("name", .text, "The name of the person."),
              .always("local", .text, "The due time in the home zone."),
              .always("state", .word(DayTask.State.allCases.map(\.rawValue))),
              .always("outcome", .optional(.outcome)),
              .always(
                "changed_local", .optional(.text),
                "The time of the answer, or the time until which the task is put off."),
              .always(
                "notified",
                .list(
                  .named(
                    "NotifiedContact",
                    .object([.always("contact", .text), .always("local", .text)]))),
                "The contacts that were notified of the task."),
            ])))),
    ]))

  static let summaries = JSONSchema.named(
    "Summaries",
    .object([
      .always("from", .date), .always("to", .date), .always("zone", .text),
      .always(
        "people",
        .list(
          .named(
            "PersonSummary", .object([.always("person", .text), .always("text", .text)])))),
    ]))
}
