import Alarms

/// The routes for the people for whom alarms are set.
extension Route {
  static let personRoutes: [Route] = [
    Route(
      .listPeople, .get, "/v1/people", readers, query: [.limit(1_000), .after],
      answers: .json(.personList),
      "The people of the home."),
    Route(
      .addPerson, .post, "/v1/people", [], takes: .json(.newPerson), status: 201,
      answers: .json(.personSet), isVersioned: true, "Adds a person to the home."),
    Route(
      .showPerson, .get, "/v1/people/{id}", readers, answers: .json(.personShown),
      isVersioned: true, "One person."),
    Route(
      .changePerson, .put, "/v1/people/{id}", [.caretaker], takes: .json(.personForm),
      answers: .json(.personSet), isVersioned: true,
      "Changes those fields of a person that the request contains: name, language, zone, tone, "
        + "quiet hours, hourly limit, inactivity."),
    Route(
      .removePerson, .delete, "/v1/people/{id}", [], answers: .json(.personSet),
      "Removes a person who has no alarms. The person's events stay in the record."),
    Route(
      .pausePerson, .put, "/v1/people/{id}/pause", [.caretaker], takes: .json(.pauseForm),
      answers: .json(.pauseShown),
      "Silences all alarms of a person until the time `until`, or until somebody ends the pause. "
        + "The due prompts of these alarms end."
    ),
    Route(
      .resumePerson, .delete, "/v1/people/{id}/pause", [.caretaker], answers: .json(.pauseShown),
      "Ends the pause of a person. The pauses of single alarms do not end."),
    Route(
      .pauseEverybody, .put, "/v1/pause", [.caretaker], takes: .json(.pauseForm),
      answers: .json(.pauseShown),
      "Silences the alarms of all people of the home until the time `until`, or until somebody "
        + "ends the pauses."
    ),
    Route(
      .resumeEverybody, .delete, "/v1/pause", [.caretaker], answers: .json(.pauseShown),
      "Ends the pauses of all people. The pauses of single alarms do not end."),
    Route(
      .ownData, .get, "/v1/people/{id}/data", [.patient, .caretaker],
      answers: .bytes(["application/x-tar"]),
      "All recorded data of a person, including the typed texts, as a tar archive: a web page, the "
        + "tables and the pictures. If the configuration restricts a patient to one person, the "
        + "patient gets only the data of this person. A patient who is not restricted to one person "
        + "gets data only if nobody else lives in the home."),
  ]

  /// The routes for the phases of a study.
  static let phaseRoutes: [Route] = [
    Route(
      .listPhases, .get, "/v1/study/phases", [.researcher],
      query: [Parameter("person", .text, "Only phases of this person.")],
      answers: .json(.phaseList), "The phases of the study, sorted by person and time."),
    Route(
      .setPhase, .post, "/v1/study/phases", [.researcher], takes: .json(.phaseForm), status: 201,
      answers: .json(.phaseList),
      "Begins or plans a person's next phase. The phase must not overlap another phase. If the "
        + "last phase ends in the future, the new phase must begin at this end. If the last phase "
        + "has no end, the new phase ends the last phase."
    ),
    Route(
      .endPhase, .post, "/v1/study/phases/end", [.researcher], takes: .json(.phaseEnd),
      answers: .json(.phaseList),
      "Ends a person's phase, now or at the time `at`. The daemon removes all phases of the person "
        + "that would begin at this time or later."),
  ]
}
