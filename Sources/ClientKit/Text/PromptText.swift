import JSONValue

/// Prompts as a caretaker and a patient read them.
package enum PromptText {
  package static func agenda(_ document: JSON) -> String {
    let agenda = document.list("agenda")
    if agenda.isEmpty { return "Nothing is due." }
    var table = Table("LOCAL TIME", "", "LABEL", "FOR", "STATE", "ZONE")
    for one in agenda {
      table.add(
        .init(TextFormat.local(one.text("local"))),
        .init(TextFormat.distance(one.text("utc")), .faint),
        .init(one.text("label")), .init(one.text("person")), expected(one),
        .init(one.text("zone")))
    }
    return table.text
  }

  private static func expected(_ row: JSON) -> Table.Cell {
    let silence = silence(row)
    return silence.isEmpty ? state(row) : .init(silence, .attention)
  }

  /// What will keep a due time silent; empty where nothing is known to.
  package static func silence(_ due: JSON) -> String {
    guard let cause = due["suppressed_by"]?.string else { return "" }
    let words = TextFormat.outcome(cause)
    return due["rings_local"]?.string.map { "\(words), rings \(TextFormat.local($0))" }
      ?? "silent, \(words)"
  }

  package static func list(_ document: JSON) -> String {
    let prompts = document.list("prompts")
    let waiting = document.count("waiting")
    let waits = waiting == 1 ? "1 waits for an answer." : "\(waiting) wait for an answer."
    if prompts.isEmpty { return "No such prompt." + (waiting > 0 ? " \(waits)" : "") }
    var table = Table("SCHEDULED", "LABEL", "STATE", "RINGS HEARD", "PROMPT")
    for one in prompts {
      table.add(
        .init(TextFormat.local(one.text("scheduled_local"))), .init(one.text("label")), state(one),
        .init(heard(one)), .init(one.text("id"), .faint))
    }
    let more = document["next_before"]?.string.map {
      "\nOlder ones: prompter prompts --before \(TextFormat.shellQuoted($0))"
    }
    return table.text + (waiting > 0 ? "\n\(waits)" : "") + (more ?? "")
  }

  /// After an answer was taken back: what the prompt is now.
  package static func takenBack(_ prompt: JSON) -> String {
    "Taken back. " + standing(prompt)
  }

  /// After an answer: what the prompt is now, and what became of its rings.
  package static func answered(_ prompt: JSON) -> String {
    standing(prompt) + " " + rings(prompt)
  }

  private static func standing(_ prompt: JSON) -> String {
    // While it rings, its next step is when a player that says nothing is given up.
    let next = prompt.text("state") == "ringing" ? nil : prompt["next_step_utc"]?.string
    let until = next.map { ", next \(TextFormat.distance($0))" } ?? ""
    let state = state(prompt)
    let shown = state.emphasis?(state.text) ?? state.text
    return "\"\(TextFormat.oneLine(prompt.text("label")))\": \(shown)\(until)."
  }

  /// What an answer did to the rings of its prompt, in a sentence or two.
  package static func rings(_ prompt: JSON) -> String {
    let rings = prompt["rings"] ?? .null
    let (pending, sounded) = (rings.count("stopped"), rings.count("sounded"))
    var parts: [String] = []
    if rings["sounding"]?.bool == true { parts.append("The sound was stopped.") }
    parts.append(
      pending == 0
        ? "No ring was pending." : "\(TextFormat.counted(pending, "ring")) will not sound.")
    parts.append(sounded == 0 ? "None had sounded." : "\(sounded) had sounded.")
    return parts.joined(separator: " ")
  }

  private static func heard(_ prompt: JSON) -> String {
    let sounded = prompt.count("rings_sounded")
    let failed = prompt.count("rings_failed")
    let delays = prompt.count("delays")
    return (failed > 0 ? "\(sounded), and \(failed) failed" : "\(sounded)")
      + (delays > 0 ? ", \(TextFormat.counted(delays, "delay"))" : "")
  }

  /// The outcome of a closed prompt, else its state.
  private static func state(_ prompt: JSON) -> Table.Cell {
    guard let outcome = prompt["outcome"]?.string else {
      let state = prompt.text("state")
      return .init(state, state == "planned" ? nil : .attention)
    }
    if prompt["announcement"]?.bool == true, outcome == "missed_no_response" {
      return .init("said")
    }
    let reason = prompt["reason"]?.string.flatMap {
      $0 == "none" ? nil : " (\(TextFormat.outcome($0)))"
    }
    let emphasis: Emphasis? =
      outcome.hasPrefix("completed") ? .good : outcome.hasPrefix("missed") ? .bad : nil
    return .init(TextFormat.outcome(outcome) + (reason ?? ""), emphasis)
  }
}
