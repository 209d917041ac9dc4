import Alarms

/// The state of the home.
extension Route {
  static let homeRoutes: [Route] = [
    Route(
      .status, .get, "/v1/status", everyone, answers: .json(.status),
      "Whether the daemon, its clock and its speaker are well."),
    Route(
      .openAPI, .get, "/v1/openapi.json", everyone, answers: .json(.any),
      "This contract, as an OpenAPI 3.1 document."),
    Route(
      .metrics, .get, "/v1/metrics", [.monitor], answers: .bytes(["text/plain"]),
      "Numbers for Prometheus, without a name or a word of anybody's."),
    Route(
      .progress, .get, "/v1/progress", home,
      query: [Parameter("date", .date, "The day; today unless it is said."), .person],
      answers: .json(.progress),
      "How far each person is with the day: done, due so far and planned."),
    Route(
      .events, .get, "/v1/events", readers,
      query: [
        Parameter(
          "after", .count, "Replay from after this sequence number; from now on unless it is said.")
      ],
      answers: .events,
      "The record as it grows, as server-sent events; `Last-Event-ID` goes on after that one."),
  ]
}
