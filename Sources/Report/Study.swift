/// What a report is made of: the rows of an export, as far as they are needed.
public struct Study {
  private(set) var prompts: [StudyPrompt] = []
  private(set) var gaps: [StudyGap] = []
  /// The answer that counts to each question of each prompt.
  private(set) var responses: [String: [String: StudyResponse]] = [:]
  /// Whether days are counted from the first, as safe harbor has them.
  private(set) var countsDays = false

  public init() {}

  /// The files it is made of; all but the first may be missing.
  public static let files = ["prompts.csv", "gaps.csv", "responses.csv"]

  /// Takes a row of one of `files`.
  public mutating func add(_ line: CSVReader.Line, of file: String) {
    switch file {
    case "prompts.csv":
      countsDays = countsDays || line.has("due_day")
      prompts.append(StudyPrompt(line))
    case "gaps.csv":
      if let gap = StudyGap(line) { gaps.append(gap) }
    default:
      guard let response = StudyResponse(line) else { return }
      let known = responses[response.question]?[response.promptID]
      if known.map({ $0.number < response.number }) ?? true {
        responses[response.question, default: [:]][response.promptID] = response
      }
    }
  }

  public var summary: Summary { Summary(self) }
}
