import Alarms

/// The people for whom alarms are set.
extension Route {
  static let personRoutes: [Route] = [
    Route(
      .listPeople, .get, "/v1/people", readers, query: [.limit(1_000), .after],
      answers: .json(.personList),
      "Whom the alarms are for."),
    Route(
      .addPerson, .post, "/v1/people", [], takes: .json(.newPerson), status: 201,
      answers: .json(.personShown), isVersioned: true, "Adds a person to the home."),
    Route(
      .showPerson, .get, "/v1/people/{id}", readers, answers: .json(.personShown),
      isVersioned: true, "One person."),
    Route(
      .changePerson, .put, "/v1/people/{id}", [.caretaker], takes: .json(.personForm),
      answers: .json(.personShown), isVersioned: true,
      "Changes the named fields of a person: name, language, zone, tone, quiet hours, caps."),
    Route(
      .removePerson, .delete, "/v1/people/{id}", [], answers: .json(.personShown),
      "Removes a person who has no alarms; their record stays."),
    Route(
      .ownData, .get, "/v1/people/{id}/data", [.patient, .caretaker],
      answers: .bytes(["application/x-tar"]),
      "All that is recorded of a person, words included, as a tar stream: a page to read, the tables "
        + "behind it, their pictures. A patient gets their own, where "
        + "the configuration says who they are or nobody else lives in the home."),
  ]

  /// The phases of a study.
  static let phaseRoutes: [Route] = [
    Route(
      .listPhases, .get, "/v1/study/phases", [.researcher],
      query: [Parameter("person", .text, "Only of this person.")],
      answers: .json(.phaseList), "The phases of the study, by person and time."),
    Route(
      .setPhase, .post, "/v1/study/phases", [.researcher], takes: .json(.phaseForm), status: 201,
      answers: .json(.phaseList),
      "Begins or plans a person's next phase; an overlap or a hole is refused."),
    Route(
      .endPhase, .post, "/v1/study/phases/end", [.researcher], takes: .json(.phaseEnd),
      answers: .json(.phaseList), "Ends a person's last phase."),
  ]
}
