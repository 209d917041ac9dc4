/// Finds a typed name in a list of names.
///
/// People type names in any letter case, and with small mistakes. Prompter never replaces a typed
/// name with a similar name. It only suggests the similar name in a refusal.
public enum NameMatch {
  /// The name in `names` that matches the typed name; nil if no name matches, or if several names
  /// match.
  ///
  /// A name that is equal to `typed` always matches. If no name is equal to `typed`, a name matches
  /// if it differs only in upper and lower case.
  public static func find(_ typed: String, in names: some Sequence<String>) -> String? {
    let alike = names.filter { isEqual($0, typed) }
    if let same = alike.first(where: { $0 == typed }) { return same }
    return alike.count == 1 ? alike[0] : nil
  }

  /// True if two names are equal, except for upper and lower case.
  ///
  /// The daemon compares each new alarm with all alarms of the home. A home can have thousands of
  /// alarms. To be fast, the function compares the names byte by byte. If two bytes differ and at
  /// least one of them is not ASCII, the function converts both names to lower case and compares
  /// the results.
  public static func isEqual(_ one: String, _ other: String) -> Bool {
    for (a, b) in zip(one.utf8, other.utf8) where a != b {
      if !UTF8.isASCII(a) || !UTF8.isASCII(b) { return one.lowercased() == other.lowercased() }
      let letter = a | 0x20
      guard letter == b | 0x20, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else {
        return false
      }
    }
    return one.utf8.count == other.utf8.count
  }

  /// The name that a person probably meant; nil if no name is similar enough.
  ///
  /// A letter that is missing, added or wrong counts as one mistake, and so do two adjacent letters
  /// in the wrong order. The length of the longer text sets the number of mistakes that the
  /// function allows: 1 for up to 5 letters, 2 for 6 to 9 letters, 3 for 10 to 13 letters, and so
  /// on. If the typed text has at least 3 letters, a name that begins with this text is similar.
  public static func nearest(_ typed: String, among names: some Sequence<String>) -> String? {
    let folded = Array(typed.lowercased())
    guard folded.count > 1, folded.count <= longest else { return nil }
    var best: (name: String, mistakes: Int)?
    for name in names where name.count <= longest {
      let other = Array(name.lowercased())
      let isBeginning = folded.count >= 3 && other.starts(with: folded)
      let mistakes = isBeginning ? 1 : distance(folded, other)
      let allowed = 1 + (max(folded.count, other.count) - 2) / 4
      guard mistakes <= allowed, mistakes < min(folded.count, other.count) else { continue }
      if mistakes < best?.mistakes ?? .max { best = (name, mistakes) }
    }
    return best?.name
  }

  /// The suggestion at the end of a refusal, for example `; did you mean "dad"?`; empty if no name
  /// is similar.
  public static func suggestion(for typed: String, among names: some Sequence<String>) -> String {
    nearest(typed, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// The maximum length of a compared name, in characters. The time of a comparison grows with the
  /// square of the length.
  private static let longest = 200

  /// The minimum number of typing mistakes that change one text into the other (optimal string
  /// alignment distance).
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var former: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, former[j - 1] + 1)
        }
        row.append(least)
      }
      (former, last) = (last, row)
    }
    return last[b.count]
  }
}
