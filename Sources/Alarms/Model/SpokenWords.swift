/// What a voice says where nobody recorded one.
public struct SpokenWords: Hashable, Sendable {
  public var text: String
  /// BCP 47; nil for the home's own.
  public var language: String?

  public init(_ text: String, language: String?) {
    self.text = text
    self.language = language
  }
}

extension Alarm {
  /// Label and instructions, or the label alone where both, said twice, would not fit into a ring of
  /// 30 s; in the language of whom they are for.
  func spokenWords(for person: Person?) -> SpokenWords {
    let language = person?.language
    if instructions.isEmpty { return SpokenWords(label, language: language) }
    let whole = "\(label). \(instructions)"
    return SpokenWords(whole.count > 150 ? label : whole, language: language)
  }
}

extension HomeState {
  /// What voices say for the alarms that have no recording.
  public var unrecordedWords: Set<SpokenWords> {
    Set(
      alarms.lazy.filter { $0.tone == nil }
        .map { $0.spokenWords(for: people[$0.person]?.person) })
  }

  /// What is said to a person, in their language.
  public func words(_ text: String, for person: PersonID) -> SpokenWords {
    SpokenWords(text, language: people[person]?.person?.language)
  }
}
