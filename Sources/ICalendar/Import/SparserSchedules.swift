import CivilTime

/// Schedules with fewer due times. An import can try these schedules if the schedule of an event
/// would ring too often in one hour.
///
/// The import tries the schedules in their order. The first schedule is the most similar to the
/// schedule of the event. The last schedule rings only at the start of the event, so each event
/// rings at least once.
public struct SparserSchedules: Sendable {
  public struct Schedule: Hashable, Sendable {
    /// The schedule as a phrase.
    public var phrase: String
    /// The part of a note that says when the alarm rings.
    public var note: String
  }

  public private(set) var all: [Schedule] = []

  /// The shortest interval between two due times, in minutes. With this interval, an hour contains
  /// 20 due times.
  private static let minutes = 3

  /// - Parameter phrase: the schedule of an imported event, such as `DTSTART:20270302T090000
  ///   RRULE:FREQ=MINUTELY`. For any other phrase, the list is empty.
  public init(of phrase: String) {
    let words = phrase.split(separator: " ").map(String.init)
    // If an event consists only of single dates, it has no DTSTART. Its dates are in ascending
    // order, so its first date is the start.
    let start =
      words.first { $0.hasPrefix("DTSTART:") }?.dropFirst(8)
      ?? words.first { $0.hasPrefix("RDATE:") }?.dropFirst(6).prefix { $0 != "," }
    guard let start, case .local(let first) = ICalendarTime(String(start)) else { return }
    add(words, "it rings at most every \(Self.minutes) minutes", Self.minutes, Self.slower)
    add(words, "it rings at most once an hour", 60, Self.hourly)
    all.append(Schedule(phrase: "\(first.date) \(first.time)", note: "it rings only at its start"))
  }

  /// Applies `change` to each rule, and removes single dates that are too close together. If the
  /// result is not equal to the original schedule, the function adds the result to `all`.
  ///
  /// - Parameter minutes: the shortest interval between two single dates (RDATE).
  private mutating func add(
    _ words: [String], _ note: String, _ minutes: Int,
    _ change: ([String: String]) -> [String: String]
  ) {
    let sparser = words.map { word in
      if word.hasPrefix("RRULE:") { return Self.rule(word, change) }
      return word.hasPrefix("RDATE:") ? Self.dates(word, minutes) : word
    }
    if sparser != words {
      all.append(Schedule(phrase: sparser.joined(separator: " "), note: note))
    }
  }

  private static func rule(_ word: String, _ change: ([String: String]) -> [String: String])
    -> String
  {
    var parts: [String: String] = [:]
    for part in word.dropFirst(6).split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      if pair.count == 2 { parts[pair[0]] = pair[1] }
    }
    let changed = change(parts)
    if changed == parts { return word }
    let others = changed.filter { $0.key != "FREQ" }.sorted { $0.key < $1.key }
    return "RRULE:FREQ=\(changed["FREQ"] ?? "")" + others.map { ";\($0.key)=\($0.value)" }.joined()
  }

  /// Leaves out single dates that are too close together. The result contains the first date. Each
  /// later date is in the result only if it is at least `minutes` minutes after the previous date
  /// of the result.
  private static func dates(_ word: String, _ minutes: Int) -> String {
    var kept: [CivilDateTime] = []
    for text in word.dropFirst(6).split(separator: ",") {
      guard case .local(let date) = ICalendarTime(String(text)) else { return word }
      let earliest = kept.last.map { $0.localSeconds + Int64(minutes) * 60 }
      if earliest.map({ date.localSeconds >= $0 }) ?? true { kept.append(date) }
    }
    return "RDATE:" + kept.map(\.calendarText).joined(separator: ",")
  }

  /// Returns a rule with a longer interval, for a rule that repeats by minutes or seconds. The new
  /// rule ends at about the same time as the original rule.
  private static func slower(_ parts: [String: String]) -> [String: String] {
    guard let frequency = parts["FREQ"], ["MINUTELY", "SECONDLY"].contains(frequency) else {
      return parts
    }
    let unit = frequency == "SECONDLY" ? 1 : 60
    let interval = (parts["INTERVAL"].flatMap { Int($0) } ?? 1) * unit
    let slow = (minutes * 60 + interval - 1) / interval * interval
    if slow % 60 != 0 { return parts }
    var rule = parts
    rule["FREQ"] = "MINUTELY"
    rule["INTERVAL"] = String(slow / 60)
    rule["BYSECOND"] = nil
    if let count = parts["COUNT"].flatMap({ Int($0) }) {
      rule["COUNT"] = String(max(1, (count * interval + slow - 1) / slow))
    }
    return rule
  }

  /// Returns a rule that has at most one due time in each hour.
  private static func hourly(_ parts: [String: String]) -> [String: String] {
    guard let frequency = parts["FREQ"] else { return parts }
    var rule = parts
    rule["BYMINUTE"] = nil
    rule["BYSECOND"] = nil
    rule["BYSETPOS"] = nil
    let seconds = ["SECONDLY": 1, "MINUTELY": 60][frequency]
    guard let seconds else { return rule }
    let interval = (parts["INTERVAL"].flatMap { Int($0) } ?? 1) * seconds
    rule["FREQ"] = "HOURLY"
    rule["INTERVAL"] = nil
    if let count = parts["COUNT"].flatMap({ Int($0) }) {
      rule["COUNT"] = String(max(1, (count * interval + 3_599) / 3_600))
    }
    return rule
  }
}
