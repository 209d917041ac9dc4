import ICalendar

/// Repairs the values of properties: texts in HTML, very long texts, rules with characters that are
/// not allowed, and values in the format of vCalendar 1.0.
struct PropertyRepair {
  private(set) var notes: NoteList
  /// False if the texts of the file are certainly not HTML.
  private var hasHTML = true

  /// The maximum length of a text in characters. The limits for the texts of an alarm are much
  /// lower, so this limit never shortens the text of an alarm.
  private static let longestText = 100_000
  /// The maximum number of characters that the reader keeps of an attachment. An alarm contains no
  /// attachment. Only a note shows the beginning of an attachment.
  private static let longestAttachment = 1_000

  init(notes: NoteList) { self.notes = notes }

  mutating func repaired(_ component: RepairedComponent) -> RepairedComponent {
    let isOld = component.line("VERSION")?.value.stripped.hasPrefix("1.") == true
    // Prompter writes no HTML into a calendar file. If Prompter exported this file, a `<` or `&` in
    // a text is an ordinary character, so the reader does not convert the text.
    hasHTML = component.line("PRODID")?.value.contains("Prompter") != true
    return repaired(component, isOld: isOld)
  }

  /// - Parameter isOld: true for a component of a file in vCalendar 1.0.
  private mutating func repaired(
    _ component: RepairedComponent, isOld: Bool
  ) -> RepairedComponent {
    var component = component
    for index in component.lines.indices { repair(&component.lines[index]) }
    useOtherDescription(&component)
    if isOld { VCalendar1.convert(&component, &notes) }
    component.components = component.components.map { repaired($0, isOld: isOld) }
    return component
  }

  private mutating func repair(_ line: inout ContentLine) {
    switch line.name {
    case "SUMMARY", "DESCRIPTION", "COMMENT", "LOCATION":
      cut(&line, Self.longestText)
      if hasHTML, let plain = HTMLText.plain(line.asText) {
        line.setText(plain)
        notes.addOnce(line.number, line.name, "HTML is read as plain text")
      }
    case "X-ALT-DESC", "STYLED-DESCRIPTION":
      cut(&line, Self.longestText)
    case "RRULE", "EXRULE":
      line.value = Self.rule(line.value)
    case "ATTACH", "IMAGE", "PHOTO":
      // An attachment can have several megabytes. A note shows only the beginning of the value, so
      // keep only the beginning.
      line.value = String(line.value.unicodeScalars.prefix(Self.longestAttachment))
    default: break
    }
  }

  private mutating func cut(_ line: inout ContentLine, _ length: Int) {
    guard line.value.unicodeScalars.count > length else { return }
    line.value = String(line.value.unicodeScalars.prefix(length))
    notes.add(line.number, line.name, "the text is cut after \(length) characters")
  }

  /// If the component has no description, copies the HTML description that Outlook wrote.
  private mutating func useOtherDescription(_ component: inout RepairedComponent) {
    let names: Set<String> = ["X-ALT-DESC", "STYLED-DESCRIPTION"]
    guard let other = component.lines.first(where: { names.contains($0.name) }) else { return }
    let text = HTMLText.plain(other.asText) ?? other.asText
    let isEmpty = component.line("DESCRIPTION")?.value.stripped.isEmpty ?? true
    component.lines.removeAll { names.contains($0.name) }
    guard isEmpty, !text.stripped.isEmpty else { return }
    component.lines.removeAll { $0.name == "DESCRIPTION" }
    var line = ContentLine(name: "DESCRIPTION", value: "", number: other.number)
    line.setText(text)
    component.lines.append(line)
  }

  /// Returns a part of a rule with commas between the values of its list. In the file, the values
  /// can be separated by blanks, or can be in quotation marks.
  private static func lists(_ part: String) -> String {
    let pair = part.split(separator: "=", maxSplits: 1).map { String($0).stripped }
    guard pair.count == 2, pair[0].uppercased().hasPrefix("BY") else { return part }
    let values = pair[1].split { $0.isWhitespace || $0 == "," || $0 == "\"" }
    return "\(pair[0])=" + values.joined(separator: ",")
  }

  /// Removes the blanks and the empty parts of a rule. For example, the rule `FREQ=DAILY;` has an
  /// empty part after the semicolon.
  private static func rule(_ value: String) -> String {
    let value = value.split(separator: ";").map { lists(String($0)) }.joined(separator: ";")
    let solid = String(
      String.UnicodeScalarView(value.unicodeScalars.filter { !$0.properties.isWhitespace }))
    // A rule without `=` is a rule of vCalendar 1.0. Blanks separate the parts of such a rule, so
    // keep these blanks.
    guard solid.contains("=") else { return value.stripped }
    return solid.split(separator: ";").map { part in
      String(part.drop { $0 == "," }.reversed().drop { $0 == "," }.reversed())
    }.joined(separator: ";")
  }
}

extension ContentLine {
  /// The value of the line as text, without escape sequences.
  var asText: String { ICalendarLine(name, [], value).text }

  mutating func setText(_ text: String) { value = ICalendarLine.text(name, text).value }
}
