import Alarms
import JSONValue

/// Texts about supplies for caretakers and patients.
package enum SupplyText {
  package static func list(_ document: JSON) -> String {
    let supplies = document.list("supplies")
    if supplies.isEmpty { return "This home has no supplies." }
    var table = Table("SUPPLY", "LEFT", "LASTS", "LOW AT", "USED BY", "NOTIFIES")
    for supply in supplies {
      table.add(
        .init(supply.text("name")),
        .init(left(supply), supply["low"]?.bool == true ? .bad : nil), .init(lasts(supply)),
        .init(supply["low_at"]?.integer.map(String.init) ?? "-"), .init(users(supply)),
        .init(told(supply)))
    }
    return table.text
  }

  /// Returns the text that a command prints after it has changed a supply.
  package static func saved(_ document: JSON, verb: String) -> String {
    let supply = document["supply"] ?? .null
    let days = lasts(supply)
    let until = days == "-" ? "" : ", \(days)"
    var lines = ["\(verb): \(sentence(supply, name: "name"))\(until)."]
    if let lowAt = supply["low_at"]?.integer {
      let contacts = told(supply)
      lines.append(
        contacts == "nobody"
          ? "The configuration has no such contact: nobody is notified when it becomes low. "
            + "\"prompter status\" shows it."
          : "When \(lowAt) or less is left, the daemon notifies \(contacts).")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the remaining amounts after an answer, one sentence for each supply. The text is empty
  /// if the alarm uses no supply.
  package static func afterAnswer(_ prompt: JSON) -> String {
    prompt.list("supplies").map { supply in
      let sentence = sentence(supply, name: "supply")
      return " \(sentence.prefix(1).uppercased())\(sentence.dropFirst())."
    }.joined()
  }

  /// Returns the supplies that an alarm uses, in the form in which a person types these supplies.
  package static func uses(_ alarm: JSON) -> String {
    alarm.list("uses").map { "\($0.text("supply"))=\($0.text("amount"))" }.joined(separator: ", ")
  }

  private static func sentence(_ supply: JSON, name: String) -> String {
    Supply.leftWords(
      supply["left"]?.integer ?? 0, unit: TextFormat.oneLine(supply.text("unit")),
      of: TextFormat.oneLine(supply.text(name)))
  }

  private static func left(_ supply: JSON) -> String {
    Supply.words(supply["left"]?.integer ?? 0, unit: supply.text("unit"))
  }

  /// Returns the time until the supply is too small for a task, in words. The text is `-` if this
  /// time is not known.
  private static func lasts(_ supply: JSON) -> String {
    guard let days = supply["lasts_days"]?.integer else { return "-" }
    switch days {
    case 0: return "less than 1 day"
    case Int64(HomeState.supplyDays)...: return "more than a year"
    default: return "about \(TextFormat.counted(Int(days), "day"))"
    }
  }

  private static func users(_ supply: JSON) -> String {
    let users = supply.list("used_by").map { "\($0.text("label")) (\($0.text("amount")))" }
    return users.isEmpty ? "-" : users.joined(separator: ", ")
  }

  private static func told(_ supply: JSON) -> String {
    guard supply["low_at"]?.integer != nil else { return "-" }
    let contacts = supply.list("told").compactMap(\.string)
    return contacts.isEmpty ? "nobody" : TextFormat.oneLine(contacts.joined(separator: ", "))
  }
}
