import Sentences

/// The screen with one question of a check-in.
public struct QuestionScreen: Sendable, Hashable {
  /// The arrangement of the keys. A key is a button on the screen (see `QuestionKey`).
  public enum Layout: String, Sendable, Hashable {
    /// Only the question and no keys for answers, because the question is too long for the space
    /// beside the keys.
    case read = "read"
    /// Two keys side by side.
    case two = "two"
    /// Three faces, one for each mood.
    case faces = "faces"
    /// The numbers of a scale, in two rows.
    case scale = "scale"
    /// The keys for a number, in two rows.
    case pad = "pad"
    /// Choices in two columns.
    case columns = "columns"
    /// Choices in rows, because at least one choice is too long for a column.
    case rows = "rows"
    /// A keyboard with letters.
    case letters = "letters"
  }

  /// The key to the left of the question.
  public enum Left: Sendable, Hashable {
    case back
    /// Undoes the answer "done".
    case undo
  }

  /// The text that the person has typed so far.
  public struct TypedText: Sendable, Hashable {
    /// The typed text. In a number, the decimal sign is a point.
    public var text: String
    /// The unit of a number; empty if the number has no unit.
    public var unit = ""
    /// The permitted range, if the typed number is outside of this range; otherwise nil.
    public var range: ClosedRange<Double>?
    public var isNumber = false
  }

  public var promptID: String
  /// The name of the question in the data.
  public var name: String
  /// The text of the question, which the caretaker wrote.
  public var text: String
  /// The position of the question in the check-in, counted from 1.
  public var number: Int
  public var count: Int
  public var layout: Layout
  /// The number of the page of choices or letters, counted from 0.
  public var page: Int
  /// True if the screen shows the question in small letters and may hide the end of the question.
  /// The person has already read the whole question on the previous page.
  public var isLong: Bool
  public var draft: TypedText?
  public var left: Left?
  public var keys: [QuestionKey]
  /// The key to the right of the question; nil if the person must answer before the next step.
  public var right: QuestionKey?

  /// Returns true if the screen shows a key for this input.
  func offers(_ input: QuestionInput) -> Bool {
    input == right?.input || (input == .back && left == .back)
      || keys.contains { $0.input == input && $0.isOffered }
  }
}

/// A button that the person touches to answer a question on the screen.
public struct QuestionKey: Sendable, Hashable {
  /// The word, the sign or the drawing on a key.
  public enum Word: Sendable, Hashable {
    /// A sentence of the screen.
    case sentence(Sentence)
    /// A text that the caretaker wrote, for example a choice.
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
  /// True if the person has selected this key; nil if a person cannot select this key.
  public var isChosen: Bool?
  /// The number of columns that the key occupies.
  public var width: Int
  /// False if the key would change nothing. In this case, the screen shows an empty space in place
  /// of the key, and the other keys do not move.
  public var isOffered: Bool

  init(
    _ input: QuestionInput, _ word: Word, isChosen: Bool? = nil, width: Int = 1,
    isOffered: Bool = true
  ) {
    (self.input, self.word, self.isChosen) = (input, word, isChosen)
    (self.width, self.isOffered) = (width, isOffered)
  }
}

/// The action that follows when a person touches a `QuestionKey`.
public enum QuestionInput: Sendable, Hashable {
  /// Shows the previous page or the previous question.
  case back
  case next
  /// Skips the question without a response.
  case skip
  /// Shows the next page of choices or letters.
  case more
  /// Answers the question, and shows the next question.
  case pick(String)
  /// Selects a choice. If the choice is already selected, removes the selection.
  case toggle(String)
  /// Adds a character to the draft.
  case type(String)
  /// Adds a tone to the last vowel of the draft. The value is the number of the tone in `Keyboard`.
  case tone(Int)
  /// Removes the last character of the draft.
  case delete

  /// The text that represents the input in the page.
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

  /// Reads an input from its text; nil if the text has a wrong format.
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
