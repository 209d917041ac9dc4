import ClientKit
import ICalendar
import JSONValue

/// The text that an import prints.
struct CalendarImportText {
  let result: CalendarImport.Result
  /// True if the import was only a trial and changed nothing.
  let isTrial: Bool

  func print(asJSON: Bool) {
    if asJSON { return Terminal.print(json: result.json) }
    var lines = result.alarms.map(text) + result.removed.map(text)
    if lines.isEmpty { lines.append("The file contains no alarm.") }
    lines += result.notes.map { "Note: \($0)." }
    if isTrial { lines.append("This was a trial: nothing was changed.") }
    Terminal.print(lines.joined(separator: "\n"))
  }

  private func text(_ document: JSON) -> String {
    let alarm = document["alarm"] ?? .null
    let label = "\"\(TextFormat.oneLine(alarm.text("label")))\""
    let changes = document.list("changes").compactMap(\.string).joined(separator: ", ")
    switch document.text("action") {
    case "unchanged": return "Unchanged: \(label), alarm \(alarm.text("id"))."
    case "removed":
      return "\(isTrial ? "Would remove" : "Removed"): \(label), alarm \(alarm.text("id")): "
        + "\(document.text("reason"))."
    case "changed" where isTrial:
      return "Would change: \(label), alarm \(alarm.text("id")): \(changes)."
    case "changed":
      return AlarmText.saved(document, verb: "Changed" + (changes.isEmpty ? "" : " (\(changes))"))
    case _ where isTrial:
      return "Would set: \(label), \(document.text("explanation"))."
    default: return AlarmText.saved(document, verb: "Set")
    }
  }
}
