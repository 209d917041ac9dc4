import CivilTime

/// The schedules with fewer due times that an import can try if the schedule of an event would ring
/// too often in one hour.
///
/// The import tries the schedules in their order. The first is nearest to the event. The last rings
/// only at the start of the event, so the event is never silent.
public struct SparserSchedules: Sendable {
  public struct Schedule: Hashable, Sendable {
    /// The schedule as a phrase.
    public var phrase: String
    /// The part of a note that says when the alarm rings.
    public var note: String
  }

  public private(set) var all: [Schedule] = []

  /// The shortest interval between two due times, in minutes: an hour then has 20 due times.
  private static let minutes = 3

  /// - Parameter phrase: the schedule of an imported event, such as
  ///   `DTSTART:20270302T090000 RRULE:FREQ=MINUTELY`. For other phrases, the list stays empty.
  public init(of phrase: String) {
    let words = phrase.split(separator: " ").map(String.init)
    guard let start = words.first(where: { $0.hasPrefix("DTSTART:") })?.dropFirst(8),
      case .local(let first) = ICalendarTime(String(start))
    else { return }
    add(words, "it rings at most every \(Self.minutes) minutes", Self.slower)
    add(words, "it rings at most once an hour", Self.hourly)
    all.append(Schedule(phrase: "\(first.date) \(first.time)", note: "it rings only at its start"))
  }

  /// Adds the schedule with changed rules, if a rule changes.
  private mutating func add(
    _ words: [String], _ note: String, _ change: ([String: String]) -> [String: String]
  ) {
    var phrase: [String] = []
    for word in words {
      guard word.hasPrefix("RRULE:") else {
        // The added dates can be too close to each other. The rule has most of the due times.
        if !word.hasPrefix("RDATE") { phrase.append(word) }
        continue
      }
      var parts: [String: String] = [:]
      for part in word.dropFirst(6).split(separator: ";") {
        let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
        if pair.count == 2 { parts[pair[0]] = pair[1] }
      }
      let changed = change(parts)
      if changed == parts {
        phrase.append(word)
      } else {
        let others = changed.filter { $0.key != "FREQ" }.sorted { $0.key < $1.key }
        phrase.append(
          "RRULE:FREQ=\(changed["FREQ"] ?? "")" + others.map { ";\($0.key)=\($0.value)" }.joined())
      }
    }
    if phrase.contains(where: { $0.hasPrefix("RRULE:") }), phrase != words {
      all.append(Schedule(phrase: phrase.joined(separator: " "), note: note))
    }
  }

  /// A rule by minutes or seconds with a longer interval. The new rule ends at about the same time.
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

  /// A rule that has at most one due time in each hour.
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
