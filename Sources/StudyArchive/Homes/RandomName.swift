/// Names and codes that nobody can guess.
enum RandomName {
  /// The digits of Crockford's base 32. The letters I, L, O and U are left out, because people
  /// confuse them with other characters.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// Returns a new id for a stream: 80 random bits.
  static func stream() -> String { random(16).lowercased() }

  /// Returns a new code for an enrolment: 80 random bits, in groups of four digits.
  static func code() -> String {
    let text = Array(random(16))
    return stride(from: 0, to: text.count, by: 4).map { String(text[$0..<$0 + 4]) }
      .joined(separator: "-")
  }

  /// Returns a code in capital letters, without hyphens and spaces. If people can confuse a letter
  /// with a digit, the function replaces the letter by this digit.
  static func normalized(code: String) -> String {
    String(
      code.uppercased().compactMap { character -> Character? in
        switch character {
        case "-", " ": nil
        case "O": "0"
        case "I", "L": "1"
        default: character
        }
      })
  }

  private static func random(_ count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<count).map { _ in digits[Int.random(in: 0..<32, using: &generator)] })
  }
}
