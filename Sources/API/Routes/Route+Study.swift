import Alarms

/// The routes for the participants and the data of studies.
extension Route {
  static let studyRoutes: [Route] = [
    Route(
      .listParticipants, .get, "/v1/study/participants", [.researcher],
      answers: .json(.participantList),
      "All enrolments in studies, current and ended, sorted by person."),
    Route(
      .enrol, .post, "/v1/study/participants", [.researcher], takes: .json(.enrolmentForm),
      status: 201, answers: .json(.participantList),
      "Enrols a person in a study. In an export, a row about the person contains the id of the "
        + "study if the time of the row is in the enrolment."
    ),
    Route(
      .withdraw, .post, "/v1/study/participants/withdraw", [.researcher],
      takes: .json(.withdrawalForm), answers: .json(.participantList),
      "Withdraws a person from a study and ends the person's phases. The person's alarms continue, "
        + "but they no longer belong to the study."
    ),
    Route(
      .erase, .post, "/v1/study/erase", [], takes: .json(.erasureForm), answers: .json(.erased),
      "Erases texts or a person's identity permanently. The events and the hash chain stay."),
    Route(
      .rekey, .post, "/v1/study/rekey", [], answers: .json(.rekeyed),
      "Gives all people and devices new pseudonyms. From now on, all data that leave the device "
        + "contain the new pseudonyms. This includes data about past events."
    ),
    Route(
      .unblind, .post, "/v1/study/unblind", [], takes: .json(.unblinding),
      answers: .json(.participantList),
      "Unblinds a study: from now on, lists and exports contain the arms instead of their codes. The "
        + "record contains who unblinded the study. Nobody can undo it."),
    Route(
      .noteStudy, .post, "/v1/study/notes", [.caretaker, .researcher], takes: .json(.studyNoteForm),
      status: 201, answers: .json(.studyNote),
      "Records a protocol deviation or an adverse event of a participant."),
    Route(
      .crossover, .post, "/v1/study/crossover", [.researcher], takes: .json(.crossoverForm),
      status: 201, answers: .json(.phaseList),
      "Plans all phases of a person in a crossover study: prompted phases and control phases, in "
        + "the order of the field `order`."),
    Route(
      .importDiary, .post, "/v1/study/diary", [.researcher],
      query: [
        Parameter(
          "older", .word(["yes"]),
          "Also import entries that equal an earlier, corrected entry of the record. Without this "
            + "parameter, an older file changes nothing.")
      ], takes: .bytes(["text/csv"]), bodyLimit: Route.diaryBody, answers: .json(.diaryImported),
      "Imports the diary of a care partner (a family member or friend). If one entry has a fault, "
        + "the daemon imports no entry. The daemon skips entries that it recorded before."
    ),
    Route(
      .series, .get, "/v1/study/series", [.caretaker, .researcher],
      query: [
        .person, Parameter("question", .text, "The name of the question."),
        Parameter("from", .date, "Only responses on this day of the home zone or later."),
        Parameter("to", .date, "Only responses on this day or earlier."),
        Parameter("points", .integer(1...2_000), "Maximum number of points (default: 200)."),
      ],
      answers: .json(.series),
      "A person's responses to one question as a list of points, oldest first. Usually, each point "
        + "is one response. If there are more responses than `points`, a point is the mean of "
        + "several responses."
    ),
  ]

  /// The routes for responses to the questions of a prompt.
  static let responseRoutes: [Route] = [
    Route(
      .listResponses, .get, "/v1/prompts/{id}/responses", readers,
      answers: .json(.responseList),
      "All responses to the questions of a prompt, oldest first. The list includes responses that "
        + "somebody corrected later."
    ),
    Route(
      .respond, .post, "/v1/prompts/{id}/responses", home, takes: .json(.responseForm),
      answers: .json(.answered),
      "Records responses to the questions of a prompt, or corrects earlier responses. The daemon "
        + "also accepts responses after the end of the prompt, but not after a cancellation."),
  ]
}
