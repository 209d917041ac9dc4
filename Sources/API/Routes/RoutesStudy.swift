import Alarms

/// Studies: participants and data.
extension Route {
  static let studyRoutes: [Route] = [
    Route(
      .listParticipants, .get, "/v1/study/participants", [.researcher],
      answers: .json(.participantList), "Who takes or took part in a study, oldest first."),
    Route(
      .enrol, .post, "/v1/study/participants", [.researcher], takes: .json(.enrolmentForm),
      status: 201, answers: .json(.participantList),
      "Enrols a person: their rows carry the study's id from then on."),
    Route(
      .withdraw, .post, "/v1/study/participants/withdraw", [.researcher],
      takes: .json(.withdrawalForm), answers: .json(.participantList),
      "Ends a person's part in a study, and its phases; their prompts go on as care."),
    Route(
      .erase, .post, "/v1/study/erase", [], takes: .json(.erasureForm), answers: .json(.erased),
      "Erases words, or who somebody was, for good; the record stays whole."),
    Route(
      .rekey, .post, "/v1/study/rekey", [], answers: .json(.rekeyed),
      "Gives everybody new pseudonyms in all that leaves the device from now on, also about the past."
    ),
    Route(
      .crossover, .post, "/v1/study/crossover", [.researcher], takes: .json(.crossoverForm),
      status: 201, answers: .json(.phaseList), "Plans all phases of a crossover."),
    Route(
      .importDiary, .post, "/v1/study/diary", [.researcher], takes: .bytes(["text/csv"]),
      bodyLimit: Route.diaryBody, answers: .json(.diaryImported),
      "Records a care partner's diary: all of it or nothing, and nothing twice."),
    Route(
      .series, .get, "/v1/study/series", [.caretaker, .researcher],
      query: [
        .person, Parameter("question", .text, "The question's name."),
        Parameter("from", .date, "Only answers from this day of the home's zone on."),
        Parameter("to", .date, "Only answers up to this day."),
        Parameter(
          "points", .integer(1...2_000), "At most so many points; 200 unless it is said."),
      ],
      answers: .json(.series),
      "The newest answers to one question over time, summed up where there are too many."),
  ]

  /// Responses to the questions of a prompt.
  static let responseRoutes: [Route] = [
    Route(
      .listResponses, .get, "/v1/prompts/{id}/responses", readers,
      answers: .json(.responseList),
      "What was answered to the questions of a prompt, corrections included, oldest first."),
    Route(
      .respond, .post, "/v1/prompts/{id}/responses", home, takes: .json(.responseForm),
      answers: .json(.answered),
      "Answers questions of a prompt, or corrects answers, also when it is over."),
  ]
}
