import CivilTime

/// What a care partner wrote of one day, or of one prompt.
public struct DiaryEntry: Hashable, Sendable {
  /// What it is about. A second entry about the same is a correction.
  public enum Subject: Hashable, Sendable {
    case day(CivilDate)
    case prompt(PromptID)
  }

  public var person: PersonID
  public var subject: Subject
  /// How much of what was to be done was done: 0 nothing, 1 some, 2 most, 3 all.
  public var completion: Int
  /// How much of a burden it was: 0 none to 4 very much; nil where it was not said.
  public var burden: Int?
  /// In the care partner's words, at most 2,000 characters; empty where it was erased.
  public var note: String
  /// 1 for the first entry about it, more for corrections; the highest counts.
  public var number: Int

  public init(
    person: PersonID, subject: Subject, completion: Int, burden: Int?, note: String, number: Int
  ) {
    self.person = person
    self.subject = subject
    self.completion = completion
    self.burden = burden
    self.note = note
    self.number = number
  }

  public static let completions = 0...3
  public static let burdens = 0...4
  public static let noteRule = TextRule(0...2_000, bytes: 8_192, hasLines: true)
  /// More than a year of several people; one request may bring no more.
  public static let entries = 5_000
}

extension Transition {
  /// Records entries that are new or correct others, all of them or none.
  ///
  /// - Parameters:
  ///   - prompts: those that entries are about and that are over, so that each row is of the phase in
  ///     which its prompt was due.
  ///   - unchanged: how many were known already.
  mutating func importDiary(
    _ entries: [DiaryEntry], about prompts: [Prompt], unchanged: Int
  ) throws(Refusal) {
    for prompt in prompts where self.prompt(prompt.id) == nil { put(prompt) }
    for entry in entries { emit(.diary(entry)) }
    reply = .imported(
      new: entries.count { $0.number == 1 }, corrected: entries.count { $0.number > 1 },
      unchanged: unchanged)
  }
}

extension Event {
  /// The middle of the day that a diary entry is about.
  func noon(in zone: Zone) -> Instant? {
    guard case .diary(let entry) = self, case .day(let day) = entry.subject else { return nil }
    return zone.resolve(CivilDateTime(date: day, time: .midnight)).instant.adding(
      seconds: 12 * 3_600)
  }
}
