import EventCoding
import JSONValue

/// Texts about an escalation: its rings, its contacts, and the effect of "on my way".
package enum EscalationText {
  /// Returns the names and values of the lines that `prompter show` prints about the escalation.
  package static func lines(_ alarm: JSON) -> [(String, String)] {
    var lines: [(String, String)] = []
    for (index, step) in alarm.list("steps").enumerated() {
      lines.append((index == 0 ? "rings" : "then", step.text("words")))
    }
    var passed: Int64 = 0
    for tell in alarm.list("tell") {
      passed += DurationText.seconds(tell.text("after")) ?? 0
      lines.append(
        (
          "notifies",
          "\(tell.text("contact")), \(DurationText.text(passed)) after it begins, if nobody answers"
        ))
    }
    let again = alarm["complete_step"]?["words"]?.string ?? "all rings again"
    lines.append(("on my way", "no rings for \(alarm.text("complete_by")), then \(again)"))
    return lines
  }
}
