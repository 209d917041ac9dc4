import StudyExport

/// The data that a report reads from an export.
public struct Study {
  private(set) var prompts: [StudyPrompt] = []
  private(set) var gaps: [StudyGap] = []
  /// The monitored time of each phase that the report counts.
  private(set) var monitored: [StudyMonitoredPhase] = []
  /// True if the export contains monitored times. The value can be true even if the report counts
  /// none of these phases.
  private(set) var hasMonitoredTimes = false
  /// The newest response to each question of each prompt. The first key is the question, and the
  /// second key is the id of the prompt.
  private(set) var responses: [String: [String: StudyResponse]] = [:]
  /// The range of each question; empty if the export has no instruments.csv. The range of a
  /// question includes the ranges of all versions of the question.
  private(set) var ranges: [String: (low: Double, high: Double)] = [:]
  /// The enrolments, in the order in which they were recorded.
  private(set) var participants: [StudyParticipant] = []
  /// True if the files contain study days instead of dates, as in an export with the profile
  /// `safe_harbor`.
  private(set) var countsDays = false

  /// A sentence about the prompts that the report counts.
  public private(set) var selection = ""

  public init() {}

  /// The choice of the prompts that a report counts.
  public enum Selection: Sendable, Hashable {
    /// The prompts of the only study; all prompts if the export has no study.
    case onlyStudy
    case study(String)
    /// All prompts, including the prompts outside a study.
    case everybody
  }

  /// Removes the prompts and the responses that the report does not count.
  ///
  /// - Throws: a `StudyChoiceError` if the export has several studies and `selection` is
  ///   `onlyStudy`, or if the export has no prompt of the study in `selection`.
  public mutating func select(_ selection: Selection) throws(StudyChoiceError) {
    let studies = Set(prompts.map(\.studyID)).subtracting([""]).sorted()
    let chosen: String?
    switch selection {
    case .everybody: chosen = nil
    case .onlyStudy where studies.count > 1:
      throw StudyChoiceError(
        "it contains the studies \(studies.joined(separator: ", ")); choose one with --study, or "
          + "count all prompts with --everybody")
    case .onlyStudy: chosen = studies.first
    case .study(let id):
      guard studies.contains(id) else {
        throw StudyChoiceError(
          "it contains no prompt of the study \"\(id)\""
            + (studies.isEmpty ? "" : "; its studies are \(studies.joined(separator: ", "))"))
      }
      chosen = id
    }
    let barred = leaveOutBarred(of: chosen)
    guard let chosen else {
      self.selection =
        (prompts.count == 1
          ? "Counted: the only prompt." : "Counted: all \(prompts.count) prompts.")
        + barred
      return
    }
    participants.removeAll { $0.studyID != chosen }
    let total = prompts.count
    keep { $0.studyID == chosen }
    monitored.removeAll { $0.studyID ?? chosen != chosen }
    self.selection =
      "Counted: \(Self.counted(prompts.count)) of the study \(chosen). Not counted: "
      + "\(Self.counted(total - prompts.count, "other prompt"))." + barred
  }

  /// Removes the prompts of people who do not allow the use of their data.
  ///
  /// These people withdrew from a study, and do not allow the study to use their data. If such a
  /// person was enrolled in this study several times, the function removes the prompts of all these
  /// enrolments.
  ///
  /// - Parameter chosen: the study that the report counts; nil for all studies.
  /// - Returns: a sentence that begins with a space; empty if the export contains no such person.
  private mutating func leaveOutBarred(of chosen: String?) -> String {
    let barred = Set(
      participants.filter { $0.isBarred && (chosen == nil || $0.studyID == chosen) }
        .map { [$0.studyID, $0.person] })
    guard !barred.isEmpty else { return "" }
    keep { !barred.contains([$0.studyID, $0.person]) }
    monitored.removeAll { barred.contains([$0.studyID ?? "", $0.person]) }
    // A small number of people could reveal who withdrew. Therefore the sentence does not contain a
    // small number.
    let people = Set(barred.map { $0[1] }).count
    let number =
      people < ExportTable.smallCell ? "fewer than \(ExportTable.smallCell)" : "\(people)"
    return
      " Left out: the prompts of \(number) people who withdrew and do not allow the study to use "
      + "their data."
  }

  /// Keeps only the prompts for which `isKept` returns true, and the responses to these prompts.
  private mutating func keep(_ isKept: (StudyPrompt) -> Bool) {
    prompts.removeAll { !isKept($0) }
    let kept = Set(prompts.map(\.id))
    for question in responses.keys {
      responses[question] = responses[question]?.filter { kept.contains($0.key) }
    }
    responses = responses.filter { !$0.value.isEmpty }
  }

  private static func counted(_ count: Int, _ noun: String = "prompt") -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The names of the files that a report reads. Only prompts.csv is required.
  public static let files = [
    "prompts.csv", "gaps.csv", "phases.csv", "participants.csv", "instruments.csv",
    "responses.csv",
  ]

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
    case "phases.csv":
      guard let phase = StudyMonitoredPhase(line) else { return }
      monitored.append(phase)
      hasMonitoredTimes = true
    case "instruments.csv":
      guard let range = StudyRange(line) else { return }
      let known = ranges[range.question]
      ranges[range.question] = (
        min(range.low, known?.low ?? range.low), max(range.high, known?.high ?? range.high)
      )
    case "participants.csv": participants.append(StudyParticipant(line))
    default:
      guard let response = StudyResponse(line) else { return }
      let known = responses[response.question]?[response.promptID]
      if known.map({ $0.number < response.number }) ?? true {
        responses[response.question, default: [:]][response.promptID] = response
      }
    }
  }

  /// The arm of each person in the newest enrolment of this person.
  var arms: [String: String] {
    participants.reduce(into: [:]) { $0[$1.person] = $1.arm }
  }

  public var summary: Summary { Summary(self) }

  public var estimates: Estimates { Estimates(self) }
}

/// The reason why a report cannot decide which prompts to count.
public struct StudyChoiceError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
