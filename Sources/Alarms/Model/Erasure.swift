/// What is erased for good. The rows of the record stay; what a person typed, said or was called lies
/// outside its chain and goes.
public enum Erasure: Hashable, Sendable {
  /// Every word of one alarm that was removed: its versions, answers in words, who was told.
  case alarm(AlarmID)
  /// Every word of a person, but for what their care still needs: the alarms that are set, their name,
  /// and their code in a study.
  case words(PersonID)
  /// Who a person is who was removed: their name, their code, and which pseudonym was theirs.
  case identity(PersonID)

  /// The word for it in the record.
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

/// What goes with the words of an erasure and lies outside the record.
public struct WordsErased: Hashable, Sendable {
  /// Digests of pictures that the words are about: what alarms showed, and what showed that tasks were done.
  public var pictures: Set<String>

  public init(pictures: Set<String> = []) { self.pictures = pictures }
}
