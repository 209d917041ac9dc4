import CICal
import ICalendar

/// Lets libical read components whose BEGIN and END are in order.
///
/// libical reads the components and the parameters, but not the values. If the value of a line did
/// not follow RFC 5545, libical would drop the whole line. But the import can read many of these
/// values. Therefore the values stay as they are in the file.
enum LibicalComponents {
  /// The names of the components that libical knows. The code passes a component with any other
  /// name to libical as a VEVENT.
  private static let known: Set<String> = [
    "VCALENDAR", "VEVENT", "VTODO", "VALARM", "VTIMEZONE", "STANDARD", "DAYLIGHT", "VJOURNAL",
    "VFREEBUSY",
  ]
  private static let mark = "X-PROMPTER-LINE"

  /// Returns the component as libical read it. If libical did not read a line, the line keeps its
  /// parameters from `component`.
  static func read(_ component: RepairedComponent) -> ICalendarComponent {
    var text = ""
    write(component, to: &text)
    guard let root = icalparser_parse_string(text) else { return plain(component) }
    defer { icalcomponent_free(root) }
    return convert(root, component) ?? plain(component)
  }

  /// Writes a component for libical. In place of the value of a line, the function writes the index
  /// of the line in `component.lines`. With this index, `convert` finds the line again. The
  /// function writes `X-` before the name of each parameter. Without `X-`, libical would drop the
  /// parameters that it does not know.
  private static func write(_ component: RepairedComponent, to text: inout String) {
    let name = known.contains(component.name) ? component.name : "VEVENT"
    text += "BEGIN:\(name)\r\n"
    for (index, line) in component.lines.enumerated() {
      text += mark
      for parameter in line.parameters {
        let name = parameter.name.utf8.filter(ContentLine.isNameByte)
        text +=
          ";X-" + String(decoding: name, as: UTF8.self) + "=\"" + parameter.value.visible + "\""
      }
      text += ":\(index)\r\n"
    }
    for inner in component.components { write(inner, to: &text) }
    text += "END:\(name)\r\n"
  }

  /// Converts a component of libical. The result is nil if the components that libical found differ
  /// from the components of `source`.
  private static func convert(
    _ component: OpaquePointer, _ source: RepairedComponent
  ) -> ICalendarComponent? {
    var parsed = ICalendarComponent(source.name, number: source.number)
    var parameters: [Int: [ICalendarLine.Parameter]] = [:]
    var property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
    while let line = property {
      if let text = icalproperty_get_x(line), let index = Int(String(cString: text)) {
        parameters[index] = read(line)
      }
      property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
    }
    for (index, line) in source.lines.enumerated() {
      var found = parameters[index] ?? line.parameters
      if found.count != line.parameters.count { found = line.parameters }
      parsed.lines.append(Self.line(line, found))
    }
    var inner = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT)
    for source in source.components {
      guard let next = inner, let child = convert(next, source) else { return nil }
      parsed.components.append(child)
      inner = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT)
    }
    return inner == nil ? parsed : nil
  }

  private static func read(_ property: OpaquePointer) -> [ICalendarLine.Parameter] {
    var parameters: [ICalendarLine.Parameter] = []
    var next = icalproperty_get_first_parameter(property, ICAL_ANY_PARAMETER)
    while let parameter = next {
      if let name = icalparameter_get_xname(parameter),
        let value = icalparameter_get_xvalue(parameter)
      {
        parameters.append(.init(String(String(cString: name).dropFirst(2)), String(cString: value)))
      }
      next = icalproperty_get_next_parameter(property, ICAL_ANY_PARAMETER)
    }
    return parameters
  }

  private static func plain(_ component: RepairedComponent) -> ICalendarComponent {
    ICalendarComponent(
      component.name, lines: component.lines.map { line($0, $0.parameters) },
      components: component.components.map(plain), number: component.number)
  }

  private static func line(
    _ line: ContentLine, _ parameters: [ICalendarLine.Parameter]
  ) -> ICalendarLine {
    ICalendarLine(
      line.name, parameters.map { .init($0.name, $0.value.undoingCarets) }, line.value,
      number: line.number)
  }
}

extension String {
  /// The text without control characters, except tabs.
  fileprivate var visible: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.filter { $0 == "\t" || $0.properties.generalCategory != .control }))
  }

  /// The value of a parameter, with each escape sequence (RFC 6868) replaced by its character.
  fileprivate var undoingCarets: String {
    guard unicodeScalars.contains("^") else { return self }
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in unicodeScalars {
      if isEscaped {
        switch scalar {
        case "^": text.append("^")
        case "'": text.append("\"")
        case "n": text.append("\n")
        default: text += ["^", scalar]
        }
        isEscaped = false
      } else if scalar == "^" {
        isEscaped = true
      } else {
        text.append(scalar)
      }
    }
    if isEscaped { text.append("^") }
    return String(text)
  }
}
