import API
import Alarms
import ClientKit
import JSONValue

/// Finds a prompt by its id, by the label of its alarm or by the beginning of its id.
struct PromptNames {
  /// The prompts among which `PromptNames` searches for a name.
  enum Range {
    /// The prompts that wait for an answer.
    case waiting
    /// The prompts that wait for an answer. If the name matches none of these prompts, it can mean
    /// a planned prompt.
    case waitingOrPlanned
    /// For each alarm, the newest prompt that is due or has ended.
    case answered
  }

  /// The maximum number of prompts that the function searches.
  private static let most = "1000"

  let range: Range
  let connection: ConnectionOptions

  /// Returns the id of the prompt with this name; `current` if the name is nil.
  ///
  /// - Throws: `Failure` if no prompt or several prompts match. With `--queue`, the command stores
  ///   the change and does not connect to the home, so the function cannot search for a label.
  ///   Therefore the function also throws if the user typed `--queue` and the name is not an id.
  func id(_ name: String?) throws -> String {
    guard let name, name != "current" else { return "current" }
    if PromptID(name) != nil { return name }
    if connection.queue {
      throw Failure.badUsage("--queue needs the id of the prompt; its label is not enough")
    }
    switch try found(name) {
    case .one(let prompt): return prompt.id
    case .several(let prompts): throw NameList.ambiguous(name, prompts, "prompts")
    case .none(let nearest):
      let what =
        range == .answered
        ? "no answered prompt has the name \"\(name)\""
        : "no prompt with the name \"\(name)\" waits for an answer"
      let hint =
        nearest.map { "; did you mean \"\(TextFormat.oneLine($0))\"?" }
        ?? "; list the prompts that wait: prompter prompts --current"
      throw Failure.refused(what + hint)
    }
  }

  /// Searches for the prompts that the name can mean.
  func found(_ name: String) throws -> NameList.Found {
    switch range {
    case .waiting: return try list("current").find(name)
    case .waitingOrPlanned:
      let waiting = try list("current").find(name)
      guard case .none = waiting else { return waiting }
      let planned = try list("upcoming").find(name)
      if case .none(nil) = planned { return waiting }
      return planned
    case .answered: return try list(nil).find(name)
    }
  }

  private func list(_ state: String?) throws -> NameList {
    let request = Request(.listPrompts, query: [("state", state), ("limit", Self.most)])
    var prompts = try connection.client.send(request).document().list("prompts")
    if state == nil {
      var seen: Set<String> = []
      prompts = prompts.filter {
        $0.text("state") != "planned" && seen.insert($0.text("alarm_id")).inserted
      }
    }
    let isShared = Set(prompts.map { $0.text("person") }).count > 1
    return NameList(
      prompts.map { prompt in
        let who = isShared ? "for \(prompt.text("person")), " : ""
        return NameList.Row(
          id: prompt.text("id"), label: prompt.text("label"),
          words: who + TextFormat.local(prompt.text("scheduled_local")))
      })
  }
}
