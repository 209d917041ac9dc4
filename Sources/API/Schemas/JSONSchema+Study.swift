import Alarms

/// Schemas of studies and questions.
extension JSONSchema {
  static let participant = JSONSchema.named(
    "Participant",
    .object([
      .always("person", .text), .always("study", .text),
      .always("pseudonym", .text, "The participant's code; empty if it was erased."),
      .always("arm", .optional(.text), "The arm, or its code while the study is blinded."),
      .always(
        "blinded", .flag, "True if `arm` is the code of the arm: nobody has unblinded the study."),
      .always(
        "allocation_sha256", .optional(.text),
        "The SHA-256 of the allocation list from which the arm comes. Null: no list, or the study is "
          + "blinded."),
      .always("consent", .optional(.text), "The version of the consent form."),
      .always(
        "consent_scope", .list(.word(ConsentScope.allCases.map(\.rawValue))),
        "What the person consented to; empty if nobody gave it."),
      .always(
        "hides_phases", .flag,
        "True if patients and caretakers do not see the names of the phases until the enrolment ends."
      ),
      .always("from_utc", .instant),
      .always("to_utc", .optional(.instant), "Null: no end."),
      .always("withdrawn", .flag), .always("current", .flag),
      .always("from_local", .localTime),
      .always("to_local", .optional(.localTime), "Null: no end."),
      .always("zone", .text, "The zone of the local times: the zone of the person."),
    ]))

  static let participantList = JSONSchema.named(
    "ParticipantList", .object([.always("participants", .list(.participant))]))

  static let enrolmentForm = JSONSchema.named(
    "EnrolmentForm",
    .object([
      .always("person", .text),
      .always("pseudonym", .text, "A code for this person. The code must not identify the person."),
      .maybe("study", .text, "The id of the study (default: `study`)."),
      .maybe("arm", .text),
      .maybe(
        "arm_code", .text,
        "The code of the arm for a blinded study, for example `X`. Only an administrator can use this "
          + "field. Lists and exports contain the code instead of the arm until the study is unblinded."
      ),
      .maybe(
        "allocation_sha256", .text,
        "The SHA-256 of the allocation list from which the arm comes, in hex. The other enrolments of the "
          + "study in this home must have the same digest."),
      .maybe("consent", .text, "The version of the consent form, for example `2.1`."),
      .maybe(
        "consent_scope", .text,
        "What the person consented to: one or more of "
          + ConsentScope.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
          + ", with a comma between two."),
      .maybe(
        "hides_phases", .flag,
        "True: patients and caretakers do not see the names of the phases until the enrolment ends "
          + "(default: false)."),
      .maybe("start", .text, "Start of the enrolment, for example `2026-12-01` (default: now)."),
      .maybe(
        "end", .text,
        "End of the enrolment: a date such as `2027-03-01` (this whole day belongs to the "
          + "enrolment), or a date and time (default: no end)."),
    ]))

  static let withdrawalForm = JSONSchema.named(
    "WithdrawalForm",
    .object([
      .always("person", .text),
      .maybe(
        "reason", .text,
        "The reason for the withdrawal: at most 500 characters and at most 2,048 bytes."),
      .maybe(
        "code", .word(WithdrawalCode.allCases.map(\.rawValue)),
        "The reason as a code. The code stays in the record after an erasure of the reason."),
      .maybe(
        "data_use", .word(DataUse.allCases.map(\.rawValue)),
        "What the study may still use: the data `until_withdrawal`, or `none`. Reports and scripts "
          + "leave out a person with `none`."),
      .maybe("erase", .flag, "True: also erase the texts about the person."),
    ]))

  static let unblinding = JSONSchema.named(
    "Unblinding", .object([.always("study", .text, "The id of the study.")]))

  static let studyNoteForm = JSONSchema.named(
    "StudyNoteForm",
    .object([
      .always("person", .text),
      .always("kind", .word(StudyNote.Kind.allCases.map(\.rawValue))),
      .always("text", .text, "What happened: 1 to 2,000 characters. The text can be erased."),
      .maybe("serious", .flag, "True for a serious adverse event."),
    ]))

  static let studyNote = JSONSchema.named(
    "StudyNote",
    .object([
      .always("person", .text),
      .always("kind", .word(StudyNote.Kind.allCases.map(\.rawValue))), .always("serious", .flag),
    ]))

  static let erasureForm = JSONSchema.named(
    "ErasureForm",
    .object([
      .maybe(
        "alarm", .text,
        "The id of a removed alarm. The daemon erases the texts of this alarm. Use either this "
          + "field or `person`."),
      .maybe("person", .text),
      .maybe(
        "scope", .word(["words", "identity"]),
        "`words`: erase the texts about the person. The texts of existing alarms, the name and the "
          + "code in the study stay. `identity`: erase the name of a removed person, the code in "
          + "the study, and the link between the person and the pseudonym in the record."
      ),
    ]))

  static let erased = JSONSchema.named(
    "Erased",
    .object([
      .always("scope", .word(["alarm", "words", "identity"])),
      .always(
        "alarms_kept", .count, "Number of existing alarms of the person; their texts are kept."),
    ]))

  static let rekeyed = JSONSchema.named(
    "Rekeyed",
    .object([
      .always(
        "rekeyed", .flag, "Always true. If the request fails, the response is a problem document.")
    ]))

  static let diaryImported = JSONSchema.named(
    "DiaryImported",
    .object([
      .always("new", .count), .always("corrected", .count),
      .always(
        "unchanged", .count,
        "Number of entries that the daemon skipped, because they were imported before."),
      .always(
        "older", .count,
        "Number of entries that the daemon skipped, because each of them equals an earlier, corrected "
          + "entry."),
    ]))

  static let crossoverForm = JSONSchema.named(
    "CrossoverForm",
    .object([
      .always("person", .text),
      .maybe(
        "start", .text,
        "Start of the first phase: a date (the phase begins at its midnight), a date and time, "
          + "`today 18:00` or `now` (default: now). Prompter refuses the date of today."),
      .always("days", .integer(1...366), "Length of each phase, in days."),
      .always(
        "order", .text,
        "The order of the phases: A for a prompted phase, B for a control phase. For example "
          + "`AB`, `BA` or `ABBA`. If the arm of the person is an order, it must be the same."),
      .maybe(
        "run_in_days", .integer(1...366),
        "Length of a run-in before the first phase (default: none)."),
      .maybe(
        "washout_days", .integer(1...366),
        "Length of a wash-out between two phases of the order (default: none)."),
      .maybe(
        "follow_up_days", .integer(1...366),
        "Length of a follow-up after the last phase (default: none)."),
    ]))

  static let question = JSONSchema.named(
    "Question",
    .object([
      .always("name", .text, "The name of the question in the data."), .always("text", .text),
      .always("kind", .word(Alarms.Question.Kind.names)),
      .maybe("unit", .text, "For a number or a temperature: a UCUM code."),
      .maybe("min", .number, "The smallest number, for a number or a scale."),
      .maybe("max", .number),
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
                "A number, true or false, a word, or a list of choices. You can also write each of them as a text."
              ),
            ])))),
      .maybe("complete", .flag, "True if the request also completes the task."),
    ]))

  static let responseList = JSONSchema.named(
    "ResponseList",
    .object([
      .always("questions", .list(.question), "The questions of the prompt."),
      .always(
        "answers_required", .flag,
        "True if the required questions must be answered before \"done\"."),
      .always(
        "responses",
        .list(
          .named(
            "Response",
            .object([
              .always("seq", .count), .always("question", .text),
              .always("number", .count, "1 for the first response, 2 or more for a correction."),
              .always("current", .flag, "True for the newest response to the question."),
              .always("value", .any), .always("unit", .optional(.text)),
              .always("by", .text, "The role of the user who gave the response."),
              .always("utc", .instant),
            ])))),
    ]))

  static let series = JSONSchema.named(
    "Series",
    .object([
      .always("person", .text), .always("question", .text), .always("unit", .optional(.text)),
      .always("answers", .count, "Number of responses in all points together."),
      .always(
        "points",
        .list(
          .named(
            "SeriesPoint",
            .object([
              .always("utc", .instant),
              .always("value", .number, "The mean of the responses of the point."),
              .always("min", .number), .always("max", .number), .always("count", .count),
            ])))),
    ]))
}
