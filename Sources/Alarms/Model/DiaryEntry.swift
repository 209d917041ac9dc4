import CivilTime

/// A diary entry about one day or one prompt. A care partner writes the entry. A care partner is a
/// person who cares for the participant.
public struct DiaryEntry: Hashable, Sendable {
  /// The day or the prompt to which the entry refers. A new entry about the same subject replaces
  /// the earlier entry.
  public enum Subject: Hashable, Sendable {
    case day(CivilDate)
    case prompt(PromptID)
  }

  public var person: PersonID
  public var subject: Subject
  /// The share of the planned tasks that the person completed: 0 for none, 1 for some, 2 for most,
  /// and 3 for all tasks.
  public var completion: Int
  /// The care partner's burden, from 0 (none) to 4 (very much); nil if the care partner entered no
  /// value.
  public var burden: Int?
  /// The text that the care partner wrote, at most 2,000 characters. The text is empty if somebody
  /// erased the text.
  public var note: String
  /// The number of this entry among all entries of the person about the same day or prompt. The
  /// first entry has the number 1. A correction is a new entry with the next number. Only the entry
  /// with the highest number is valid.
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
  /// The maximum number of entries in one request. Example: 13 people and one entry per day about
  /// each person give 4,745 entries in a year.
  public static let entries = 5_000
}

extension Transition {
  /// Records new and corrected entries. The caller must check all entries before it calls this
  /// function.
  ///
  /// - Parameters:
  ///   - prompts: the closed prompts to which the entries refer. If an entry is about one of these
  ///     prompts, the event of this entry also contains the study phase at the due time of the
  ///     prompt.
  ///   - unchanged: the number of entries that the record already contains.
  ///   - older: the number of imported entries that repeat an outdated entry of the record. An
  ///     entry is outdated if the record also contains its correction.
  mutating func importDiary(
    _ entries: [DiaryEntry], about prompts: [Prompt], unchanged: Int, older: Int
  ) throws(Refusal) {
    for prompt in prompts where self.prompt(prompt.id) == nil { put(prompt) }
    for entry in entries { emit(.diary(entry)) }
    reply = .imported(
      new: entries.count { $0.number == 1 }, corrected: entries.count { $0.number > 1 },
      unchanged: unchanged, older: older)
  }
}

extension Event {
  /// For a diary entry about a day, returns the instant 12 hours after the start of this day. For
  /// any other event, the result is nil.
  func noon(in zone: Zone) -> Instant? {
    guard case .diary(let entry) = self, case .day(let day) = entry.subject else { return nil }
    return zone.resolve(CivilDateTime(date: day, time: .midnight)).instant.adding(
      seconds: 12 * 3_600)
  }
}
