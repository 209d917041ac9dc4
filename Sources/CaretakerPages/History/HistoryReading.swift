import API
import CivilTime
import JSONValue

/// A prompt with the values that the page "History" shows.
struct HistoryPrompt: Sendable, Hashable {
  var id: String
  var alarm: String
  var label: String
  var person: String
  /// The due time in the zone of the alarm.
  var due: CivilDateTime
  var mark: HistoryMark
  /// The local time at which the prompt ended; nil if the prompt is open.
  var closed: CivilDateTime?

  /// - Returns: nil if the prompt is an announcement or an early reminder, because these prompts
  ///   are not tasks.
  init?(_ prompt: JSON, _ household: Household) throws(HomeTrouble) {
    if prompt["announcement"]?.bool == true || prompt["leads_to_utc"]?.string != nil { return nil }
    guard let id = prompt["id"]?.string, let alarm = prompt["alarm_id"]?.string,
      let label = prompt["label"]?.string, let person = prompt["person"]?.string,
      let due = prompt["scheduled_local"]?.string.flatMap({ try? CivilDateTime(parsing: $0) }),
      let utc = prompt["scheduled_utc"]?.string.flatMap({ try? Instant(parsing: $0) }),
      let mark = HistoryMark(outcome: prompt["outcome"]?.string, isDue: utc <= household.now)
    else { throw .unreadable(field: "prompts") }
    (self.id, self.alarm, self.label, self.person) = (id, alarm, label, person)
    (self.due, self.mark) = (due, mark)
    closed = household.local(prompt["closed_utc"]?.string)
  }
}

/// The days of one alarm in a month.
struct HistoryRow: Sendable, Hashable {
  var alarm: String
  var label: String
  var person: String
  /// The most important mark of each day with a prompt.
  var days: [CivilDate: HistoryMark] = [:]
  var done = 0
  var counted = 0

  /// Returns one row for each alarm, sorted by person and label.
  static func rows(_ prompts: [HistoryPrompt]) -> [HistoryRow] {
    var rows: [String: HistoryRow] = [:]
    // The daemon lists the newest prompt first. The label of the newest prompt is the present label
    // of the alarm.
    for prompt in prompts {
      var row =
        rows[prompt.alarm]
        ?? HistoryRow(alarm: prompt.alarm, label: prompt.label, person: prompt.person)
      row.days[prompt.due.date] = min(row.days[prompt.due.date] ?? prompt.mark, prompt.mark)
      if prompt.mark.isCounted { row.counted += 1 }
      if prompt.mark == .done { row.done += 1 }
      rows[prompt.alarm] = row
    }
    return rows.values.sorted { ($0.person, $0.label, $0.alarm) < ($1.person, $1.label, $1.alarm) }
  }
}

extension PageContext {
  /// The maximum number of reply pages with prompts that a month needs. A reply page contains 1,000
  /// prompts.
  private static let promptPages = 20

  /// Reads the tasks that a query selects, newest first.
  func prompts(_ query: [String: String]) throws(HomeTrouble) -> [HistoryPrompt] {
    var found: [HistoryPrompt] = []
    var query = query
    query["limit"] = "1000"
    for _ in 0..<Self.promptPages {
      let list = try read(.listPrompts, query: query)
      for prompt in list["prompts"]?.array ?? [] {
        if let prompt = try HistoryPrompt(prompt, household) { found.append(prompt) }
      }
      guard let next = list["next_before"]?.string else { break }
      query["before"] = next
    }
    return found
  }
}
