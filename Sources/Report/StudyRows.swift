import CivilTime
import StudyExport

/// A local time in an export: a day, and the minute of that day.
struct StudyTime: Hashable, Comparable {
  /// The number of days since 1970-01-01. In an export with the profile `safe_harbor`, the value is
  /// the study day.
  var day: Int
  var minute: Double

  /// Reads a local time from a row.
  ///
  /// - Parameter name: the column name without the suffixes that profiles add.
  init?(_ line: CSVTableReader.Line, _ name: String) {
    if let text = line["\(name)_local"] {
      self.init(text)
    } else {
      guard let day = line["\(name)_day"].flatMap({ Int($0) }),
        let minute = line["\(name)_time"].flatMap({ Self.minute($0[...]) })
      else { return nil }
      self.init(day: day, minute: minute)
    }
  }

  /// Reads a date-time in the form of RFC 3339, with or without `Z` at its end.
  init?(_ text: String) {
    let parts = text.split(separator: "T")
    guard parts.count == 2, let date = try? CivilDate(parsing: String(parts[0])),
      let minute = Self.minute(parts[1].hasSuffix("Z") ? parts[1].dropLast() : parts[1])
    else { return nil }
    self.init(day: date.dayNumber, minute: minute)
  }

  init(day: Int, minute: Double) {
    self.day = day
    self.minute = minute
  }

  private static func minute(_ text: Substring) -> Double? {
    let parts = text.split(separator: ":").compactMap { Double($0) }
    return parts.count == 3 ? parts[0] * 60 + parts[1] + parts[2] / 60 : nil
  }

  /// The minutes since the beginning of day 0.
  var minutes: Double { Double(day) * 1_440 + minute }

  static func < (a: Self, b: Self) -> Bool { (a.day, a.minute) < (b.day, b.minute) }
}

/// A prompt, with the values from prompts.csv that the report uses.
struct StudyPrompt {
  /// The way in which the report counts the prompt. A prompt that was silent because of a control
  /// phase counts as asked.
  enum Standing {
    /// Nobody had to complete the prompt. The associated value is the reason.
    case notExpected(String)
    /// The person had to complete the prompt, but the device could not ask the person. The
    /// associated value is the outcome.
    case notAsked(String)
    case asked
  }

  var id: String
  /// The id of the study; empty if the prompt is in no study.
  var studyID: String
  var person: String
  var phase: String
  var due: StudyTime?
  /// The due time in minutes, for the order of a person's prompts. The due time is in UTC. If the
  /// export contains study days, the due time is in local time.
  var order: Double
  var outcome: String
  var standing: Standing
  var isDelivered: Bool
  var isAnswered: Bool
  var isCompleted: Bool
  /// The time from the due time of the prompt to its completion.
  var completionMilliseconds: Int?
  /// The time from the due time to the first answer.
  var answerMilliseconds: Int?
  /// The time from the due time to the end of the prompt, in minutes; nil if the prompt is open.
  var openMinutes: Double?
  var firstRingMilliseconds: Int?
  var answerAfterRingMilliseconds: Int?
  var ringsToAnswer: Int?

  /// The outcomes of prompts that no person had to complete. The summary counts these prompts as
  /// excluded. Two of the values are not outcomes of the record: `open` means that the prompt has
  /// not ended, and `announcement` means that the prompt is an announcement and not a task.
  static let notExpected = [
    "open", "announcement", "suppressed_quiet_hours", "suppressed_cap", "suppressed_paused",
    "cancelled_before_due",
    "cancelled_while_ringing", "superseded_by_edit",
  ]
  /// The outcomes that mean that the device could not ask the person to do the task.
  ///
  /// A prompt with one of these outcomes gives no information about the behaviour of the person.
  static let notAsked = [
    "missed_audio_failed", "missed_device_off", "missed_suspended", "missed_clock_invalid",
    "unknown_crash",
  ]

  /// The value of `person` if the export does not contain the person of the prompt.
  static let unknownPerson = "unknown"

  init(_ line: CSVTableReader.Line) {
    func integer(_ name: String) -> Int? { line[name].flatMap { Int($0) } }
    id = line["prompt_id"] ?? ""
    studyID = line["study_id"] ?? ""
    person = line["person"] ?? Self.unknownPerson
    phase = line["phase"] ?? "none"
    due = StudyTime(line, "due")
    order = (line["due_utc"].flatMap { StudyTime($0) } ?? due)?.minutes ?? 0
    // An announcement is not a task. Therefore the report does not use the outcome in the row of an
    // announcement.
    outcome = line["is_announcement"] == "true" ? "announcement" : line["outcome"] ?? "open"
    standing =
      if Self.notExpected.contains(outcome) {
        .notExpected(outcome)
      } else if Self.notAsked.contains(outcome) { .notAsked(outcome) } else { .asked }
    isDelivered = line["is_delivered"] == "true"
    isAnswered = line["first_answer"] != nil
    isCompleted = outcome.hasPrefix("completed")
    completionMilliseconds = integer("completion_latency_ms")
    answerMilliseconds = integer("answer_latency_ms")
    let closed = line["closed_utc"].flatMap { StudyTime($0) } ?? StudyTime(line, "closed")
    openMinutes = closed.map { [order] in $0.minutes - order }
    firstRingMilliseconds = integer("first_ring_latency_ms")
    answerAfterRingMilliseconds = integer("answer_after_ring_ms")
    ringsToAnswer = integer("rings_to_answer")
  }

  var isPlanned: Bool { if case .notExpected = standing { false } else { true } }

  var isAsked: Bool { if case .asked = standing { true } else { false } }
}

/// A row of gaps.csv.
struct StudyGap {
  var from: StudyTime
  var to: StudyTime
  var cause: String

  init?(_ line: CSVTableReader.Line) {
    guard let from = StudyTime(line, "from"), let to = StudyTime(line, "to") else { return nil }
    self.from = from
    self.to = to
    cause = line["cause"] ?? ""
  }
}

/// A phase from phases.csv, with the monitored time of the phase.
struct StudyMonitoredPhase {
  var person: String
  var phase: String
  /// The id of the study; nil if an earlier version of Prompter made the export without this
  /// column.
  var studyID: String?
  var seconds: Int

  /// Reads a row; returns nil if an earlier version of Prompter made the export without the
  /// monitored time.
  init?(_ line: CSVTableReader.Line) {
    guard let seconds = line["monitored_s"].flatMap({ Int($0) }) else { return nil }
    self.seconds = seconds
    person = line["person"] ?? "unknown"
    phase = line["phase"] ?? "none"
    if line.has("study_id") { studyID = line["study_id"] ?? "" }
  }
}

/// A row of instruments.csv about a question with a range.
struct StudyRange {
  var question: String
  var low: Double
  var high: Double

  init?(_ line: CSVTableReader.Line) {
    guard let question = line["item"], let low = line["low"].flatMap({ Double($0) }),
      let high = line["high"].flatMap({ Double($0) }), low < high
    else { return nil }
    (self.question, self.low, self.high) = (question, low, high)
  }
}

/// A row of responses.csv with a number that a chart can show.
struct StudyResponse {
  /// The limit for the absolute value of a response. The report ignores a response beyond this
  /// limit, because a chart cannot show this value. Real responses are smaller than this limit.
  /// The comparison with this limit excludes the value NaN ("not a number"), too.
  private static let largest = 1e12

  var promptID: String
  var person: String
  var question: String
  var number: Int
  var unit: String
  var at: StudyTime
  var value: Double

  init?(_ line: CSVTableReader.Line) {
    guard let at = StudyTime(line, "answered"),
      let value = line["value_number"].flatMap({ Double($0) }), abs(value) < Self.largest,
      let question = line["question"]
    else { return nil }
    promptID = line["prompt_id"] ?? ""
    person = line["person"] ?? "unknown"
    self.question = question
    number = line["number"].flatMap { Int($0) } ?? 1
    unit = line["unit"] ?? ""
    self.at = at
    self.value = value
  }
}

/// A row of participants.csv.
struct StudyParticipant {
  var person: String
  var studyID: String
  var arm: String
  /// True if the person withdrew, and the study must not use any data of the person.
  var isBarred: Bool

  init(_ line: CSVTableReader.Line) {
    person = line["person"] ?? StudyPrompt.unknownPerson
    studyID = line["study_id"] ?? ""
    arm = line["arm"] ?? ""
    isBarred = line["data_use"] == "none"
  }
}
