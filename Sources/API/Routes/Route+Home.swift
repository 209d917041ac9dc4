import Alarms

/// The routes for the state of the home.
extension Route {
  static let homeRoutes: [Route] = [
    Route(
      .status, .get, "/v1/status", everyone.union([.courier]), answers: .json(.status),
      "The state of the daemon, its clock and its speaker, with all problems. A courier gets no problems "
        + "and no lists, because they can contain words that a person typed."),
    Route(
      .openAPI, .get, "/v1/openapi.json", everyone.union([.analyst, .courier]),
      answers: .json(.any),
      "This API as an OpenAPI 3.1 document."),
    Route(
      .metrics, .get, "/v1/metrics", [.monitor], answers: .bytes(["text/plain"]),
      "Metrics for Prometheus. The metrics contain no names and no texts that a person typed."),
    Route(
      .progress, .get, "/v1/progress", home,
      query: [Parameter("date", .date, "The day (default: today)."), .person],
      answers: .json(.progress),
      "For each person, the numbers of tasks of one day. Examples: the number of planned tasks, of "
        + "tasks that were due so far, and of completed tasks."),
    Route(
      .day, .get, "/v1/day", [.caretaker],
      query: [Parameter("date", .date, "The day (default: today)."), .person],
      answers: .json(.day),
      "All tasks of a day. The day begins and ends at midnight in the home zone. For each task, "
        + "the response contains the outcome and the contacts that were notified."),
    Route(
      .summary, .get, "/v1/summary", [.caretaker],
      query: [
        Parameter("date", .date, "The last day of the summary (default: today)."),
        Parameter("days", .integer(1...31), "Number of days (default: 1)."), .person,
      ],
      answers: .json(.summaries), "A summary of one or several days in plain sentences."),
    Route(
      .events, .get, "/v1/events", readers.union([.courier]),
      query: [
        Parameter(
          "after", .count,
          "The stream begins with the event after this sequence number (default: only new events).")
      ],
      answers: .events,
      "New events of the record, as server-sent events. If the request contains the header field "
        + "`Last-Event-ID`, the stream begins with the event after the event with this id. A courier gets "
        + "only the sequence number of each event."),
  ]
}
