/// Decodes the bytes of calendar files, which other programs write in several encodings.
enum CalendarEncoding {
  /// Converts a file in UTF-16 or UTF-32 to UTF-8. The function does not convert files in other
  /// encodings, because each line of such a file can have its own encoding. The function removes
  /// the zero bytes from every file.
  static func unicode(_ bytes: [UInt8]) -> [UInt8] {
    let first = Array(bytes.prefix(4))
    var bytes = bytes
    if first == [0xFF, 0xFE, 0, 0] || first.dropFirst() == [0, 0, 0] {
      let units = stride(from: 0, to: bytes.count - 3, by: 4).map { index in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << (8 * $1) }
      }
      bytes = Array(String(decoding: units, as: UTF32.self).utf8)
    } else if first.starts(with: [0xFF, 0xFE]) || isZero(first, [false, true]) {
      bytes = utf16(bytes) { UInt16($0) | UInt16($1) << 8 }
    } else if first.starts(with: [0xFE, 0xFF]) || isZero(first, [true, false]) {
      bytes = utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
    }
    if bytes.contains(0) { bytes.removeAll { $0 == 0 } }
    return bytes
  }

  /// Returns true if the zero bytes of two UTF-16 characters are exactly in the places that `zeros`
  /// marks. `zeros` contains one value for each of the two bytes of a character.
  ///
  /// All calendar files begin with ASCII characters. In UTF-16, one of the two bytes of an ASCII
  /// character is zero. So the function recognises UTF-16 without a byte order mark.
  private static func isZero(_ first: [UInt8], _ zeros: [Bool]) -> Bool {
    first.count == 4 && first.map { $0 == 0 } == zeros + zeros
  }

  private static func utf16(_ bytes: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> [UInt8] {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// A decoded text, and the fault in its encoding.
  struct Decoded {
    var text: String
    /// The fault in the encoding, as a sentence; nil if the encoding is valid.
    var fault: String?
  }

  /// Decodes the text of one line.
  ///
  /// - Parameter charset: the value of the parameter CHARSET of vCalendar 1.0; nil if the line has
  ///   no such parameter.
  static func text(_ bytes: some Collection<UInt8>, charset: String?) -> Decoded {
    switch charset?.uppercased() {
    case nil, "UTF-8", "UTF8", "US-ASCII", "ASCII": break
    case "ISO-8859-1", "ISO8859-1", "LATIN1", "LATIN-1", "WINDOWS-1252", "CP1252":
      return Decoded(text: windows1252(bytes))
    case "ISO-8859-15", "ISO8859-15", "LATIN-9", "LATIN9":
      return Decoded(text: String(String.UnicodeScalarView(bytes.map(latin9))))
    case let other?:
      if String(validating: bytes, as: UTF8.self) == nil {
        return Decoded(
          text: windows1252(bytes),
          fault: "the encoding \(other.prefix(40)) is not known; letters may be wrong")
      }
    }
    if let text = String(validating: bytes, as: UTF8.self) { return Decoded(text: text) }
    let text = String(decoding: bytes, as: UTF8.self)
    let wrong = text.unicodeScalars.count { $0 == "\u{FFFD}" }
    let right = text.unicodeScalars.count { !$0.isASCII && $0 != "\u{FFFD}" }
    // The text is not valid UTF-8. If most letters outside ASCII are valid, decode the text as
    // UTF-8 in spite of the fault: probably a program cut the line in the middle of a letter.
    if right > wrong {
      return Decoded(text: text, fault: "it is not valid UTF-8; some letters are lost")
    }
    return Decoded(
      text: windows1252(bytes), fault: "the file is not UTF-8; it is read as Windows-1252")
  }

  private static func windows1252(_ bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append((0x80..<0xA0).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return String(text)
  }

  /// The Unicode characters for the bytes 0x80 to 0x9F of Windows-1252. Unassigned bytes become
  /// U+FFFD.
  private static let upper: [Unicode.Scalar] = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  private static func latin9(_ byte: UInt8) -> Unicode.Scalar {
    switch byte {
    case 0xA4: "€"
    case 0xA6: "Š"
    case 0xA8: "š"
    case 0xB4: "Ž"
    case 0xB8: "ž"
    case 0xBC: "Œ"
    case 0xBD: "œ"
    case 0xBE: "Ÿ"
    default: Unicode.Scalar(byte)
    }
  }

  /// Decodes a quoted-printable text (RFC 2045 section 6.7). The caller has already removed the
  /// soft line breaks. The function does not change a malformed escape sequence.
  static func unquotingPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.endIndex,
        let high = hexadecimal(bytes[index + 1]), let low = hexadecimal(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded.filter { $0 != 0 }
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
