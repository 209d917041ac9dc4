/// A question of check-ins that has one column of mpath_basic.csv in the layout `mpath`.
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
  /// The export writes numbers with a decimal point. mpathr expects a decimal point in the numbers
  /// of a list, but a decimal comma in a single number. Therefore the export writes a number that
  /// can have decimals as a list with one number.
  public var types: (question: String, answer: String) {
    switch kind {
    case "number", "temperature": ("sliderNeutralPos", "doubleList")
    case "choices": ("multipleChoice", "stringList")
    case "yes_no": ("yesno", "int")
    case "text": ("open", "string")
    default: ("sliderNeutralPos", "int")
    }
  }

  /// The column of this question in mpath_basic.csv.
  ///
  /// - Parameter shown: the name of the question in the form that the profile shows.
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
