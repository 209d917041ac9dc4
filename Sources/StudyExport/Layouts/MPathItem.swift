/// A question of check-ins in the layout `mpath`: one column of mpath_basic.csv.
public struct MPathItem: Hashable, Sendable {
  /// The name of the question in the record.
  public var name: String
  /// The kind of the question, as in instruments.csv.
  public var kind: String

  public init(name: String, kind: String) {
    self.name = name
    self.kind = kind
  }

  /// The type of the question and of the answer in m-Path.
  ///
  /// mpathr reads a single number with a decimal comma, and the numbers of a list with a decimal point.
  /// Therefore a number that can have decimals is a list with one number.
  public var types: (question: String, answer: String) {
    switch kind {
    case "number", "temperature": ("sliderNeutralPos", "doubleList")
    case "choices": ("multipleChoice", "stringList")
    case "yes_no": ("yesno", "int")
    case "text": ("open", "string")
    default: ("sliderNeutralPos", "int")
    }
  }

  /// The column.
  ///
  /// - Parameter shown: the name of the question as the profile shows it.
  public func column(shown: String) -> ExportColumn {
    let kind: ExportColumn.Kind =
      switch types.answer {
      case "int": .integer
      case "doubleList": .number
      case "string": .typed
      default: .word
      }
    return ExportColumn(
      "\(shown)_\(types.question)_\(types.answer)", kind,
      empty: "the prompt did not ask the question, or there is no response",
      "Newest response to the question \(shown). A mood is 0 (bad), 1 (fair) or 2 (good). Yes is 1, and no "
        + "is 0. The names of choices are in quotes, with a comma between two names",
      example: self.kind == "choices" ? #""headache","nausea""# : "4")
  }
}
