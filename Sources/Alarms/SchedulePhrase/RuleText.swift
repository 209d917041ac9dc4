import CivilTime

/// A schedule as RFC 5545 text.
///
/// The text is either one rule, `FREQ=DAILY;…`, or several properties, `DTSTART:… RRULE:… RDATE:…
/// EXDATE:…`. Spaces or line breaks separate the properties. A DTSTART applies to all rules between
/// this DTSTART and the next DTSTART. A rule without DTSTART starts at the beginning of the present
/// minute. Exception: a rule with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY starts at the beginning of
/// the present hour, if the rule contains BYHOUR and no BYMINUTE.
struct RuleText {
  private let text: String
  private let now: Instant
  private let zone: Zone
  private static let names = ["DTSTART", "RRULE", "RDATE", "EXDATE"]

  static func isRuleText(_ text: String) -> Bool {
    let head = text.drop { $0.isWhitespace }.prefix(8).uppercased()
    return head.hasPrefix("FREQ=") || names.contains { head.hasPrefix($0) }
  }

  init(_ text: String, now: Instant, zone: Zone) {
    self.text = text
    self.now = now
    self.zone = zone
  }

  /// Reads the RFC 5545 text, and returns the schedule.
  ///
  /// - Throws: a refusal of the field `schedule`.
  func schedule() throws(Refusal) -> Schedule {
    var start: CivilDateTime?
    var dates: [CivilDateTime] = []
    var excluded: [CivilDateTime] = []
    var excludedDays: [CivilDate] = []
    var groups: [(start: CivilDateTime?, rules: [Property])] = []
    for property in properties() {
      switch property.name {
      case "DTSTART":
        guard case .dateTime(let value)? = try values(property).first else {
          throw refusal(property, "it needs a time of day, for example 20261201T080000")
        }
        start = value
      case "RDATE":
        for value in try values(property) {
          guard case .dateTime(let dateTime) = value else {
            throw refusal(property, "it needs a time of day, for example 20261201T080000")
          }
          dates.append(dateTime)
        }
      case "EXDATE":
        for value in try values(property) {
          switch value {
          case .date(let date): excludedDays.append(date)
          case .dateTime(let dateTime): excluded.append(dateTime)
          }
        }
      default:
        if let last = groups.last, last.start == start {
          groups[groups.count - 1].rules.append(property)
        } else {
          groups.append((start, [property]))
        }
      }
    }
    var rules: [RecurringDates.Rule] = []
    for group in groups {
      let found = try anchored(group.rules, group.start)
      rules += found.rules
      dates += found.single.map { [$0] } ?? []
    }
    if groups.isEmpty, let start { dates.append(start) }
    if let only = rules.first, rules.count == 1, dates.isEmpty, excluded.isEmpty,
      excludedDays.isEmpty
    {
      return .recurring(only.rule, start: only.start)
    }
    if rules.isEmpty, dates.count == 1, excluded.isEmpty, excludedDays.isEmpty {
      return .once(dates[0])
    }
    guard !rules.isEmpty || !dates.isEmpty else {
      throw Refusal(.invalidField, field: "schedule", "it contains neither a rule nor a date")
    }
    return .several(
      RecurringDates(rules: rules, dates: dates, excluded: excluded, excludedDays: excludedDays))
  }

  private struct Property {
    var name: String
    var parameters: String
    var value: String
    var column: Int
  }

  private enum Value {
    case date(CivilDate)
    case dateTime(CivilDateTime)
  }

  private func properties() -> [Property] {
    var found: [Property] = []
    var column = 1
    for word in text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
      defer { column += word.count + 1 }
      if word.isEmpty { continue }
      let upper = word.uppercased()
      if let name = Self.names.first(where: {
        upper.hasPrefix($0 + ":") || upper.hasPrefix($0 + ";")
      }),
        let colon = word.firstIndex(of: ":")
      {
        let head = word[..<colon].dropFirst(name.count).drop { $0 == ";" }
        found.append(
          Property(
            name: name, parameters: String(head), value: String(word[word.index(after: colon)...]),
            column: column))
      } else if found.isEmpty {
        found.append(Property(name: "RRULE", parameters: "", value: String(word), column: column))
      } else {
        // This word continues a value that contains a space, as in "FREQ=DAILY; BYHOUR=8".
        found[found.count - 1].value += word
      }
    }
    return found
  }

  private func refusal(_ property: Property, _ why: String) -> Refusal {
    Refusal(
      .invalidField, field: "schedule",
      "cannot read \(property.name) at character \(property.column) of \"\(text)\": \(why)")
  }

  private func values(_ property: Property) throws(Refusal) -> [Value] {
    for parameter in property.parameters.split(separator: ";") {
      let pair = parameter.split(separator: "=", maxSplits: 1).map(String.init)
      let isDate = pair == ["VALUE", "DATE"] || pair == ["VALUE", "DATE-TIME"]
      if pair.first == "TZID", pair.count == 2 {
        guard pair[1] == zone.name else {
          throw refusal(
            property, "its zone is \(pair[1]), but the zone of the alarm is \(zone.name)")
        }
      } else if !isDate {
        throw refusal(property, "the parameter \"\(parameter)\" is not known")
      }
    }
    var found: [Value] = []
    for part in property.value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = value(String(part)) else {
        throw refusal(
          property, "\"\(part)\" is not a date; write for example 20261201 or 20261201T080000")
      }
      found.append(value)
    }
    return found
  }

  /// Reads a date or a date-time, for example `20261201` or `20261201T080000`. A date-time in UTC
  /// ends with `Z`. The text can contain dashes and colons.
  private func value(_ text: String) -> Value? {
    var plain = text.uppercased().filter { $0 != "-" && $0 != ":" }
    let isUTC = plain.hasSuffix("Z")
    if isUTC { plain.removeLast() }
    let parts = plain.split(separator: "T", omittingEmptySubsequences: false).map(Array.init)
    guard let date = parts.first, date.count == 8,
      let day = try? CivilDate(
        parsing: "\(String(date[0..<4]))-\(String(date[4..<6]))-\(String(date[6..<8]))")
    else { return nil }
    if parts.count == 1 { return isUTC ? nil : .date(day) }
    var clock = parts[1]
    if clock.count == 4 { clock += ["0", "0"] }
    guard parts.count == 2, clock.count == 6,
      let time = try? ClockTime(
        parsing: "\(String(clock[0..<2])):\(String(clock[2..<4])):\(String(clock[4..<6]))")
    else { return nil }
    let dateTime = CivilDateTime(date: day, time: time)
    if !isUTC { return .dateTime(dateTime) }
    let instant = Zone.utc.resolve(dateTime).instant
    return .dateTime(zone.civil(at: instant).dateTime)
  }

  /// Reads rules with the same DTSTART, and moves the start of each rule to the first occurrence of
  /// the rule.
  ///
  /// If DTSTART is not an occurrence of the rules, the schedule contains DTSTART as a single date:
  /// see `CountedStart`. Exception: if a rule has no DTSTART and its FREQ is HOURLY, MINUTELY or
  /// SECONDLY, its start stays at the beginning of the present minute.
  private func anchored(
    _ properties: [Property], _ start: CivilDateTime?
  ) throws(Refusal) -> (rules: [RecurringDates.Rule], single: CivilDateTime?) {
    do {
      var rules: [RecurrenceRule] = []
      for property in properties { rules.append(try RecurrenceRule(parsing: property.value)) }
      if let start {
        let counted = try CountedStart.all(rules, start: start, zone: zone)
        return (
          counted.compactMap { one in
            one.rule.map { RecurringDates.Rule(rule: $0, start: one.start) }
          }, counted.lazy.compactMap(\.single).first
        )
      }
      var found: [RecurringDates.Rule] = []
      for rule in rules {
        let start = ownStart(rule)
        let recurrence = try Recurrence(rule: rule, start: start, zone: zone)
        guard let first = recurrence.next(after: now) else {
          throw Refusal(
            .invalidField, field: "schedule", "\"\(text)\" has no occurrence in the future")
        }
        let isElapsed = rule.frequency < .daily
        found.append(.init(rule: rule, start: isElapsed ? start : first.nominal))
      }
      return (found, nil)
    } catch let error as CivilTimeError {
      throw Refusal(.invalidField, field: "schedule", "cannot use \"\(text)\": \(error)")
    } catch {
      throw error as? Refusal ?? Refusal(.invalidField, field: "schedule", "\(error)")
    }
  }

  /// Returns the start time of a rule without DTSTART.
  ///
  /// A rule starts at the beginning of the present minute. Exception: a rule with FREQ=DAILY,
  /// WEEKLY, MONTHLY or YEARLY starts at the beginning of the present hour, if the rule contains
  /// BYHOUR and no BYMINUTE. Example: a person who types BYHOUR=10 at 09:09:14 means 10:00:00, and
  /// not 10:09:14.
  private func ownStart(_ rule: RecurrenceRule) -> CivilDateTime {
    let local = zone.civil(at: now).dateTime
    let dropped =
      local.time.second
      + (rule.minutes.isEmpty && !rule.hours.isEmpty && rule.frequency >= .daily
        ? local.time.minute * 60 : 0)
    return CivilDateTime(localSeconds: local.localSeconds - Int64(dropped))
  }
}

extension RuleText {
  /// Finds a DTSTART in UTC in a text that contains a rule (RRULE). Returns the typed value and the
  /// local time in `zone`; nil if the text contains no such DTSTART.
  static func startInUTC(
    _ text: String, zone: Zone
  ) -> (typed: String, local: CivilDateTime)? {
    guard isRuleText(text), !zone.isAlwaysUTC else { return nil }
    let reader = Self(text, now: Instant(milliseconds: 0), zone: zone)
    let properties = reader.properties()
    guard properties.contains(where: { $0.name == "RRULE" }) else { return nil }
    for property in properties where property.name == "DTSTART" {
      guard property.value.uppercased().hasSuffix("Z"),
        case .dateTime(let local)? = reader.value(property.value)
      else { continue }
      return (property.value, local)
    }
    return nil
  }

  /// Returns a schedule of rules and dates as RFC 5545 text; nil for other kinds of schedules.
  /// `schedule()` converts the text back to the same schedule.
  static func text(_ schedule: Schedule) -> String? {
    switch schedule {
    case .recurring(let rule, let start): "DTSTART:\(start.ruleText) RRULE:\(rule)"
    case .several(let set): text(set)
    case .at, .once, .every, .within, .random, .after: nil
    }
  }

  private static func text(_ set: RecurringDates) -> String {
    var parts = set.rules.flatMap { ["DTSTART:\($0.start.ruleText)", "RRULE:\($0.rule)"] }
    func add(_ name: String, _ values: [String]) {
      if !values.isEmpty { parts.append("\(name):\(values.joined(separator: ","))") }
    }
    add("RDATE", set.dates.map(\.ruleText))
    add("EXDATE", set.excluded.map(\.ruleText))
    add("EXDATE;VALUE=DATE", set.excludedDays.map(\.ruleText))
    return parts.joined(separator: " ")
  }
}

extension Zone {
  /// True if the local time of the zone is always UTC.
  fileprivate var isAlwaysUTC: Bool {
    let start = Instant(milliseconds: 0)
    return nextOffsetChange(after: start) == nil
      && civil(at: start).dateTime == Zone.utc.civil(at: start).dateTime
  }
}
