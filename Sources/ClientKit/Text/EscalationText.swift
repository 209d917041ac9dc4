import EventCoding
import JSONValue

/// A chain as a caretaker reads it: what rings, who is told and when, what follows "on my way".
package enum EscalationText {
  /// Names and values of the lines that `show` prints.
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
          "tells",
          "\(tell.text("contact")), \(DurationText.text(passed)) after it begins, if nobody answers"
        ))
    }
    let again = alarm["complete_step"]?["words"]?.string ?? "all of it again"
    lines.append(("on my way", "holds \(alarm.text("complete_by")), then \(again)"))
    return lines
  }
}
