import CivilTime

/// The value of an RRULE, read as other calendar programs read it.
///
/// `RecurrenceRule` refuses a rule with a fault, because a caretaker who typed the rule can correct
/// it. Nobody can correct the rule of a calendar file during the import. Therefore this type leaves
/// out each part that it cannot read, and adds a sentence about this part to `faults`. If this type
/// cannot read the rule at all, the event rings only at its start.
struct ICalendarRule {
  /// The rule; nil if the event rings only at its start.
  private(set) var rule: RecurrenceRule?
  /// The faults of the rule, as sentences for notes.
  private(set) var faults: [String] = []

  private struct Part {
    var name: String
    var value: String
  }

  private static let frequencies: Set<String> = [
    "SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY",
  ]
  private static let lists: Set<String> = [
    "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH",
    "BYSETPOS",
  ]
  private static let onlyStart = "it rings only at its start"

  /// Reads a rule.
  ///
  /// - Parameters:
  ///   - isAllDay: true if the event has no time of day. The rule of such an event must not contain
  ///     times.
  ///   - lastDay: a function that returns the last day for a value of UNTIL. The initializer calls
  ///     this function only for an all-day event.
  init(_ text: String, isAllDay: Bool, lastDay: (ICalendarTime) -> CivilDate) {
    var parts = self.parts(text)
    let frequency = parts.first { $0.name == "FREQ" }?.value ?? ""
    guard Self.frequencies.contains(frequency) else {
      faults.append(
        frequency.isEmpty
          ? "the rule has no frequency, so \(Self.onlyStart)"
          : "\"\(frequency)\" is not a frequency, so \(Self.onlyStart)")
      return
    }
    if isAllDay, ["SECONDLY", "MINUTELY", "HOURLY"].contains(frequency) {
      faults.append("an event without a time of day cannot be \(frequency), so \(Self.onlyStart)")
      return
    }
    for index in parts.indices {
      if isAllDay, parts[index].name == "UNTIL", let time = ICalendarTime(parts[index].value) {
        parts[index].value = lastDay(time).calendarText
      }
      parts[index].value = readable(parts[index])
    }
    if let count = parts.first(where: { $0.name == "COUNT" }), (Int(count.value) ?? 1) < 1 {
      faults.append("COUNT=\(count.value) is not a number of times, so \(Self.onlyStart)")
      return
    }
    parts.removeAll { $0.value.isEmpty }
    removeForbidden(&parts, frequency, isAllDay: isAllDay)
    let text = parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
    do {
      rule = try RecurrenceRule(parsing: text)
    } catch {
      faults.append("\(error), so \(Self.onlyStart)")
    }
  }

  /// Returns the parts of the rule in upper case. The result does not contain unknown parts. If the
  /// rule contains a part twice, the result contains only the first of these two parts.
  private mutating func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    let known = Self.lists.union(["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "RSCALE", "SKIP"])
    var upper = text.uppercased().filter { !$0.isWhitespace }
    if upper.hasPrefix("RRULE:") { upper.removeFirst(6) }
    for piece in upper.split(separator: ";") {
      let pair = piece.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2, known.contains(pair[0]) else {
        faults.append("the part \"\(piece.prefix(40))\" of the rule is not known and is left out")
        continue
      }
      if parts.contains(where: { $0.name == pair[0] }) {
        faults.append("\(pair[0]) is given twice; the first is used")
        continue
      }
      parts.append(Part(name: pair[0], value: pair[1]))
    }
    return parts
  }

  /// Returns the readable value of a part. If the value is a list, the result does not contain the
  /// unreadable elements. The result is empty if the rule must leave out the whole part.
  private mutating func readable(_ part: Part) -> String {
    switch part.name {
    case "UNTIL":
      guard let time = ICalendarTime(part.value) else { break }
      switch time {
      case .date(let date): return date.calendarText
      case .local(let local): return local.calendarText
      case .utc(let utc): return utc.calendarText + "Z"
      }
    case "COUNT": if Int(part.value) != nil { return part.value }
    case "INTERVAL": if let count = Int(part.value), count > 0 { return part.value }
    case let list where Self.lists.contains(list):
      let values = part.value.split(separator: ",").map(String.init)
      let good = values.filter { isReadable(list, $0) }
      if good.count < values.count || values.isEmpty {
        let bad = values.filter { !good.contains($0) }.joined(separator: ",")
        faults.append("\(list)=\(bad) is not possible and is left out")
      }
      return good.joined(separator: ",")
    case "FREQ": return part.value
    default:
      if (try? RecurrenceRule(parsing: "FREQ=MONTHLY;\(part.name)=\(part.value)")) != nil {
        return part.value
      }
    }
    faults.append("\(part.name)=\(part.value.prefix(40)) is not possible and is left out")
    return ""
  }

  private func isReadable(_ name: String, _ value: String) -> Bool {
    let frame = name == "BYSETPOS" ? "FREQ=YEARLY;BYMONTH=1;" : "FREQ=YEARLY;"
    return (try? RecurrenceRule(parsing: "\(frame)\(name)=\(value)")) != nil
  }

  /// Removes the parts that RFC 5545 section 3.3.10 does not allow together with the other parts of
  /// the rule, or for an all-day event.
  private mutating func removeForbidden(
    _ parts: inout [Part], _ frequency: String, isAllDay: Bool
  ) {
    func has(_ name: String) -> Bool { parts.contains { $0.name == name } }
    var forbidden: Set<String> = []
    if frequency != "YEARLY" { forbidden.insert("BYWEEKNO") }
    if ["DAILY", "WEEKLY", "MONTHLY"].contains(frequency) { forbidden.insert("BYYEARDAY") }
    if frequency == "WEEKLY" { forbidden.insert("BYMONTHDAY") }
    if isAllDay { forbidden.formUnion(["BYHOUR", "BYMINUTE", "BYSECOND"]) }
    if !parts.contains(where: { $0.name.hasPrefix("BY") && $0.name != "BYSETPOS" }) {
      forbidden.insert("BYSETPOS")
    }
    for part in parts where forbidden.contains(part.name) {
      faults.append("\(part.name) is not possible in this rule and is left out")
    }
    parts.removeAll { forbidden.contains($0.name) }
    if has("COUNT"), has("UNTIL") {
      faults.append("the rule has COUNT and UNTIL; only UNTIL is used")
      parts.removeAll { $0.name == "COUNT" }
    }
    let takesNumbers = ["MONTHLY", "YEARLY"].contains(frequency) && !has("BYWEEKNO")
    for index in parts.indices where parts[index].name == "BYDAY" && !takesNumbers {
      let plain = parts[index].value.split(separator: ",").map { String($0.suffix(2)) }
        .joined(separator: ",")
      if plain != parts[index].value {
        faults.append("a number in BYDAY is not possible in this rule and is left out")
        parts[index].value = plain
      }
    }
  }
}
