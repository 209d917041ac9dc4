import Alarms

/// The routes for the state of the home.
extension Route {
  static let homeRoutes: [Route] = [
    Route(
      .status, .get, "/v1/status", everyone, answers: .json(.status),
      "The state of the daemon, its clock and its speaker, with all problems."),
    Route(
      .openAPI, .get, "/v1/openapi.json", everyone, answers: .json(.any),
      "This API as an OpenAPI 3.1 document."),
    Route(
      .metrics, .get, "/v1/metrics", [.monitor], answers: .bytes(["text/plain"]),
      "Metrics for Prometheus. The metrics contain no names and no texts that a person typed."),
    Route(
      .progress, .get, "/v1/progress", home,
      query: [Parameter("date", .date, "The day (default: today)."), .person],
      answers: .json(.progress),
      "For each person, three numbers for one day: the planned tasks, the tasks that were due "
        + "until now, and the completed tasks."),
    Route(
      .day, .get, "/v1/day", [.caretaker],
      query: [Parameter("date", .date, "The day (default: today)."), .person],
      answers: .json(.day),
      "All tasks of a day in the home zone, with their results and the notified contacts."),
    Route(
      .summary, .get, "/v1/summary", [.caretaker],
      query: [
        Parameter("date", .date, "The last day of the summary (default: today)."),
        Parameter("days", .integer(1...31), "Number of days (default: 1)."), .person,
      ],
      answers: .json(.summaries), "A summary of one or several days in plain sentences."),
    Route(
      .events, .get, "/v1/events", readers,
      query: [
        Parameter(
          "after", .count, "Send the events after this sequence number (default: only new events).")
      ],
      answers: .events,
      "New events of the record, as server-sent events. If the request contains the header field "
        + "`Last-Event-ID`, the stream begins with the event after this event."),
  ]
}
