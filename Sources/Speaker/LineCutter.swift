/// Splits a byte stream into lines. If more than 64 KiB arrive without a line feed, the cutter
/// returns these bytes as one line.
struct LineCutter {
  static let longestLine = 65_536
  private var rest: [UInt8] = []

  mutating func cut(_ bytes: [UInt8]) -> [[UInt8]] {
    rest += bytes
    var lines: [[UInt8]] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Array(rest[..<end]))
      rest.removeSubrange(...end)
    }
    if rest.count > Self.longestLine {
      lines.append(rest)
      rest = []
    }
    return lines
  }
}
