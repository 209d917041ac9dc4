import Alarms

/// The routes for alarms and for the next due times.
extension Route {
  static let alarmRoutes: [Route] = [
    Route(
      .listAlarms, .get, "/v1/alarms", [.caretaker, .researcher],
      query: [
        .limit(5_000), .after, .person,
        Parameter(
          "cancelled", .word(["yes"]),
          "`yes`: instead, the removed alarms whose calendar event was cancelled."),
      ], answers: .json(.alarmList),
      "All alarms that nobody removed, sorted by label."),
    Route(
      .addAlarm, .post, "/v1/alarms", [.caretaker], takes: .json(.newAlarmForm), status: 201,
      answers: .json(.alarmSet),
      "Adds an alarm. The response contains the times of its next rings."),
    Route(
      .showAlarm, .get, "/v1/alarms/{id}", [.caretaker, .researcher],
      answers: .json(.alarmShown), isVersioned: true,
      "One alarm, with the times of its next rings."),
    Route(
      .editAlarm, .put, "/v1/alarms/{id}", [.caretaker], takes: .json(.alarmEdit),
      answers: .json(.alarmSet), isVersioned: true,
      "Changes those fields of an alarm that the request contains."),
    Route(
      .removeAlarm, .delete, "/v1/alarms/{id}", [.caretaker], answers: .json(.alarmRemoved),
      isVersioned: true,
      "Removes an alarm and returns the prompts that ended because of the removal. The events of "
        + "the alarm stay in the record."
    ),
    Route(
      .alarmVersions, .get, "/v1/alarms/{id}/versions", [.caretaker, .researcher],
      answers: .json(.alarmVersions),
      "All versions of an alarm, oldest first. You can also request the versions of a removed "
        + "alarm."),
    Route(
      .whyAlarm, .get, "/v1/alarms/{id}/why", [.caretaker, .researcher],
      query: [
        Parameter(
          "at", .text,
          "A time in the alarm's zone, for example `2026-12-01 08:00`, `08:00` or `yesterday "
            + "08:00` (default: now).")
      ], answers: .json(.why),
      "Explains why an alarm rang or did not ring at a time in the past, or why it will ring or "
        + "will not ring at a time in the future."),
    Route(
      .agenda, .get, "/v1/agenda", home, query: [.limit(1_000), .after, .person],
      answers: .json(.agenda),
      "All open prompts. The list is sorted by the time at which the daemon must handle each "
        + "prompt next, for example the time of its next ring."),
    Route(
      .preview, .post, "/v1/alarms/preview", [.caretaker, .researcher], takes: .json(.previewForm),
      answers: .json(.preview),
      "The due times that an alarm would have. The daemon does not add the alarm."),
  ]
}
