/// The part of the record's content that an erasure deletes permanently.
///
/// The rows of the record stay. The hash chain does not cover names and typed words, so the daemon
/// can delete these names and words.
public enum Erasure: Hashable, Sendable {
  /// All texts of one removed alarm: the texts of its versions, the typed responses, and the names
  /// of the notified contacts.
  case alarm(AlarmID)
  /// All texts about a person, except the texts that are still in use.
  ///
  /// The erasure keeps the texts of present alarms, the name of the person, and the person's code
  /// in a study.
  case words(PersonID)
  /// The identity of a removed person: the name, the code in a study, and the link to the
  /// pseudonym.
  case identity(PersonID)

  /// The name of this kind of erasure in the record.
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

/// The files outside the record that an erasure also deletes.
public struct WordsErased: Hashable, Sendable {
  /// The SHA-256 of each picture to erase: pictures of alarms, and photos of completed tasks.
  public var pictures: Set<String>

  public init(pictures: Set<String> = []) { self.pictures = pictures }
}
