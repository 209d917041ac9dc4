/// Writes rows in the text format of the SQL statement COPY.
struct CopyLines {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  mutating func text(_ value: String) {
    begin()
    var value = value
    value.withUTF8 { text in
      var start = 0
      for (index, byte) in text.enumerated() {
        guard let letter = Self.escaped(byte) else { continue }
        bytes.append(contentsOf: text[start..<index])
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(letter)
        start = index + 1
      }
      bytes.append(contentsOf: text[start...])
    }
  }

  mutating func integer(_ value: Int64) {
    begin()
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func bool(_ value: Bool) {
    begin()
    bytes.append(value ? UInt8(ascii: "t") : UInt8(ascii: "f"))
  }

  mutating func null() {
    begin()
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(UInt8(ascii: "N"))
  }

  /// Writes a cell of a column with the type `bytea`.
  ///
  /// - Parameter value: the bytes of the cell as hexadecimal digits.
  mutating func binary(_ value: String) {
    begin()
    bytes.append(contentsOf: #"\\x"#.utf8)
    bytes.append(contentsOf: value.utf8)
  }

  mutating func endRow() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  private mutating func begin() {
    if !isFirst { bytes.append(UInt8(ascii: "\t")) }
    isFirst = false
  }

  /// Returns the letter that represents a byte after `\`; nil if the byte needs no escape.
  private static func escaped(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\\"): UInt8(ascii: "\\")
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    default: nil
    }
  }
}
