import Alarms

/// The recordings that speak.
extension Route {
  static let toneRoutes: [Route] = [
    Route(
      .listTones, .get, "/v1/tones", home, query: [.limit(500), .after(.text)],
      answers: .json(.toneList), "The stored recordings."),
    Route(
      .addTone, .put, "/v1/tones/{name}", [.caretaker],
      takes: .bytes([
        "audio/wav", "audio/flac", "audio/ogg", "audio/mpeg", "application/octet-stream",
      ]),
      bodyLimit: Route.uploadBody, status: 201, answers: .json(.toneShown),
      "Checks, normalises and stores a recording."),
    Route(
      .removeTone, .delete, "/v1/tones/{name}", [.caretaker], answers: .json(.toneShown),
      "Removes a recording no alarm uses."),
  ]
}
