/// One content line of RFC 5545: name, parameters and value, unfolded.
public struct ICalendarLine: Hashable, Sendable {
  /// The name of the line, in upper case.
  public var name: String
  /// The parameters in the order of the line. The names of the parameters are in upper case, and
  /// the values have no quotation marks.
  public var parameters: [Parameter]
  /// The value exactly as it is in the file. If the type of the value is TEXT, the value still
  /// contains the escape characters.
  public var value: String
  /// The number of the line in the file, counted from 1; 0 for a line that Prompter made.
  ///
  /// A folded line consists of several lines in the file. For a folded line, the value is the
  /// number of the first of these lines.
  public var number: Int

  public struct Parameter: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(_ name: String, _ parameters: [Parameter] = [], _ value: String, number: Int = 0) {
    self.name = name
    self.parameters = parameters
    self.value = value
    self.number = number
  }

  /// The name of the parameter that marks a trigger from a file in vCalendar 1.0. Such a trigger
  /// contains a date and time. If the event recurs, the trigger rings at each occurrence.
  package static let repeats = "X-PROMPTER-REPEATS"

  /// Returns the value of a parameter; nil if the line does not contain the parameter.
  public func parameter(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The value as text. The function replaces each backslash escape by the escaped character (RFC
  /// 5545 section 3.3.11).
  ///
  /// The code in this file processes text as Unicode scalars, as other calendar programs do. If a
  /// combining mark follows a backslash or a semicolon, Swift joins both scalars into one
  /// `Character`. A search by `Character` would not find the backslash or the semicolon.
  public var text: String {
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if isEscaped {
        text.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// Makes a line whose value is `text`. The function escapes the characters that have a special
  /// meaning in iCalendar.
  public static func text(_ name: String, _ text: String) -> ICalendarLine {
    var value = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": value += ["\\", scalar]
      case "\n": value += ["\\", "n"]
      // A value of the type TEXT must not contain control characters except the tab (RFC 5545
      // section 3.3.11). Therefore the function removes all other control characters, including CR.
      case "\t": value.append(scalar)
      default: if scalar.properties.generalCategory != .control { value.append(scalar) }
      }
    }
    return ICalendarLine(name, [], String(value))
  }

  /// The line as the file contains it, with CRLF at the end. A line of more than 75 bytes is
  /// folded: it breaks between two characters and continues on the next line.
  package var folded: String {
    var head = name
    for parameter in parameters {
      // In a parameter, three characters have their own escape sequences (RFC 6868): the quotation
      // mark, the line break and the character `^`.
      var value = String.UnicodeScalarView()
      for scalar in parameter.value.unicodeScalars {
        switch scalar {
        case "^": value += ["^", "^"]
        case "\"": value += ["^", "'"]
        case "\n": value += ["^", "n"]
        case "\t": value.append(scalar)
        default: if scalar.properties.generalCategory != .control { value.append(scalar) }
        }
      }
      let isPlain = !value.contains { $0 == ":" || $0 == ";" || $0 == "," }
      head += ";\(parameter.name)=" + (isPlain ? String(value) : "\"\(value)\"")
    }
    var text = ""
    var length = 0
    for scalar in (head + ":" + value).unicodeScalars {
      let width = UTF8.width(scalar)
      if length + width > 75 {
        text += "\r\n "
        length = 1
      }
      text.unicodeScalars.append(scalar)
      length += width
    }
    return text + "\r\n"
  }
}

/// A component of RFC 5545 with its lines and inner components.
public struct ICalendarComponent: Hashable, Sendable {
  /// The name of the component in upper case, such as `VEVENT`.
  public var name: String
  public var lines: [ICalendarLine]
  public var components: [ICalendarComponent]
  /// The number of the BEGIN line in the file, counted from 1; 0 for a component that Prompter
  /// made.
  public var number: Int
  /// The offsets of a VTIMEZONE. The value is nil if the component is not a VTIMEZONE, or if the
  /// reader could not compute the offsets.
  public var offsets: ICalendarOffsets?

  public init(
    _ name: String, lines: [ICalendarLine] = [], components: [ICalendarComponent] = [],
    number: Int = 0, offsets: ICalendarOffsets? = nil
  ) {
    self.name = name
    self.lines = lines
    self.components = components
    self.number = number
    self.offsets = offsets
  }

  /// Returns the first line with this name; nil if no line has this name.
  public func line(_ name: String) -> ICalendarLine? { lines.first { $0.name == name } }

  /// The component as text, in the form of an iCalendar file.
  public var text: String {
    "BEGIN:\(name)\r\n" + lines.map(\.folded).joined() + components.map(\.text).joined()
      + "END:\(name)\r\n"
  }
}

/// A note about a part of a calendar file. An alarm cannot express this part, or the meaning of
/// this part was not clear and Prompter chose a meaning.
public struct ICalendarNote: Hashable, Sendable, CustomStringConvertible {
  /// The line of the file, counted from 1.
  public var line: Int
  /// The name of the property or component that the note is about, such as `ATTENDEE`.
  public var property: String
  /// The text of the note, as one sentence.
  public var reason: String

  public init(line: Int, property: String, reason: String) {
    self.line = line
    self.property = property
    self.reason = reason
  }

  public var description: String { "line \(line): \(property): \(reason)" }
}
