import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// The handlers of requests that a screen sends and that are not answers.
extension RequestHandler {
  /// Records that a screen shows a prompt.
  func present(_ request: APIRequest) async throws -> APIResponse {
    try await carryOutOnPrompt(request) { .present($0) }
  }

  /// Plays the spoken words of a prompt again, because a person wants to hear them again.
  func sayAgain(_ request: APIRequest) async throws -> APIResponse {
    guard againRate.takes(request.actor.id, at: ports.now().bootNanoseconds) else {
      throw Refusal(
        .limit,
        "cannot say the prompt again: the limit is \(Route.againPerHour) requests in an hour; try "
          + "again later")
    }
    return try await carryOutOnPrompt(request) { .sayAgain($0) }
  }

  /// Carries out a command on the prompt of a request. If the request contains no prompt id, the
  /// function uses the calling prompt. The response contains the prompt.
  private func carryOutOnPrompt(
    _ request: APIRequest, _ command: @escaping @Sendable (PromptID) -> Command
  ) async throws -> APIResponse {
    let id = try await answerable(request)
    try request.requireNoFields()
    let now = ports.now()
    let environment = ports.environment()
    let decide: @Sendable (HomeState) throws(Refusal) -> Command = { home throws(Refusal) in
      if let id { return command(id) }
      return command(try home.calling(of: request.only, at: now.wall))
    }
    return try await carryOut(decide, by: request.actor) { reply, home in
      guard case .prompt(let prompt) = reply else {
        preconditionFailure("the engine returned no prompt")
      }
      let texts = PromptTexts(
        home.alarm(prompt.id.alarm), photos: home.photos[prompt.id] ?? [])
      return .json(.prompt(prompt, texts, home.guide(to: prompt, at: now, environment)))
    }
  }
}
