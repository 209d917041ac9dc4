/// A button that adds or removes a part of the form of an alarm. The button saves nothing.
enum FormButton: RawRepresentable, Sendable, Hashable {
  /// A kind of part of the form. An alarm can have several parts of each kind.
  enum Part: String, Sendable, CaseIterable {
    case question = "question"
    case burst = "burst"
  }

  case add(Part)
  /// - Parameter index: the index of the part in the form. The first part has the index 0.
  case remove(Part, index: Int)

  init?(rawValue: String) {
    let words = rawValue.split(separator: "-")
    guard let part = words.first.flatMap({ Part(rawValue: String($0)) }) else { return nil }
    if words.dropFirst() == ["add"] {
      self = .add(part)
    } else if words.count == 3, words[1] == "remove", let index = Int(words[2]) {
      self = .remove(part, index: index)
    } else {
      return nil
    }
  }

  var rawValue: String {
    switch self {
    case .add(let part): "\(part.rawValue)-add"
    case .remove(let part, let index): "\(part.rawValue)-remove-\(index)"
    }
  }

  func change(_ form: inout AlarmForm) {
    switch self {
    case .add(.question): form.questions.append(QuestionFields())
    case .add(.burst): form.bursts.append(BurstFields())
    case .remove(.question, let index):
      if form.questions.indices.contains(index) { form.questions.remove(at: index) }
    case .remove(.burst, let index):
      // An alarm has at least one burst, so the first burst stays.
      if index > 0, form.bursts.indices.contains(index) { form.bursts.remove(at: index) }
    }
  }

  /// Returns true if the button removed a part of this kind.
  func removed(_ part: Part) -> Bool {
    if case .remove(part, _) = self { true } else { false }
  }
}
