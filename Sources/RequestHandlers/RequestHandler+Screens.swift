import API
import Alarms
import Engine
import JSONValue

/// The requests that only a screen sends.
extension RequestHandler {
  /// Records that a screen shows a prompt.
  func present(_ request: APIRequest) async throws -> APIResponse {
    let id = try await answerable(request)
    try request.requireNoFields()
    let now = ports.now()
    let environment = ports.environment()
    let decide: @Sendable (HomeState) throws(Refusal) -> Command = { home throws(Refusal) in
      if let id { return .present(id) }
      return .present(try home.calling(of: request.only, at: now.wall))
    }
    return try await carryOut(decide, by: request.actor) { reply, home in
      guard case .presented(let prompt) = reply else {
        preconditionFailure("the engine returned no prompt")
      }
      let texts = PromptTexts(
        home.alarm(prompt.id.alarm), photos: home.photos[prompt.id] ?? [])
      return .json(.prompt(prompt, texts, home.guide(to: prompt, at: now, environment)))
    }
  }
}
