import Alarms
import CivilTime
import Wire

/// `/v1/prompts`.
extension FrontDesk {
  func prompts(_ request: WireRequest) throws -> WireResponse {
    var filter = PromptFilter(limit: try request.integer("limit", in: 1...1_000) ?? 100)
    if let text = request.query["state"] {
      guard let state = PromptFilter.State(rawValue: text) else {
        let known = PromptFilter.State.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.invalidField, field: "state", "\"\(text)\" is not one of: \(known)")
      }
      filter.state = state
    }
    if let text = request.query["before"] {
      guard let id = PromptID(text) else {
        throw Refusal(.invalidField, field: "before", "\"\(text)\" names no prompt")
      }
      filter.before = id
    }
    let found = try archive.prompts(filter)
    var document = JSON.object([
      (
        "prompts",
        .array(found.map { .prompt($0.prompt, label: $0.label, person: $0.person) })
      )
    ])
    if found.count == filter.limit, let last = found.last {
      document.set("next_before", .string(last.prompt.id.description))
    }
    return .json(document)
  }

  func showPrompt(_ request: WireRequest) throws -> WireResponse {
    guard let id = try request.promptID(), let found = try archive.prompt(id) else {
      throw Refusal(.notFound, "there is no prompt \"\(request.parameters["id"] ?? "")\"")
    }
    return .json(.prompt(found.prompt, label: found.label, person: found.person))
  }

  func takeAnswer(_ request: WireRequest) async throws -> WireResponse {
    let command = Command.answer(
      try request.promptID(), try Answer(request.operation, body: request.body))
    guard case .answered(let result) = try await hallway.obey(command, by: request.actor) else {
      preconditionFailure("an answer was taken without being answered")
    }
    let alarm = await hallway.look { home, _ in home.alarm(result.prompt.id.alarm) }
    return .json(
      answered(result, label: alarm?.label ?? "", person: alarm?.person.text ?? ""))
  }

  func answered(_ result: AnsweredPrompt, label: String, person: String) -> JSON {
    var document = JSON.prompt(result.prompt, label: label, person: person)
    document.set("rings", .stopped(result.stopped))
    return document
  }
}
