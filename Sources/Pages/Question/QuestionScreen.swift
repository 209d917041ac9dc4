import Sentences

/// The screen with one question of a check-in.
public struct QuestionScreen: Sendable, Hashable {
  /// How the keys are arranged.
  public enum Layout: String, Sendable, Hashable {
    /// The question alone, because it is too long to be read beside the keys.
    case read = "read"
    /// Two keys side by side.
    case two = "two"
    /// Three faces.
    case faces = "faces"
    /// The numbers of a scale in two rows.
    case scale = "scale"
    /// Digits in two rows.
    case pad = "pad"
    /// Choices in two columns.
    case columns = "columns"
    /// Choices in rows, because a choice is long.
    case rows = "rows"
    /// A keyboard with letters.
    case letters = "letters"
  }

  /// The key beside the question on the left.
  public enum Left: Sendable, Hashable {
    case back
    /// Takes the answer "done" back.
    case undo
  }

  /// What the person has typed.
  public struct Draft: Sendable, Hashable {
    /// The text. A number has a point as its decimal sign.
    public var text: String
    /// The unit of a number; empty if it has none.
    public var unit = ""
    /// The smallest and the largest number, if the number is outside of this range.
    public var range: ClosedRange<Double>?
    public var isNumber = false
  }

  public var promptID: String
  /// The name of the question.
  public var name: String
  /// The question in the caretaker's words.
  public var text: String
  /// The place of the question, from 1.
  public var number: Int
  public var count: Int
  public var layout: Layout
  /// The number of the page of choices or letters, from 0.
  public var page: Int
  /// True if the question is shown in small letters, and its end may be hidden. The person has read
  /// the whole question before.
  public var isLong: Bool
  public var draft: Draft?
  public var left: Left?
  public var keys: [QuestionKey]
  /// The key beside the question on the right; nil if the person must answer first.
  public var right: QuestionKey?

  /// True if the screen shows a key for this input.
  func offers(_ input: QuestionInput) -> Bool {
    input == right?.input || (input == .back && left == .back)
      || keys.contains { $0.input == input && $0.isOffered }
  }
}

/// A key of a question screen.
public struct QuestionKey: Sendable, Hashable {
  /// The word, the sign or the drawing on a key.
  public enum Word: Sendable, Hashable {
    /// A sentence of the screen.
    case sentence(Sentence)
    /// A word of the caretaker, for example a choice.
    case text(String)
    /// A digit or a letter.
    case sign(String)
    /// A face for a mood.
    case face(Face)
    /// The decimal sign of the language.
    case decimalSign
  }

  public enum Face: Sendable, Hashable {
    case bad
    case fair
    case good
  }

  public var input: QuestionInput
  public var word: Word
  /// True if the person has chosen this key; nil if a key cannot be chosen.
  public var isChosen: Bool?
  /// The number of columns that the key takes.
  public var width: Int
  /// False if the key would change nothing. Then its place is empty, and the other keys stay in
  /// their places.
  public var isOffered: Bool

  init(
    _ input: QuestionInput, _ word: Word, isChosen: Bool? = nil, width: Int = 1,
    isOffered: Bool = true
  ) {
    (self.input, self.word, self.isChosen) = (input, word, isChosen)
    (self.width, self.isOffered) = (width, isOffered)
  }
}

/// What a key of a question screen does.
public enum QuestionInput: Sendable, Hashable {
  /// Shows the page or the question before.
  case back
  case next
  /// Leaves the question without a response.
  case skip
  /// Shows the next page of choices or letters.
  case more
  /// Answers the question, and shows the next one.
  case pick(String)
  /// Selects a choice, or removes the selection.
  case toggle(String)
  /// Adds a character to the draft.
  case type(String)
  /// Changes the last vowel of the draft: the number of a tone of `Keyboard`.
  case tone(Int)
  /// Removes the last character of the draft.
  case delete

  /// The text of the input in the page.
  public var text: String {
    switch self {
    case .back: "back"
    case .next: "next"
    case .skip: "skip"
    case .more: "more"
    case .pick(let value): "pick \(value)"
    case .toggle(let name): "toggle \(name)"
    case .type(let character): "type \(character)"
    case .tone(let number): "tone \(number)"
    case .delete: "delete"
    }
  }

  /// Reads the text of an input; nil if it has another form.
  public init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    switch (words[0], words.count == 2 ? String(words[1]) : nil) {
    case ("back", nil): self = .back
    case ("next", nil): self = .next
    case ("skip", nil): self = .skip
    case ("more", nil): self = .more
    case ("delete", nil): self = .delete
    case ("pick", let value?): self = .pick(value)
    case ("toggle", let name?): self = .toggle(name)
    case ("type", let character?): self = .type(character)
    case ("tone", let number?):
      guard let number = Int(number) else { return nil }
      self = .tone(number)
    default: return nil
    }
  }
}
