/// The rule that says which personal data an export contains.
public enum ExportProfile: String, Sendable, CaseIterable {
  /// This profile shows all recorded data, including typed words and names.
  case identified = "identified"
  /// This profile shows pseudonyms and real dates, but no typed words.
  case limited = "limited"
  /// This profile shows study days and local times of day instead of dates.
  ///
  /// This profile shows no typed words, zones, users or hashes. The export replaces each identifier
  /// by a code. A person needs a secret to find the identifier for a code, and exports do not
  /// contain this secret.
  case safeHarbor = "safe_harbor"
}

extension ExportProfile {
  /// Returns true if a text is a code and cannot be a name, for example `A-017`. A code has at most
  /// four letters, then at most one hyphen or underscore, and then one to eight digits.
  public static func isPlainCode(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    rest = rest.drop { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    guard text.utf8.count - rest.count <= 4 else { return false }
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "_") {
      rest = rest.dropFirst()
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return (1...8).contains(rest.count) && rest.allSatisfy { digits.contains($0) }
  }
}
