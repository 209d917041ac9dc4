import API
import JSONValue

/// Texts for caretakers and patients about prompts.
package enum PromptText {
  package static func agenda(_ document: JSON) -> String {
    let agenda = document.list("agenda")
    if agenda.isEmpty { return "Nothing is due." }
    var table = Table("LOCAL TIME", "", "LABEL", "FOR", "STATE", "ZONE")
    for one in agenda {
      table.add(
        .init(TextFormat.local(one.text("local"))),
        .init(TextFormat.nearDistance(one.text("utc")), .faint),
        .init(label(one)), .init(one.text("person")), expected(one),
        .init(one.text("zone")))
    }
    return table.text
  }

  private static func expected(_ row: JSON) -> Table.Cell {
    let suppression = suppressionText(row)
    return suppression.isEmpty ? state(row) : .init(suppression, .attention)
  }

  /// Returns the reason why a prompt will not ring at its due time. If the prompt will ring later,
  /// the text also contains the time of this later ring. If nothing prevents the ring, the text is
  /// empty.
  package static func suppressionText(_ due: JSON) -> String {
    guard let cause = due["suppressed_by"]?.string else { return "" }
    let words =
      cause == HiddenPhase.reason ? "because of the study" : TextFormat.outcome(cause)
    return due["rings_local"]?.string.map { "\(words), rings \(TextFormat.local($0))" }
      ?? "silent, \(words)"
  }

  /// Returns the label of a prompt. If the prompt is an early reminder, the text also contains the
  /// due time of its main prompt.
  private static func label(_ prompt: JSON) -> String {
    let event = prompt["leads_to_utc"]?.string.flatMap {
      TextFormat.time($0, zone: prompt.text("zone"))
    }
    return prompt.text("label") + (event.map { " (reminder for \($0))" } ?? "")
  }

  /// - Parameter empty: the sentence for an empty list.
  package static func list(_ document: JSON, empty: String) -> String {
    let prompts = document.list("prompts")
    let waiting = document.count("waiting")
    let waits = waiting == 1 ? "1 waits for an answer." : "\(waiting) wait for an answer."
    if prompts.isEmpty { return empty + (waiting > 0 ? " \(waits)" : "") }
    let isShared = Set(prompts.map { $0.text("person") }).count > 1
    var table =
      isShared
      ? Table("SCHEDULED", "LABEL", "FOR", "STATE", "RINGS", "PROMPT")
      : Table("SCHEDULED", "LABEL", "STATE", "RINGS", "PROMPT")
    for one in prompts {
      let who = isShared ? [Table.Cell(one.text("person"))] : []
      table.add(
        [.init(TextFormat.local(one.text("scheduled_local"))), .init(label(one))] + who
          + [state(one), .init(ringCounts(one)), .init(one.text("id"), .faint)])
    }
    let more = document["next_before"]?.string.map {
      "\nOlder ones: prompter prompts --before \(TextFormat.shellQuoted($0))"
    }
    return table.text + (waiting > 0 ? "\n\(waits)" : "") + (more ?? "")
  }

  /// Returns the text that a command prints after a screen has reported that it shows the prompt.
  package static func presented(_ prompt: JSON) -> String { "Shown. " + current(prompt) }

  /// Returns the text that a command prints after the daemon has played the spoken words of a
  /// prompt again.
  package static func saidAgain(_ prompt: JSON) -> String {
    "The device says it again. " + current(prompt)
  }

  /// Returns the text that a command prints after somebody has undone an answer to the prompt.
  package static func takenBack(_ prompt: JSON) -> String {
    "Taken back. " + current(prompt) + SupplyText.afterAnswer(prompt)
  }

  /// Returns the text that a command prints after an answer. The text contains the state of the
  /// prompt, the effect of the answer on the rings, and the other tasks of the person that still
  /// need an answer.
  package static func answered(_ prompt: JSON) -> String {
    let isCompleted = prompt.text("outcome").hasPrefix("completed")
    let open = prompt.list("still_open").compactMap(\.string)
    return current(prompt) + " " + rings(prompt)
      + (isCompleted ? SupplyText.afterAnswer(prompt) : "")
      + (open.isEmpty
        ? "" : " Still open: \(open.map(TextFormat.oneLine).joined(separator: "; ")).")
  }

  private static func current(_ prompt: JSON) -> String {
    let state = state(prompt)
    let shown = state.emphasis?(state.text) ?? state.text
    return "\"\(TextFormat.oneLine(label(prompt)))\": \(shown)\(next(prompt))."
  }

  /// Returns the next action of the daemon for an open prompt, and the local time of this action;
  /// empty if there is no action to show.
  private static func next(_ prompt: JSON) -> String {
    let state = prompt.text("state")
    // While the prompt rings, `next_step_utc` is the time limit for the report of the player about
    // the end of the ring. The text does not show this time.
    guard prompt["outcome"]?.string == nil, state != "ringing",
      let utc = prompt["next_step_utc"]?.string,
      let time = TextFormat.time(utc, zone: prompt.text("zone"))
    else { return "" }
    if prompt["next_notification_utc"]?.string == utc {
      return "; the next contact is notified at \(time)"
    }
    return switch state {
    case "delayed": "; it rings again at \(time)"
    case "acknowledged": "; it rings again at \(time) unless it is completed"
    case "expiring": "; can still be answered until \(time)"
    case "held": " until \(time)"
    default: "; the next ring is at \(time)"
    }
  }

  /// Returns the effect of an answer on the rings of its prompt, in one to three sentences.
  package static func rings(_ prompt: JSON) -> String {
    let rings = prompt["rings"] ?? .null
    let (pending, sounded) = (rings.count("stopped"), rings.count("sounded"))
    var parts: [String] = []
    if rings["sounding"]?.bool == true { parts.append("The sound was stopped.") }
    // After "later" or "on my way", the prompt can ring again. Therefore, the text after these
    // answers does not contain the number of cancelled rings. A person who reads this number could
    // think that no ring follows.
    if !["delayed", "acknowledged"].contains(prompt.text("state")) {
      parts.append(
        pending == 0
          ? "No other ring was planned."
          : "\(TextFormat.counted(pending, "ring")) \(pending == 1 ? "is" : "are") cancelled.")
    }
    switch sounded {
    case 0: parts.append("It did not ring.")
    case 1: parts.append("It rang once.")
    default: parts.append("It rang \(sounded) times.")
    }
    return parts.joined(separator: " ")
  }

  private static func ringCounts(_ prompt: JSON) -> String {
    let sounded = prompt.count("rings_sounded")
    let failed = prompt.count("rings_failed")
    let delays = prompt.count("delays")
    // If a ring fails after its start, `rings_sounded` and `rings_failed` both count this ring.
    return (failed > 0 ? "\(sounded) began, \(failed) failed" : "\(sounded)")
      + (delays > 0 ? ", \(TextFormat.counted(delays, "delay"))" : "")
  }

  /// Returns the outcome of a closed prompt; the state of an open prompt.
  private static func state(_ prompt: JSON) -> Table.Cell {
    guard let outcome = prompt["outcome"]?.string else {
      let state = prompt.text("state")
      let words =
        switch state {
        case "delayed": "put off"
        case "acknowledged": "on the way"
        case "expiring": "rang out"
        case "held": "held back"
        default: state
        }
      return .init(words, state == "planned" ? nil : .attention)
    }
    if prompt["announcement"]?.bool == true, outcome == "missed_no_response" {
      return .init("said")
    }
    let reason = prompt["reason"]?.string.flatMap {
      ["none", "caretaker_override"].contains($0) ? nil : " (\(TextFormat.outcome($0)))"
    }
    let emphasis: Emphasis? =
      outcome.hasPrefix("completed") ? .good : outcome.hasPrefix("missed") ? .bad : nil
    return .init(TextFormat.outcome(outcome) + (reason ?? ""), emphasis)
  }
}
