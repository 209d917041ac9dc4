/// Words for speech synthesis, used if there is no recording.
public struct SpokenWords: Hashable, Sendable {
  public var text: String
  /// BCP 47 tag of the language; nil for the home's language.
  public var language: String?

  public init(_ text: String, language: String?) {
    self.text = text
    self.language = language
  }
}

extension Alarm {
  /// Label and instructions of the alarm, in the person's language.
  ///
  /// Over 150 characters it is the label alone. A ring says the words twice and lasts at most 30 s,
  /// so longer words would not fit.
  func spokenWords(for person: Person?) -> SpokenWords {
    let language = person?.language
    if instructions.isEmpty { return SpokenWords(label, language: language) }
    let whole = "\(label). \(instructions)"
    return SpokenWords(whole.count > 150 ? label : whole, language: language)
  }
}

extension HomeState {
  /// Words to be spoken for the alarms without a recording.
  public var unrecordedWords: Set<SpokenWords> {
    Set(
      alarms.lazy.filter { $0.tone == nil }
        .map { $0.spokenWords(for: people[$0.person]?.person) })
  }

  /// Makes words to be spoken to a person, in that person's language.
  public func words(_ text: String, for person: PersonID) -> SpokenWords {
    SpokenWords(text, language: people[person]?.person?.language)
  }
}
