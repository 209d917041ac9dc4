/// Writes rows in the text format of COPY.
struct CopyLines {
  private(set) var bytes: [UInt8] = []

  /// Adds a row; nil is null.
  mutating func add(_ values: [String?]) {
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\t")) }
      guard let value else {
        bytes += [UInt8(ascii: "\\"), UInt8(ascii: "N")]
        continue
      }
      for byte in value.utf8 { append(byte) }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ byte: UInt8) {
    let letter: UInt8? =
      switch byte {
      case UInt8(ascii: "\\"): UInt8(ascii: "\\")
      case UInt8(ascii: "\t"): UInt8(ascii: "t")
      case UInt8(ascii: "\n"): UInt8(ascii: "n")
      case UInt8(ascii: "\r"): UInt8(ascii: "r")
      default: nil
      }
    if let letter {
      bytes += [UInt8(ascii: "\\"), letter]
    } else {
      bytes.append(byte)
    }
  }
}
