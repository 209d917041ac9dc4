/// The rules for the code of a participant (`pseudonym`). If a code follows these rules, other
/// programs do not change the code when they read an export.
///
/// A researcher opens an export with a spreadsheet, R or pandas. These programs read some texts as
/// a number, a date, a missing value or a truth value. Two codes could then become the same value,
/// and the data of two participants would be mixed.
enum ParticipantCode {
  /// The reason why another program could change a code, for example a spreadsheet that reads the
  /// code as a date. The result is nil if no known program changes the code.
  static func danger(_ code: String) -> String? {
    let text = code.lowercased()
    if let meaning = words[text] { return meaning }
    if text.hasPrefix("-") { return "spreadsheets read a text that begins with - as a formula" }
    if isPlainNumber(text) {
      return text.utf8.count > 15 ? "spreadsheets keep only 15 digits of a number" : nil
    }
    if text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }) {
      return "spreadsheets read it as a date or as a number"
    }
    if isNumber(text) { return "spreadsheets and R read it as a number" }
    if isDate(text) { return "spreadsheets read it as a date" }
    return nil
  }

  /// A simplified form of a code, for comparisons. Two codes have the same simplified form if a
  /// spreadsheet or R could treat these codes as equal.
  ///
  /// Spreadsheets ignore the case of letters, and remove the zeros at the start of a number.
  static func key(_ code: String) -> String {
    let text = code.lowercased()
    guard isPlainNumber(text) else { return text }
    let digits = text.drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
  }

  /// Words that have a meaning in R, pandas, a spreadsheet or the tables of Prompter.
  private static let words: [String: String] = {
    let groups: [(String, [String])] = [
      (
        "R, pandas and other programs read it as a missing value",
        ["na", "n.a.", "n.a", "nan", "null", "nil", "none", "missing"]
      ),
      (
        "R and spreadsheets read it as true or false",
        ["true", "false", "t", "f", "yes", "no", "wahr", "falsch"]
      ),
      ("R and pandas read it as an infinite number", ["inf", "infinity"]),
      (
        "the tables use this word for all participants or for an unknown person",
        ["all", "unknown"]
      ),
    ]
    return Dictionary(
      groups.flatMap { reason, words in words.map { ($0, reason) } }, uniquingKeysWith: { $1 })
  }()

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isPlainNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isDigit)
  }

  /// True if R reads the text as a number with an exponent (`1e5`, `1d5`) or as a hexadecimal
  /// number (`0x1f`).
  private static func isNumber(_ text: String) -> Bool {
    if text.hasPrefix("0x") {
      return text.utf8.dropFirst(2).allSatisfy {
        isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
          || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "p") || $0 == UInt8(ascii: "-")
      }
    }
    guard
      let mark = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "d") })
    else { return false }
    let mantissa = text.utf8[..<mark]
    var exponent = text.utf8[text.utf8.index(after: mark)...]
    if exponent.first == UInt8(ascii: "-") { exponent = exponent.dropFirst() }
    return mantissa.contains(where: isDigit)
      && mantissa.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
      && !exponent.isEmpty && exponent.allSatisfy(isDigit)
  }

  /// True if a spreadsheet reads the text as a date: a month with a number, such as `mar-1`,
  /// `SEPT2` or `1dec2026`.
  private static func isDate(_ text: String) -> Bool {
    let letters = text.filter(\.isLetter)
    guard months.contains(letters), text.contains(where: \.isNumber), text.contains(letters) else {
      return false
    }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
  }

  /// The names of the months and their short forms in English and German.
  private static let months: Set<String> = [
    "jan", "january", "januar", "feb", "february", "februar", "mar", "march", "apr", "april",
    "may", "mai", "jun", "june", "juni", "jul", "july", "juli", "aug", "august", "sep", "sept",
    "september", "oct", "october", "okt", "oktober", "nov", "november", "dec", "december", "dez",
    "dezember",
  ]
}
