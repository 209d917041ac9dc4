import Alarms

/// Alarms, and the next due times.
extension Route {
  static let alarmRoutes: [Route] = [
    Route(
      .listAlarms, .get, "/v1/alarms", [.caretaker, .researcher],
      query: [.limit(5_000), .after, .person], answers: .json(.alarmList),
      "All alarms that are set, by label."),
    Route(
      .addAlarm, .post, "/v1/alarms", [.caretaker], takes: .json(.alarmForm), status: 201,
      answers: .json(.alarmSet), "Sets an alarm; answers with its next rings."),
    Route(
      .showAlarm, .get, "/v1/alarms/{id}", [.caretaker, .researcher],
      answers: .json(.alarmShown), isVersioned: true, "One alarm and its next rings."),
    Route(
      .editAlarm, .put, "/v1/alarms/{id}", [.caretaker], takes: .json(.alarmForm),
      answers: .json(.alarmSet), isVersioned: true, "Changes the named fields of an alarm."),
    Route(
      .removeAlarm, .delete, "/v1/alarms/{id}", [.caretaker], answers: .json(.alarmRemoved),
      isVersioned: true, "Removes an alarm; its record stays. Says what was stopped."),
    Route(
      .alarmVersions, .get, "/v1/alarms/{id}/versions", [.caretaker, .researcher],
      answers: .json(.alarmVersions),
      "All versions of an alarm, oldest first, also of one that was removed."),
    Route(
      .whyAlarm, .get, "/v1/alarms/{id}/why", [.caretaker, .researcher],
      query: [
        Parameter(
          "at", .text,
          "A time in the alarm's zone: `2026-12-01 08:00`, `08:00`, `yesterday 08:00`; now unless "
            + "it is said.")
      ], answers: .json(.why), "Why an alarm rang at a time, will ring, or does not."),
    Route(
      .agenda, .get, "/v1/agenda", home, query: [.limit(1_000), .after, .person],
      answers: .json(.agenda),
      "What is due next, in order."),
    Route(
      .preview, .post, "/v1/alarms/preview", [.caretaker, .researcher], takes: .json(.alarmForm),
      answers: .json(.preview), "What an alarm would do, without setting it."),
  ]
}
