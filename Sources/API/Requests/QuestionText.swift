import Alarms

// The text form of questions. A person can type this text. Examples: `weight=number(kg, 30..200)
// What do you weigh?`, `note=text(optional) Anything else?`, `feels=choices(headache|nausea=Feeling
// sick) What is it?`.
extension QuestionForm {
  /// Reads the text of a question.
  ///
  /// - Parameter field: the field that contains the text; a refusal names this field.
  public init(words: String, field: String) throws(Refusal) {
    self.init()
    guard let equals = words.firstIndex(of: "=") else { throw Self.unreadable(words, field) }
    name = Self.trimmed(words[..<equals])
    let rest = words[words.index(after: equals)...].drop { $0 == " " }
    let kind = rest.prefix { $0.isLetter || $0 == "_" }
    guard !kind.isEmpty else { throw Self.unreadable(words, field) }
    self.kind = kind == "yesno" ? "yes_no" : String(kind)
    var question = rest[kind.endIndex...]
    if question.first == "(" {
      guard let end = question.firstIndex(of: ")") else { throw Self.unreadable(words, field) }
      for part in question[question.index(after: question.startIndex)..<end].split(separator: ",") {
        try read(Self.trimmed(part), field: field)
      }
      question = question[question.index(after: end)...]
    }
    text = Self.trimmed(question)
  }

  private mutating func read(_ part: String, field: String) throws(Refusal) {
    if part == "optional" {
      isRequired = false
    } else if part == "required" {
      isRequired = true
    } else if let dots = part.firstRange(of: "..") {
      guard let low = Double(part[..<dots.lowerBound]), let high = Double(part[dots.upperBound...])
      else {
        throw Refusal(
          .invalidField, field: field, "\"\(part)\" is not a range; write it like 30..200")
      }
      (min, max) = (low, high)
    } else if kind == "choices" {
      choices = (choices ?? []) + part.split(separator: "|").map(Self.choice)
    } else {
      unit = part
    }
  }

  /// Reads the text of one choice of a question, such as `headache` or `nausea=Feeling sick`.
  private static func choice(_ text: Substring) -> Choice {
    guard let equals = text.firstIndex(of: "=") else {
      return Choice(name: trimmed(text), text: trimmed(text))
    }
    return Choice(
      name: trimmed(text[..<equals]), text: trimmed(text[text.index(after: equals)...]))
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let head = text.drop { $0.isWhitespace }
    return String(String(head.reversed().drop { $0.isWhitespace }).reversed())
  }

  private static func unreadable(_ words: String, _ field: String) -> Refusal {
    Refusal(
      .invalidField, field: field,
      "\"\(words)\" is not a question; write it like \"pain=scale How bad is the pain?\" or "
        + "\"weight=number(kg, 30..200) What do you weigh?\"")
  }
}
