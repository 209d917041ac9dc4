/// Content of the record that is erased permanently.
///
/// The rows of the record stay. Words that a person typed or said, and names, are stored outside
/// the hash chain and are deleted.
public enum Erasure: Hashable, Sendable {
  /// All words of one removed alarm: its versions, answers in words, and notified contacts.
  case alarm(AlarmID)
  /// All words of a person, except those that their care still needs.
  ///
  /// The exceptions are the alarms that are set, their name, and their code in a study.
  case words(PersonID)
  /// Identity of a removed person: their name, their code, and the link to their pseudonym.
  case identity(PersonID)

  /// Name of the scope in the record.
  public var scope: String {
    switch self {
    case .alarm: "alarm"
    case .words: "words"
    case .identity: "identity"
    }
  }

  public var person: PersonID? {
    switch self {
    case .alarm: nil
    case .words(let person), .identity(let person): person
    }
  }
}

/// Data outside the record that is erased together with words.
public struct WordsErased: Hashable, Sendable {
  /// Digests of pictures that the words are about: pictures of alarms, and photos of completed
  /// tasks.
  public var pictures: Set<String>

  public init(pictures: Set<String> = []) { self.pictures = pictures }
}
