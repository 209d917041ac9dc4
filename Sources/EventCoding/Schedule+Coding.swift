import Alarms
import CivilTime
import JSONValue

extension Schedule {
  /// The schedule as JSON for the record and the API. The JSON contains the member `kind`, and the
  /// members that belong to this kind.
  ///
  /// The members of each kind:
  ///
  /// - `at`: `at`, an RFC 3339 instant with milliseconds.
  /// - `once`: `date_time`, a civil time.
  /// - `recurring`: `rule`, a text in the form of RFC 5545, and `start`, a civil time.
  /// - `several`: `rules`, a list of rules with their starts, and `dates`, `excluded`,
  ///   `excluded_days`. If the schedule leaves out holidays, the JSON contains `holidays` with
  ///   `list` and `days`.
  /// - `every`: `every_seconds`, and `from`, an instant.
  /// - `every_within`: `every_seconds` and `window`.
  /// - `random`: `per_day`, `apart_seconds` and `window`.
  /// - `after`: `after_seconds`; `alarm` (null for the alarm itself); `latest`, a time of day; and
  ///   `first`, an instant.
  public var json: JSON { json(isNamed: true) }

  /// The schedule for the payload of an event. This JSON does not contain the name of the list of
  /// holidays.
  public var payload: JSON { json(isNamed: false) }

  private func json(isNamed: Bool) -> JSON {
    var members: [(String, JSON)] = [("kind", .string(kind))]
    switch self {
    case .at(let instant): members += [("at", .string(instant.description))]
    case .once(let dateTime): members += [("date_time", .string(dateTime.description))]
    case .recurring(let rule, let start):
      members += [("rule", .string(rule.description)), ("start", .string(start.description))]
    case .several(let set):
      members += [
        (
          "rules",
          .array(
            set.rules.map {
              .object([
                ("rule", .string($0.rule.description)), ("start", .string($0.start.description)),
              ])
            })
        ),
        ("dates", .texts(set.dates)), ("excluded", .texts(set.excluded)),
        ("excluded_days", .texts(set.excludedDays)),
      ]
      if let holidays = set.holidays {
        members.append(("holidays", holidays.json(isNamed: isNamed)))
      }
    case .every(let seconds, let from):
      members += [("every_seconds", .integer(seconds)), ("from", .string(from.description))]
    case .within(let seconds, let window):
      members += [("every_seconds", .integer(seconds)), ("window", window.json)]
    case .random(let times):
      members += [
        ("per_day", .integer(Int64(times.perDay))),
        ("apart_seconds", .integer(times.minimumDistanceSeconds)), ("window", times.window.json),
      ]
    case .after(let after):
      var alarm: String?
      if case .alarm(let id) = after.anchor { alarm = id.text }
      members += [
        ("after_seconds", .integer(after.seconds)), ("alarm", .optional(alarm)),
        ("latest", .optional(after.latest?.description)),
        ("first", .optional(after.first?.description)),
      ]
    }
    return .object(members)
  }

  /// A function that parses the text of a recurrence rule.
  public typealias RuleReader = (String) throws(CivilTimeError) -> RecurrenceRule

  /// Reads the JSON that the property `json` returns.
  ///
  /// - Parameter rule: a function that parses the text of a rule. A caller that decodes many
  ///   schedules can pass a function that keeps the parsed rules in a cache.
  public init(
    json: JSON,
    rule: RuleReader = { text throws(CivilTimeError) in try RecurrenceRule(parsing: text) }
  ) throws(EventCodingError) {
    let members = StoredMembers(json)
    let kind = try members.string("kind")
    switch kind {
    case "at": self = .at(try members.instant("at"))
    case "once": self = .once(try members.dateTime("date_time"))
    case "recurring":
      let known = try RecurringDates.Rule(json: json, rule)
      self = .recurring(known.rule, start: known.start)
    case "several": self = .several(try RecurringDates(json: json, rule))
    case "every":
      self = .every(
        seconds: try members.integer("every_seconds"), from: try members.instant("from"))
    case "every_within":
      self = .within(
        seconds: try members.integer("every_seconds"),
        try DayWindow(json: json["window"] ?? .null))
    case "random":
      self = .random(
        RandomTimes(
          perDay: try members.int("per_day"), window: try DayWindow(json: json["window"] ?? .null),
          minimumDistanceSeconds: try members.integer("apart_seconds")))
    case "after":
      self = .after(
        AfterAnswer(
          anchor: json["alarm"]?.string.map { .alarm(AlarmID($0)) } ?? .itself,
          seconds: try members.integer("after_seconds"),
          latest: try members.optional("latest") { text throws(CivilTimeError) in
            try ClockTime(parsing: text)
          },
          first: try members.optional("first") { text throws(CivilTimeError) in
            try Instant(parsing: text)
          }))
    default:
      throw EventCodingError("cannot read the stored schedule: the kind \"\(kind)\" is unknown")
    }
  }
}

extension RecurringDates.Rule {
  fileprivate init(json: JSON, _ rule: Schedule.RuleReader) throws(EventCodingError) {
    let members = StoredMembers(json)
    self.init(rule: try members.civil("rule", rule), start: try members.dateTime("start"))
  }
}

extension RecurringDates {
  fileprivate init(json: JSON, _ reader: Schedule.RuleReader) throws(EventCodingError) {
    let members = StoredMembers(json)
    var rules: [Rule] = []
    for rule in try members.array("rules") { rules.append(try Rule(json: rule, reader)) }
    func dateTimes(_ name: String) throws(EventCodingError) -> [CivilDateTime] {
      try members.list(name) { text throws(CivilTimeError) in try CivilDateTime(parsing: text) }
    }
    self.init(
      rules: rules, dates: try dateTimes("dates"), excluded: try dateTimes("excluded"),
      excludedDays: try members.list("excluded_days") { text throws(CivilTimeError) in
        try CivilDate(parsing: text)
      })
    if let stored = json["holidays"] { holidays = try HolidayExclusion(json: stored) }
  }
}

extension DayWindow {
  fileprivate var json: JSON {
    .object([
      ("from", .string(from.description)), ("to", .string(to.description)),
      ("weekdays", .array(weekdays.map { .integer(Int64($0.rawValue)) })),
      ("first_day", .string(firstDay.description)),
      ("last_day", .optional(lastDay?.description)),
    ])
  }

  fileprivate init(json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    var weekdays: [Weekday] = []
    for number in try members.array("weekdays") {
      guard let day = number.integer.flatMap({ Weekday(rawValue: Int($0)) }) else {
        throw EventCodingError("cannot read the stored window: \(number) is not a day of the week")
      }
      weekdays.append(day)
    }
    func time(_ name: String) throws(EventCodingError) -> ClockTime {
      try members.civil(name) { text throws(CivilTimeError) in try ClockTime(parsing: text) }
    }
    func day(_ text: String) throws(CivilTimeError) -> CivilDate { try CivilDate(parsing: text) }
    self.init(
      from: try time("from"), to: try time("to"), weekdays: weekdays,
      firstDay: try members.civil("first_day", day), lastDay: try members.optional("last_day", day))
  }
}

extension EarlyReminder {
  /// The early reminder as JSON. The JSON contains the member `seconds`, or the members `days` and
  /// `at`. If `at` is null, the early reminder rings at the same time of day as the main prompt.
  var json: JSON {
    switch self {
    case .elapsed(let seconds): .object([("seconds", .integer(seconds))])
    case .days(let days, let time):
      .object([("days", .integer(Int64(days))), ("at", .optional(time?.description))])
    }
  }

  /// Reads the JSON that the property `json` returns.
  init(json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    if let seconds = json["seconds"]?.integer {
      self = .elapsed(seconds: seconds)
    } else {
      self = .days(
        try members.int("days"),
        at: try members.optional("at") { text throws(CivilTimeError) in
          try ClockTime(parsing: text)
        })
    }
  }
}

extension Pauses {
  /// The pauses of an alarm as a JSON object. `until` is the local time at which a pause ends, or
  /// null. `occurrences` is a list of skipped occurrences, as values of `PromptID.nominalKey`.
  /// `days` is a list of ranges of silent days. Each range includes its last day.
  var json: JSON {
    .object([
      ("until", .optional(until?.description)),
      ("occurrences", .array(occurrences.map { .integer($0) })),
      ("days", .array(days.map { .string($0.text) })),
    ])
  }

  /// Reads the JSON that the property `json` returns.
  init(json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    var keys: [Int64] = []
    for key in try members.array("occurrences") {
      guard let key = key.integer else {
        throw EventCodingError("cannot read the stored pause: \(key) does not name an occurrence")
      }
      keys.append(key)
    }
    self.init(
      until: try members.optional("until") { text throws(CivilTimeError) in
        try CivilDateTime(parsing: text)
      }, occurrences: keys,
      days: try members.list("days") { text throws(CivilTimeError) in
        let parts = text.split(separator: "/").map(String.init)
        let first = try CivilDate(parsing: parts.first ?? "")
        let last = try CivilDate(parsing: parts.last ?? "")
        return first...max(first, last)
      })
  }
}

extension ClosedRange<CivilDate> {
  /// The range as text, for example `2026-12-24` or `2026-12-24/2026-12-26`.
  package var text: String {
    lowerBound == upperBound ? lowerBound.description : "\(lowerBound)/\(upperBound)"
  }
}

extension JSON {
  package static func texts(_ values: [some CustomStringConvertible]) -> JSON {
    .array(values.map { .string($0.description) })
  }
}

extension StoredMembers {
  /// Reads a text member, and converts the text with `parse`.
  fileprivate func civil<Value>(
    _ name: String, _ parse: (String) throws(CivilTimeError) -> Value
  ) throws(EventCodingError) -> Value {
    let text = try string(name)
    do {
      return try parse(text)
    } catch {
      throw EventCodingError("cannot read the stored schedule: \(error)")
    }
  }

  fileprivate func optional<Value>(
    _ name: String, _ parse: (String) throws(CivilTimeError) -> Value
  ) throws(EventCodingError) -> Value? {
    if json[name] == nil || json[name] == .null { return nil }
    return try civil(name, parse)
  }

  fileprivate func list<Value>(
    _ name: String, _ parse: (String) throws(CivilTimeError) -> Value
  ) throws(EventCodingError) -> [Value] {
    var values: [Value] = []
    for value in try array(name) {
      do {
        values.append(try parse(value.string ?? ""))
      } catch {
        throw EventCodingError("cannot read the stored schedule: \(error)")
      }
    }
    return values
  }

  fileprivate func instant(_ name: String) throws(EventCodingError) -> Instant {
    try civil(name) { text throws(CivilTimeError) in try Instant(parsing: text) }
  }

  fileprivate func dateTime(_ name: String) throws(EventCodingError) -> CivilDateTime {
    try civil(name) { text throws(CivilTimeError) in try CivilDateTime(parsing: text) }
  }
}
