import StudyExport

/// The data that a report reads from an export.
public struct Study {
  private(set) var prompts: [StudyPrompt] = []
  private(set) var gaps: [StudyGap] = []
  /// The newest response to each question of each prompt, by question and prompt id.
  private(set) var responses: [String: [String: StudyResponse]] = [:]
  /// True if the files contain study days instead of dates, as in an export with the profile
  /// `safe_harbor`.
  private(set) var countsDays = false

  public init() {}

  /// The names of the files that a report reads. Only prompts.csv is required.
  public static let files = ["prompts.csv", "gaps.csv", "responses.csv"]

  /// Adds one row.
  ///
  /// - Parameter file: the name of the file that contains the row. This name must be in the list
  ///   `files`.
  public mutating func add(_ line: CSVTableReader.Line, of file: String) {
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
