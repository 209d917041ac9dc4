import Alarms
import Sentences

/// The keys on the screen with which a person types a number as the answer to a question.
enum QuestionNumber {
  /// The maximum number of characters that a person can type for a number.
  static let characters = 8

  /// Returns the keys in two rows of seven columns: digits, the decimal sign, the minus sign and
  /// the key "delete".
  static func keys(_ draft: String, _ kind: Question.Kind) -> [QuestionKey] {
    let hasPlace = draft.count < characters
    func digit(_ number: Int) -> QuestionKey {
      QuestionKey(.type(String(number)), .sign(String(number)), isOffered: hasPlace)
    }
    let hasDigit = draft.last?.isNumber == true
    let mayHaveFraction = hasPlace && !isWhole(kind) && hasDigit && !draft.contains(".")
    let mayBeNegative = draft.isEmpty && kind.bounds.lowerBound < 0
    return (1...5).map(digit) + [
      QuestionKey(.type("."), .decimalSign, isOffered: mayHaveFraction),
      QuestionKey(.type("-"), .sign("−"), isOffered: mayBeNegative),
    ] + (6...9).map(digit) + [
      digit(0),
      QuestionKey(
        .delete, .sentence(.questionDelete), width: 2, isOffered: !draft.isEmpty),
    ]
  }

  private static func isWhole(_ kind: Question.Kind) -> Bool {
    if case .scale = kind { true } else { false }
  }

  /// Returns a number in the form in which a person types it, with a point as the decimal sign.
  static func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }

  /// Returns words for a UCUM code. The text is empty for a code without words; in this case, the
  /// question itself must name the unit.
  static func unit(_ code: String?) -> String {
    switch code {
    case nil, "1", "{steps}", "{tablets}", "{glasses}": ""
    case "mm[Hg]": "mmHg"
    case "[lb_av]": "lb"
    case "Cel": "°C"
    case "[degF]": "°F"
    case let code?: code
    }
  }
}
