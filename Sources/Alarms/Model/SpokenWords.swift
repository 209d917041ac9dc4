/// The words for speech synthesis. Prompter speaks these words if there is no recording.
public struct SpokenWords: Hashable, Sendable {
  public var text: String
  /// The BCP 47 tag of the language; nil for the home's language.
  public var language: String?

  public init(_ text: String, language: String?) {
    self.text = text
    self.language = language
  }
}

extension Alarm {
  /// Returns the label and the instructions of the alarm, in the person's language.
  ///
  /// If the label and the instructions are longer than 150 characters together, the function
  /// returns only the label. A ring lasts at most 30 s and contains the words twice, so a longer
  /// text would be cut off.
  func spokenWords(for person: Person?) -> SpokenWords {
    let language = person?.language
    if instructions.isEmpty { return SpokenWords(label, language: language) }
    let whole = "\(label). \(instructions)"
    return SpokenWords(whole.count > 150 ? label : whole, language: language)
  }
}

extension HomeState {
  /// The words to speak for all alarms that have no recording.
  var unrecordedWords: Set<SpokenWords> {
    Set(
      alarms.lazy.filter { $0.tone == nil }
        .map { $0.spokenWords(for: people[$0.person]?.person) })
  }

  /// Returns a text together with the language in which Prompter speaks it to a person.
  public func words(_ text: String, for person: PersonID) -> SpokenWords {
    SpokenWords(text, language: people[person]?.person?.language)
  }
}
