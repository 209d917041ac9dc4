/// The content of the record that an erasure deletes permanently.
///
/// The rows of the record stay. Names and typed or spoken words are stored outside the hash chain,
/// so they can be deleted.
public enum Erasure: Hashable, Sendable {
  /// All words of one removed alarm: its versions, its answers in words, and the notified contacts.
  case alarm(AlarmID)
  /// All words of a person, except the words that Prompter still needs to remind the person.
  ///
  /// The present alarms, the name of the person and the person's code in a study stay.
  case words(PersonID)
  /// The identity of a removed person: name, code, and the link to the pseudonym.
  case identity(PersonID)

  /// The name of the scope in the record.
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

/// The data outside the record that is erased together with words.
public struct WordsErased: Hashable, Sendable {
  /// The SHA-256 of each picture to erase: pictures of alarms, and photos of completed tasks.
  public var pictures: Set<String>

  public init(pictures: Set<String> = []) { self.pictures = pictures }
}
