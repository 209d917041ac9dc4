/// The newest row of a stream: its number and its hash.
///
/// The text of a head has the form `SEQ-HASH`: the number in decimal, and the hash as 64 lower-case
/// hexadecimal digits. The head before the first row has the number 0, and its hash consists of 64
/// zeros.
///
/// ```swift
/// ArchiveHead(parsing: "12-\(hash)")?.sequence  // 12
/// ```
public struct ArchiveHead: Sendable, Hashable, CustomStringConvertible {
  public var sequence: Int64
  public var hash: String

  public init(sequence: Int64, hash: String) {
    (self.sequence, self.hash) = (sequence, hash)
  }

  /// The head before the first row.
  public static let genesis = ArchiveHead(sequence: 0, hash: String(repeating: "0", count: 64))

  /// Reads the form `SEQ-HASH`. The result is nil for any other form, for example for a number with
  /// a leading zero or a `+`.
  public init?(parsing text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int64(parts[0]), sequence >= 0,
      String(sequence) == parts[0], isRowHash(String(parts[1]))
    else { return nil }
    self.init(sequence: sequence, hash: String(parts[1]))
  }

  public var description: String { "\(sequence)-\(hash)" }
}

/// Returns true if the text has the form of a hash: 64 lower-case hexadecimal digits.
func isRowHash(_ text: String) -> Bool {
  text.utf8.count == 64
    && text.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
}
