/// How the home is.
extension Route {
  static let homeRoutes: [Route] = [
    Route(
      .status, .get, "/v1/status", everyone, answers: .json(.status),
      "Whether the daemon, its clock and its speaker are well."),
    Route(
      .openAPI, .get, "/v1/openapi.json", everyone, answers: .json(.any),
      "This contract, as an OpenAPI 3.1 document."),
  ]
}
