import ICalendar

/// One unfolded line, split into its name, its parameters and its value.
struct ContentLine {
  /// The name of the property in upper case.
  var name: String
  /// The parameters, without quotation marks.
  var parameters: [ICalendarLine.Parameter] = []
  var value: String
  var number: Int
  /// The fault in the encoding of the line, as a sentence; nil if the encoding is valid.
  var fault: String?

  init(name: String, value: String, number: Int) {
    self.name = name
    self.value = value
    self.number = number
  }

  /// Splits a line. The result is nil if the line has no name or no colon.
  init?(_ line: ArraySlice<UInt8>, number: Int) {
    self.number = number
    guard let end = Self.end(ofHead: line) else { return nil }
    let pieces = Self.pieces(line[..<end])
    // Some programs write a group in front of the name, as in vCard: `item1.SUMMARY`.
    let name = pieces[0].stripped.uppercased().split(separator: ".").last.map(String.init) ?? ""
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { return nil }
    self.name = name
    value = ""
    for piece in pieces.dropFirst() where !piece.isEmpty {
      parameters.append(Self.parameter(piece))
    }
    var bytes = line[(end + 1)...]
    var isPrintable = false
    if let encoding = parameter("ENCODING")?.uppercased(), encoding == "QUOTED-PRINTABLE" {
      isPrintable = true
      bytes = CalendarEncoding.unquotingPrintable(bytes)[...]
    }
    let decoded = CalendarEncoding.text(bytes, charset: parameter("CHARSET"))
    value = decoded.text
    fault = decoded.fault
    parameters.removeAll { $0.name == "CHARSET" }
    if isPrintable {
      parameters.removeAll { $0.name == "ENCODING" }
      value = Self.escapingLineBreaks(value)
    }
  }

  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The names of the properties whose value is a date or a time.
  private static let times: Set<String> = [
    "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "EXDATE", "RDATE", "COMPLETED", "TRIGGER",
  ]

  /// Returns the index of the colon between the parameters and the value; nil if the line contains
  /// no such colon.
  ///
  /// A colon in quotation marks is part of a parameter. Some programs write a zone such as
  /// `(UTC+01:00) Berlin` without quotation marks. Therefore, if the value is a time, the value
  /// begins after the first colon that is directly before a year, a month and a day.
  private static func end(ofHead line: ArraySlice<UInt8>) -> Int? {
    var (first, isQuoted) = (Int?.none, false)
    let name = String(
      decoding: line.prefix { isNameByte($0) || $0 == UInt8(ascii: ".") }, as: UTF8.self)
    let isTime = times.contains(name.uppercased())
    for index in line.indices {
      let byte = line[index]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: ":"), !isQuoted else { continue }
      if !isTime || isDate(line[(index + 1)...]) { return index }
      if first == nil { first = index }
    }
    // If a quotation mark is missing, the first colon ends the parameters.
    return first ?? line.firstIndex(of: UInt8(ascii: ":"))
  }

  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let digits = bytes.drop(while: PhysicalLines.isBlank).prefix(10).filter {
      $0 != UInt8(ascii: "-")
    }
    return digits.count >= 8 && digits.prefix(8).allSatisfy { (0x30...0x39).contains($0) }
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Splits the name and the parameters of a line. The function splits at each semicolon that is
  /// outside of quotation marks. The result has at least one element.
  private static func pieces(_ head: ArraySlice<UInt8>) -> [String] {
    var pieces: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in head {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ";"), !isQuoted {
        pieces.append([])
      } else {
        pieces[pieces.count - 1].append(byte)
      }
    }
    return pieces.map { piece in
      // Some programs wrongly write spaces before or after a piece, so remove these spaces. A tab
      // can be the end of the value of a parameter, so keep tabs.
      let solid = piece.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
      return CalendarEncoding.text(solid, charset: nil).text
    }
  }

  /// Reads a parameter. In vCalendar 1.0, the name of a parameter can be missing. If the name is
  /// missing, the function derives the name from the value, for example ENCODING from `BASE64`.
  private static func parameter(_ piece: String) -> ICalendarLine.Parameter {
    let scalars = piece.unicodeScalars
    guard let mark = scalars.firstIndex(of: "=") else {
      switch piece.uppercased() {
      case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT": return .init("ENCODING", piece)
      case "DATE", "DATE-TIME", "DURATION": return .init("VALUE", piece)
      case "END", "START": return .init("RELATED", piece)
      default: return .init("TYPE", piece)
      }
    }
    let quoted = scalars[scalars.index(after: mark)...].drop { $0 == " " }
    let value = String.UnicodeScalarView(quoted.filter { $0 != "\"" })
    return .init(String(scalars[..<mark]).stripped.uppercased(), String(value))
  }

  /// Replaces each line break of a decoded quoted-printable text by `\n`, as in iCalendar 2.0.
  private static func escapingLineBreaks(_ value: String) -> String {
    var escaped = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in value.unicodeScalars {
      if scalar == "\n" || scalar == "\r" {
        if scalar == "\r" || last != "\r" { escaped += ["\\", "n"] }
      } else {
        escaped.append(scalar)
      }
      last = scalar
    }
    return String(escaped)
  }
}

extension String {
  /// The text without the white space at its start and end.
  var stripped: String {
    var text = unicodeScalars[...]
    while let first = text.first, first.properties.isWhitespace { text.removeFirst() }
    while let last = text.last, last.properties.isWhitespace { text.removeLast() }
    return String(text)
  }
}
