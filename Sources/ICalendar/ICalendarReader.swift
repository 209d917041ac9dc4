/// A reader of iCalendar files. The reader joins folded lines, and reads the parameters and the
/// components.
///
/// The reader accepts LF and CRLF as line ends, and accepts components without END. If the reader
/// cannot read a line, the reader adds a note.
public struct ICalendarReader: Sendable {
  private var components: [ICalendarComponent] = []
  private var notes: [ICalendarNote] = []
  /// The components and the notes.
  public var tree: ICalendarTree { ICalendarTree(components: components, notes: notes) }
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
