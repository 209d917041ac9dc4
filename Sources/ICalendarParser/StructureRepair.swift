import ICalendar

/// A component whose lines BEGIN and END form a pair. libical has not read this component yet.
struct RepairedComponent {
  var name: String
  var lines: [ContentLine] = []
  var components: [RepairedComponent] = []
  var number: Int

  init(_ name: String, number: Int) {
    self.name = name
    self.number = number
  }

  func line(_ name: String) -> ContentLine? { lines.first { $0.name == name } }
}

/// Puts the lines of a file into components. In the file, some BEGIN and END lines can be missing,
/// and some can be unnecessary.
///
/// At each END, libical closes the innermost component, and ignores the name after END. If the END
/// of an event is missing, libical would put all later events into this event. As a result, the
/// import would lose the later events.
struct StructureRepair {
  private(set) var components: [RepairedComponent] = []
  private(set) var notes = NoteList()
  private var open: [RepairedComponent] = []
  private var hasCalendar = false
  private var ignored: (count: Int, first: Int) = (0, 0)

  /// The maximum depth of nested components. RFC 5545 defines only three levels: VCALENDAR, VEVENT,
  /// VALARM.
  private static let deepest = 8
  /// The names of the components that can be only in a VCALENDAR.
  private static let inCalendar: Set<String> = [
    "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE", "VAVAILABILITY",
  ]
  /// The names of the components that cannot be in a component of the same kind.
  private static let leaves: Set<String> = ["VALARM", "STANDARD", "DAYLIGHT"]
  private static let texts: Set<String> = [
    "DESCRIPTION", "COMMENT", "SUMMARY", "LOCATION", "X-ALT-DESC",
  ]

  init(_ lines: [(number: Int, bytes: ArraySlice<UInt8>)]) {
    for (number, bytes) in lines {
      guard let line = ContentLine(bytes, number: number) else {
        readRest(bytes, number)
        continue
      }
      switch line.name {
      case "BEGIN": begin(Self.component(line.value), number)
      case "END": end(Self.component(line.value), number)
      default: add(line)
      }
    }
    while !open.isEmpty { closeIncomplete() }
    noteIgnoredLines()
  }

  /// Returns the name of the component in a line BEGIN or END. In some files, other characters
  /// follow the name. The result does not contain these characters.
  private static func component(_ value: String) -> String {
    String(decoding: value.stripped.utf8.prefix(while: ContentLine.isNameByte), as: UTF8.self)
      .uppercased()
  }

  private mutating func begin(_ name: String, _ number: Int) {
    if name == "VCALENDAR" {
      while !open.isEmpty { closeIncomplete() }
      noteIgnoredLines()
      hasCalendar = true
    } else if Self.inCalendar.contains(name) {
      while let last = open.last, last.name != "VCALENDAR" { closeIncomplete() }
      if open.isEmpty {
        notes.add(number, "VCALENDAR", "BEGIN:VCALENDAR is missing before this \(name)")
        noteIgnoredLines()
        open.append(RepairedComponent("VCALENDAR", number: number))
        hasCalendar = true
      }
    } else if let last = open.last, Self.leaves.contains(last.name), Self.leaves.contains(name) {
      closeIncomplete()
    }
    if open.count == Self.deepest { notes.add(number, name, "left out: it is nested too deeply") }
    open.append(RepairedComponent(name, number: number))
  }

  private mutating func end(_ name: String, _ number: Int) {
    guard let place = open.lastIndex(where: { $0.name == name || name.isEmpty }) else {
      notes.add(number, "END", "there is no open \(name) here")
      return
    }
    while open.count > place + 1 { closeIncomplete() }
    close()
  }

  private mutating func closeIncomplete() {
    if let last = open.last { notes.add(last.number, last.name, "it has no END") }
    close()
  }

  private mutating func close() {
    let component = open.removeLast()
    if open.count >= Self.deepest { return }
    if open.isEmpty {
      components.append(component)
    } else {
      open[open.count - 1].components.append(component)
    }
  }

  private mutating func add(_ line: ContentLine) {
    if open.isEmpty {
      ignore(line.number)
      return
    }
    if let fault = line.fault { notes.addOnce(line.number, line.name, fault) }
    open[open.count - 1].lines.append(line)
  }

  /// Reads a line that is not a property. Some programs write a text with line breaks that are not
  /// folded. Therefore, if the line follows a property with a text, the line is a part of this
  /// text.
  private mutating func readRest(_ bytes: ArraySlice<UInt8>, _ number: Int) {
    guard let component = open.last else {
      ignore(number)
      return
    }
    let text = CalendarEncoding.text(bytes, charset: nil).text
    guard let last = component.lines.last, component.components.isEmpty,
      Self.texts.contains(last.name)
    else {
      notes.add(
        number, String(text.unicodeScalars.prefix(20)),
        "it is not a property: the name or the colon is missing")
      return
    }
    notes.addOnce(
      number, last.name, "a line break of the text is not folded; the next lines are joined to it")
    let index = component.lines.count - 1
    open[open.count - 1].lines[index].value += "\\n" + text.stripped
  }

  private mutating func ignore(_ number: Int) {
    if ignored.count == 0 { ignored.first = number }
    ignored.count += 1
  }

  private mutating func noteIgnoredLines() {
    guard ignored.count > 0 else { return }
    let lines = ignored.count == 1 ? "1 line" : "\(ignored.count) lines"
    notes.add(
      ignored.first, "VCALENDAR",
      "\(lines) \(hasCalendar ? "after END:VCALENDAR" : "before BEGIN:VCALENDAR") left out")
    ignored.count = 0
  }
}
