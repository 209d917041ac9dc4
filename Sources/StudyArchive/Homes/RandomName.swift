/// Names and codes that nobody can guess.
enum RandomName {
  /// The digits of Crockford's base 32: no I, L, O and U, which people confuse with other digits.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// The id of a stream: 80 random bits.
  static func stream() -> String { random(16).lowercased() }

  /// A code for an enrolment: 80 random bits, in groups of four.
  static func code() -> String {
    let text = Array(random(16))
    return stride(from: 0, to: text.count, by: 4).map { String(text[$0..<$0 + 4]) }
      .joined(separator: "-")
  }

  /// The code without hyphens and spaces, in capital letters, with the digits that people confuse.
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
