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
      "Metrics for Prometheus. They contain no names and no typed words."),
    Route(
      .progress, .get, "/v1/progress", home,
      query: [Parameter("date", .date, "The day (default: today)."), .person],
      answers: .json(.progress),
      "Each person's progress on a day: tasks done, due so far and planned."),
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
      "New events of the record, as server-sent events. With `Last-Event-ID`, the stream continues after "
        + "that event."),
  ]
}
