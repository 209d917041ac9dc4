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

  /// The value of a parameter.
  public func parameter(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The value as text. The function replaces each backslash escape by the escaped character (RFC
  /// 5545 section 3.3.11).
  ///
  /// The code in this file processes text as Unicode scalars, as other calendar programs do.
  /// Reason: if a combining mark follows a backslash or a semicolon, Swift joins both scalars into
  /// one `Character`. Then the code would not find the backslash or the semicolon.
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
  static func text(_ name: String, _ text: String) -> ICalendarLine {
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

  /// The line as the file contains it, with CRLF at the end. The function folds a line of more than
  /// 75 bytes: the line is split between two characters and continues on the next line.
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

  public init(
    _ name: String, lines: [ICalendarLine] = [], components: [ICalendarComponent] = [],
    number: Int = 0
  ) {
    self.name = name
    self.lines = lines
    self.components = components
    self.number = number
  }

  /// The first line with this name; nil if no line has this name.
  public func line(_ name: String) -> ICalendarLine? { lines.first { $0.name == name } }

  /// The component as text, in the form of an iCalendar file.
  public var text: String {
    "BEGIN:\(name)\r\n" + lines.map(\.folded).joined() + components.map(\.text).joined()
      + "END:\(name)\r\n"
  }
}

/// A note about a part of a calendar file: an alarm cannot express this part, or Prompter had to
/// choose the meaning of this part.
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

/// A reader of iCalendar files. The reader joins folded lines, and reads the parameters and the
/// components.
///
/// The reader accepts LF and CRLF as line ends, and accepts components without END. If the reader
/// cannot read a line, the reader adds a note.
public struct ICalendarReader: Sendable {
  /// The outermost components, usually one VCALENDAR.
  public private(set) var components: [ICalendarComponent] = []
  public private(set) var notes: [ICalendarNote] = []
  /// The maximum depth of nested components. RFC 5545 defines only three levels: VCALENDAR, VEVENT,
  /// VALARM.
  private static let deepest = 8

  public init(_ bytes: [UInt8]) {
    var open: [ICalendarComponent] = []
    for (number, text) in Self.unfolded(bytes) where !text.isEmpty {
      guard let line = Self.line(text, number: number) else {
        note(
          number, String(text.unicodeScalars.prefix(20)),
          "it is not a property: the name or the colon is missing")
        continue
      }
      let name = line.value.uppercased()
      switch line.name {
      case "BEGIN":
        if open.count == Self.deepest {
          note(number, name, "left out: it is nested too deeply")
        }
        open.append(ICalendarComponent(name, number: number))
      case "END":
        guard open.last?.name == name else {
          note(number, "END", "there is no open \(name) here")
          continue
        }
        close(&open)
      default:
        if open.isEmpty {
          note(number, line.name, "left out: it is outside of all components")
        } else {
          open[open.count - 1].lines.append(line)
        }
      }
    }
    while let last = open.last {
      note(last.number, last.name, "it has no END")
      close(&open)
    }
  }

  private mutating func close(_ open: inout [ICalendarComponent]) {
    let component = open.removeLast()
    if open.count >= Self.deepest { return }
    if open.isEmpty {
      components.append(component)
    } else {
      open[open.count - 1].components.append(component)
    }
  }

  private mutating func note(_ line: Int, _ property: String, _ reason: String) {
    notes.append(ICalendarNote(line: line, property: property, reason: reason))
  }

  /// Unfolds the lines. The number in the result says in which line of the file the unfolded line
  /// begins.
  ///
  /// A fold can split the bytes of a character. Therefore the reader first unfolds the lines and
  /// then decodes the characters.
  private static func unfolded(_ bytes: [UInt8]) -> [(Int, String)] {
    var lines: [(Int, [UInt8])] = []
    // Some programs write a byte order mark at the start of the file.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    {
      var line = line
      if line.last == 0x0D { line.removeLast() }
      if let first = line.first, first == 0x20 || first == 0x09, !lines.isEmpty {
        lines[lines.count - 1].1 += line.dropFirst()
      } else {
        lines.append((index + 1, Array(line)))
      }
    }
    return lines.map { ($0, String(decoding: $1, as: UTF8.self)) }
  }

  private static func line(_ text: String, number: Int) -> ICalendarLine? {
    // Swift combines a colon and a combining character after it into one `Character`. But the colon
    // ends the name also in this case. Therefore the code compares Unicode scalars.
    let scalars = Array(text.unicodeScalars)
    var place = 0
    func word(until stops: String, quotes: Bool) -> String {
      var word = String.UnicodeScalarView()
      var isQuoted = false
      while place < scalars.count {
        let scalar = scalars[place]
        if quotes, scalar == "\"" {
          isQuoted.toggle()
        } else if !isQuoted, stops.unicodeScalars.contains(scalar) {
          break
        } else {
          word.append(scalar)
        }
        place += 1
      }
      return String(word)
    }
    let name = word(until: ":;", quotes: false).uppercased()
    let isName = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-")
    }
    guard !name.isEmpty, isName else { return nil }
    var parameters: [ICalendarLine.Parameter] = []
    while place < scalars.count, scalars[place] == ";" {
      place += 1
      let key = word(until: "=:;", quotes: false).uppercased()
      guard place < scalars.count, scalars[place] == "=" else { return nil }
      place += 1
      let value = word(until: ":;", quotes: true)
      parameters.append(.init(key, value.undoingCarets))
    }
    guard place < scalars.count, scalars[place] == ":" else { return nil }
    var value = String.UnicodeScalarView()
    value.append(contentsOf: scalars[(place + 1)...])
    return ICalendarLine(name, parameters, String(value), number: number)
  }
}

extension String {
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
