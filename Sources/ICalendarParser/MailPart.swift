/// Decodes the calendars in a mail. These calendars are in parts whose transfer encoding is
/// quoted-printable or base64 (RFC 2045). The input is a file in which a person saved the mail or
/// one part of the mail.
///
/// In the decoded file, the decoded lines of each calendar are in the place of the encoded lines.
/// The type does not change the lines of all other parts. Later, `StructureRepair` leaves out the
/// lines outside of a calendar.
enum MailPart {
  private enum Encoding {
    case quotedPrintable
    case base64
  }

  /// Returns the file with decoded parts. If the file is not a mail, the result is the unchanged
  /// file.
  static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    let (hasEncoding, isPrintable) = marks(bytes)
    guard hasEncoding || isPrintable else { return bytes }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if !hasEncoding { return joined(quotedPrintable(lines[...])) }
    for (body, encoding) in bodies(of: lines) {
      let decoded =
        switch encoding {
        case .quotedPrintable: quotedPrintable(lines[body])
        case .base64: base64(lines[body])
        }
      guard decoded.contains(where: { PhysicalLines.isBegin(solid($0), "VCALENDAR") }) else {
        continue
      }
      // Add empty lines, so that the lines of the next part keep their line numbers if possible.
      let missing = max(0, body.count - decoded.count)
      lines.replaceSubrange(body, with: decoded + Array(repeating: [], count: missing))
    }
    return joined(lines)
  }

  /// Looks for a header that names a transfer encoding, and for dates with parameters in
  /// quoted-printable. If a person saved only the text of a part, the file contains such dates but
  /// no header. Nearly all files contain neither, so the function does not split the file into
  /// lines.
  private static func marks(_ bytes: [UInt8]) -> (hasEncoding: Bool, isPrintable: Bool) {
    var (hasEncoding, isPrintable) = (false, false)
    var isStart = true
    for (index, byte) in bytes.enumerated() {
      if isStart {
        let letter = byte & 0xDF
        if letter == UInt8(ascii: "C") {
          hasEncoding = hasEncoding || isEncoding(bytes[index...])
        } else if letter == UInt8(ascii: "D"), !isPrintable {
          let line = bytes[index...].prefix(100).prefix { $0 != 0x0A }
          let text = String(decoding: line, as: UTF8.self).uppercased()
          isPrintable =
            text.hasPrefix("DT") && (text.contains(";TZID=3D") || text.contains(";VALUE=3D"))
        }
      }
      isStart = byte == 0x0A
    }
    return (hasEncoding, isPrintable)
  }

  /// Returns the range of lines of each encoded part, and its encoding. The last part comes first.
  /// A part ends before the next boundary of the mail, or at the end of the file.
  private static func bodies(of lines: [ArraySlice<UInt8>]) -> [(Range<Int>, Encoding)] {
    var found: [(Range<Int>, Encoding)] = []
    var (encoding, start) = (Encoding?.none, Int?.none)
    func close(_ end: Int) {
      if let encoding, let start, start < end { found.insert((start..<end, encoding), at: 0) }
    }
    var isJoined = false
    for (index, line) in lines.enumerated() {
      let line = solid(line)
      defer { isJoined = line.last == UInt8(ascii: "=") }
      if start == nil, encoding != nil, line.isEmpty { start = index + 1 }
      if !isJoined, line.count > 2, line.starts(with: [0x2D, 0x2D]) {
        close(index)
        (encoding, start) = (nil, nil)
      } else if start == nil, isEncoding(line) {
        let text = upper(line, 100)
        encoding =
          text.contains("QUOTED-PRINTABLE")
          ? .quotedPrintable : text.contains("BASE64") ? .base64 : nil
      }
    }
    close(lines.count)
    return found
  }

  /// Returns true if a line is the header that names the transfer encoding of a part.
  private static func isEncoding(_ line: ArraySlice<UInt8>) -> Bool {
    let name = "CONTENT-TRANSFER-ENCODING:"
    guard let first = line.first, first & 0xDF == UInt8(ascii: "C") else { return false }
    return upper(line, name.utf8.count) == name
  }

  /// Decodes the lines of a quoted-printable text. The function joins the lines at soft line
  /// breaks. For each soft line break, the function adds an empty line after the joined line, so
  /// that the number of lines stays the same.
  private static func quotedPrintable(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>]
  {
    var decoded: [ArraySlice<UInt8>] = []
    var open: (bytes: [UInt8], lines: Int) = ([], 0)
    for line in lines {
      var line = solid(line)
      open.lines += 1
      let isOpen = line.last == UInt8(ascii: "=")
      if isOpen { line = line.dropLast() }
      open.bytes += CalendarEncoding.unquotingPrintable(line)
      if isOpen { continue }
      decoded.append(open.bytes[...])
      decoded += Array(repeating: [], count: open.lines - 1)
      open = ([], 0)
    }
    if open.lines > 0 { decoded.append(open.bytes[...]) }
    return decoded
  }

  private static func base64(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>] {
    var (bytes, bits, count) = ([UInt8](), UInt32(0), 0)
    for byte in lines.joined() {
      guard let digit = digit(byte) else { continue }
      bits = bits << 6 | digit
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// Removes the blanks and the CR at the end of a line.
  private static func solid(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let last = line.lastIndex { $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }
    return last.map { line[line.startIndex...$0] } ?? []
  }

  /// Returns the first `count` bytes of a line as text in upper case.
  private static func upper(_ line: ArraySlice<UInt8>, _ count: Int) -> String {
    String(decoding: line.prefix(count), as: UTF8.self).uppercased()
  }

  private static func joined(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
    Array(lines.joined(separator: [0x0A]))
  }
}
