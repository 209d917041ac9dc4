/// The lines of a file as an editor shows them, in a form that libical can unfold.
///
/// The list contains the lines without their line ends. The list does not contain empty lines. A
/// line that begins with a blank continues the line before it, as RFC 5545 defines.
struct PhysicalLines {
  /// The lines, each with its number, counted from 1.
  private(set) var lines: [(number: Int, bytes: ArraySlice<UInt8>)] = []

  init(_ bytes: [UInt8]) {
    lines = Self.split(CalendarEncoding.unicode(bytes))
    unquote()
    splitOnlyLine()
    outdent()
    joinQuotedPrintable()
  }

  /// Splits a file into lines.
  ///
  /// The file can end its lines with LF, CR LF, CR or CR CR LF. An editor shows each of these four
  /// byte sequences as one line end.
  private static func split(_ bytes: [UInt8]) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
    var lines: [(number: Int, bytes: ArraySlice<UInt8>)] = []
    var (number, start, index) = (1, 0, 0)
    func add(_ end: Int) {
      var line = bytes[start..<end]
      // Some programs write a byte order mark at the start of the file, and at each place where
      // they joined two files.
      while line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
      if !line.allSatisfy(isBlank) { lines.append((number, line)) }
    }
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x0A || byte == 0x0D else {
        index += 1
        continue
      }
      add(index)
      var next = index
      while next < bytes.count, bytes[next] == 0x0D { next += 1 }
      index = next < bytes.count && bytes[next] == 0x0A ? next + 1 : index + 1
      start = index
      number += 1
    }
    add(bytes.count)
    return lines
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C
  }

  /// Removes the quotation marks `>` at the start of the lines. If a calendar is quoted in an
  /// answer to a mail, each line of the calendar begins with `>`.
  private mutating func unquote() {
    let mark = UInt8(ascii: ">")
    func unquoted(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      let rest = line.dropFirst()
      return rest.first == 0x20 ? rest.dropFirst() : rest
    }
    let isQuoted = lines.contains { line in
      line.bytes.first == mark && Self.isBegin(unquoted(line.bytes), "VCALENDAR")
    }
    guard isQuoted else { return }
    for index in lines.indices where lines[index].bytes.first == mark {
      lines[index].bytes = unquoted(lines[index].bytes)
    }
    lines.removeAll { $0.bytes.allSatisfy(Self.isBlank) }
  }

  /// Splits a file that consists of one line, because a web page replaced the line ends by blanks.
  /// The function begins a new line at each word in capital letters that stands directly before a
  /// colon or a semicolon.
  private mutating func splitOnlyLine() {
    guard lines.count == 1, let line = lines.first else { return }
    let separated = Self.splitAtSeparators(line.bytes)
    if separated.count > 1 {
      lines = separated.map { (line.number, $0) }
      return
    }
    guard line.bytes.starts(with: Array("BEGIN:VCALENDAR ".utf8)) else { return }
    var found: [ArraySlice<UInt8>] = []
    for word in line.bytes.split(separator: 0x20) {
      let name = word.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
      let isName =
        name.count < word.count && name.count > 1
        && name.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
      if isName || found.isEmpty {
        found.append(word)
      } else {
        found[found.count - 1] += [0x20] + word
      }
    }
    lines = found.map { (line.number, $0) }
  }

  /// Splits a line at the line separators and paragraph separators of Unicode (U+2028 and U+2029).
  private static func splitAtSeparators(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var (found, start, index) = ([ArraySlice<UInt8>](), bytes.startIndex, bytes.startIndex)
    while index + 2 < bytes.endIndex {
      if bytes[index] == 0xE2, bytes[index + 1] == 0x80, bytes[index + 2] & 0xFE == 0xA8 {
        if index > start { found.append(bytes[start..<index]) }
        start = index + 3
        index = start
      } else {
        index += 1
      }
    }
    if start < bytes.endIndex { found.append(bytes[start...]) }
    return found
  }

  /// Removes the indentation of a file in which all components are indented. Some people and web
  /// pages show a calendar file in this form. A file has this form if the line BEGIN:VCALENDAR or
  /// the line after it is indented. In all other files, the line after BEGIN:VCALENDAR is not
  /// indented, because BEGIN:VCALENDAR is too short for a fold.
  private mutating func outdent() {
    guard let first = lines.firstIndex(where: { Self.isBegin($0.bytes, "VCALENDAR") }) else {
      return
    }
    let isIndented = [first, first + 1].contains { index in
      guard index < lines.count, let byte = lines[index].bytes.first else { return false }
      return Self.isBlank(byte) && Self.startsProperty(lines[index].bytes)
    }
    guard isIndented else { return }
    for index in lines.indices where Self.startsProperty(lines[index].bytes) {
      lines[index].bytes = lines[index].bytes.drop(while: Self.isBlank)
    }
  }

  /// Returns true if a line consists of `BEGIN:` and the name of this component. The function
  /// ignores blanks, and does not distinguish between upper and lower case.
  static func isBegin(_ line: ArraySlice<UInt8>, _ component: String) -> Bool {
    guard line.count < 100 else { return false }
    let text = line.filter { !isBlank($0) }
    return String(decoding: text, as: UTF8.self).uppercased() == "BEGIN:\(component)"
  }

  /// Returns true if a line begins with blanks, a name and a colon or a semicolon.
  private static func startsProperty(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.drop(while: isBlank)
    let rest = name.drop { isalnum($0) || $0 == UInt8(ascii: "-") }
    return rest.startIndex > name.startIndex
      && (rest.first == UInt8(ascii: ":") || rest.first == UInt8(ascii: ";"))
  }

  private static func isalnum(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
  }

  /// Joins the lines of quoted-printable values at soft line breaks. A line that ends with `=`
  /// continues on the next line.
  private mutating func joinQuotedPrintable() {
    let mark = Array("QUOTED-PRINTABLE".utf8)
    guard lines.contains(where: { Self.head($0.bytes, contains: mark) }) else { return }
    var joined: [(number: Int, bytes: ArraySlice<UInt8>)] = []
    var isOpen = false
    /// The number of lines of the file that form the last line of `joined`.
    var breaks = 0
    for line in lines {
      // Some programs write a soft line break after the last line of a value, and sometimes an
      // empty line after it. Therefore, join only the line directly after the soft line break, and
      // only if this line does not begin or end a component.
      let isNext = joined.last.map { $0.number + breaks == line.number } == true
      if isOpen, isNext, !Self.isBoundary(line.bytes) {
        breaks += 1
        var last = joined.removeLast()
        last.bytes.removeLast()
        last.bytes += line.bytes
        joined.append(last)
      } else {
        if isOpen, let last = joined.indices.last { joined[last].bytes.removeLast() }
        joined.append(line)
        breaks = 1
        isOpen = false
      }
      isOpen =
        (isOpen || Self.head(line.bytes, contains: mark))
        && joined[joined.count - 1].bytes.last == UInt8(ascii: "=")
    }
    if isOpen, let last = joined.indices.last { joined[last].bytes.removeLast() }
    lines = joined
  }

  /// Returns true if a line begins or ends a component.
  private static func isBoundary(_ line: ArraySlice<UInt8>) -> Bool {
    let start = String(decoding: line.prefix(6), as: UTF8.self).uppercased()
    return start == "BEGIN:" || start.hasPrefix("END:V")
  }

  /// Returns true if the part of a line before the first colon contains a text, in upper or lower
  /// case.
  private static func head(_ line: ArraySlice<UInt8>, contains mark: [UInt8]) -> Bool {
    let head = line.prefix(200).prefix { $0 != UInt8(ascii: ":") }
    guard head.count > mark.count else { return false }
    let upper = head.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    return upper.firstRange(of: mark) != nil
  }
}
