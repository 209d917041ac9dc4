import Alarms
import CivilTime

/// The holidays that an import read from an iCalendar file. Each all-day event of the file is a
/// holiday.
///
/// The import reads events of one day and of several days, yearly rules, and changes of single
/// occurrences (RECURRENCE-ID, RDATE, EXDATE). Other programs mark holidays in different ways, so
/// the import ignores TRANSP, CLASS and similar properties. If the import ignores an event, a note
/// contains the reason.
public struct ICalendarHolidays: Sendable {
  /// The name of the calendar (X-WR-CALNAME); nil if the file does not contain the name.
  public private(set) var name: String?
  /// The holidays in the order of the file. A date can be in the list several times.
  public private(set) var days: [Holiday] = []
  public private(set) var notes: [ICalendarNote] = []

  /// The number of years after the present year for which the reader computes the dates of yearly
  /// rules. If the file contains single dates in the future, the reader uses the year of the last
  /// single date instead.
  public static let ruleYears = 5
  /// The number of past days whose holidays stay in the list, so that a person can still look up
  /// these holidays.
  static let pastDays = 366
  /// The maximum length of one event in days. School holidays last up to about 100 days.
  static let longestEvent = 366
  /// The maximum number of occurrences of one rule. If a rule has more occurrences, the event is
  /// not a holiday.
  private static let mostOccurrences = 400

  private let today: CivilDate
  private let category: String?
  private var rules: [(event: Event, rule: RecurrenceRule)] = []
  /// The dates of the events that have no rule.
  private var singles: Set<CivilDate> = []
  /// For each UID, the single dates that a component with a RECURRENCE-ID replaces.
  private var replaced: [String: Set<CivilDate>] = [:]

  private struct Event {
    var line: Int
    var uid: String
    var label: String
    var first: CivilDate
    var length: Int
    var excluded: Set<CivilDate> = []
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - tree: the content of the file.
  ///   - today: the present day. The import leaves out events that ended more than a year ago.
  ///   - category: the import reads only events whose CATEGORIES contain this text, or whose
  ///     DESCRIPTION begins with this text. The comparison ignores upper and lower case. If the
  ///     value is nil, the import reads all events.
  public init(_ tree: ICalendarTree, today: CivilDate, category: String?) {
    self.today = today
    self.category = category
    notes = tree.notes
    let calendars = tree.components.filter { $0.name == "VCALENDAR" }
    if calendars.isEmpty { note(1, "VCALENDAR", "the file contains no VCALENDAR") }
    name = calendars.lazy.compactMap { $0.line("X-WR-CALNAME")?.text.trimmed }.first { !$0.isEmpty }
    for event in calendars.flatMap(\.components) {
      switch event.name {
      case "VEVENT": read(event)
      case "VTIMEZONE": break
      default: note(event.number, event.name, "left out: only a VEVENT can be a holiday")
      }
    }
    expandRules()
    leaveOutOldDays()
    notes.sort { ($0.line, $0.property) < ($1.line, $1.property) }
  }

  private mutating func note(_ line: Int, _ property: String, _ reason: String) {
    notes.append(ICalendarNote(line: line, property: property, reason: reason))
  }

  private mutating func read(_ component: ICalendarComponent) {
    let label = Self.label(component)
    let title = label.isEmpty ? "an event without a SUMMARY" : "\"\(label)\""
    guard let start = component.line("DTSTART"), let time = ICalendarTime(start) else {
      return note(component.number, "VEVENT", "left out: \(title) has no date")
    }
    guard let first = Self.day(time, component) else {
      return note(
        start.number, "DTSTART", "left out: \(title) has a time of day, so it is not a holiday")
    }
    let uid = component.line("UID")?.value ?? "line \(component.number)"
    if let id = component.line("RECURRENCE-ID"), let changed = ICalendarTime(id.value)?.date {
      replaced[uid, default: []].insert(changed)
    }
    if component.line("STATUS")?.value.uppercased() == "CANCELLED" { return }
    if let category, !Self.categories(component).contains(category.lowercased()) { return }
    guard let length = Self.length(component, from: first), length <= Self.longestEvent else {
      return note(
        start.number, "DTEND", "left out: \(title) is longer than \(Self.longestEvent) days")
    }
    var event = Event(
      line: component.number, uid: uid, label: label, first: first, length: length)
    for line in component.lines where line.name == "EXDATE" {
      event.excluded.formUnion(Self.dates(line))
    }
    add(event, on: first)
    for line in component.lines where line.name == "RDATE" {
      for date in Self.dates(line) { add(event, on: date) }
    }
    if component.line("RRULE") == nil, component.line("RECURRENCE-ID") == nil {
      singles.insert(first.adding(days: length - 1))
    }
    for line in component.lines where line.name == "RRULE" {
      do {
        rules.append((event, try RecurrenceRule(parsing: line.value.trimmed)))
      } catch {
        note(line.number, "RRULE", "only its first day is read: \(error)")
      }
    }
  }

  /// Adds one occurrence of an event. An occurrence lasts one day or several days.
  private mutating func add(_ event: Event, on first: CivilDate) {
    guard !event.excluded.contains(first) else { return }
    for offset in 0..<event.length {
      days.append(Holiday(date: first.adding(days: offset), label: event.label))
    }
  }

  /// Adds the occurrences of the rules, up to the end of the year that contains the last single
  /// date.
  ///
  /// Many calendars contain a fixed holiday as a rule without an end. The same calendars contain a
  /// movable holiday as single dates for a few years. After the last single date, the list would
  /// contain the fixed holidays, but not the movable holidays. Therefore the function ends the
  /// rules with the year of the last single date. Before the list ends, the status of the home
  /// shows a warning.
  private mutating func expandRules() {
    if rules.isEmpty { return }
    let single = singles.filter { $0 >= today }.max()
    let year = single?.year ?? today.year + Self.ruleYears
    if single == nil, !singles.isEmpty {
      note(
        1, "VEVENT",
        "the single dates of the file are over; its yearly rules are read up to the year \(year)")
    }
    for (event, rule) in rules {
      let start = CivilDateTime(date: event.first, time: .midnight)
      guard let recurrence = try? Recurrence(rule: rule, start: start, zone: .utc) else {
        note(event.line, "RRULE", "only its first day is read: the rule has no dates")
        continue
      }
      var from = Zone.utc.resolve(start).instant
      if event.first < today.adding(days: -Self.pastDays) {
        let past = CivilDateTime(date: today.adding(days: -Self.pastDays), time: .midnight)
        from = Zone.utc.resolve(past).instant
      }
      var count = 0
      while let next = recurrence.next(after: from), next.nominal.date.year <= year {
        from = next.instant
        count += 1
        if count > Self.mostOccurrences {
          note(event.line, "RRULE", "only its first \(Self.mostOccurrences) dates are read")
          break
        }
        if replaced[event.uid]?.contains(next.nominal.date) == true { continue }
        add(event, on: next.nominal.date)
      }
    }
  }

  private mutating func leaveOutOldDays() {
    let oldest = today.adding(days: -Self.pastDays)
    let count = days.count { $0.date < oldest }
    days.removeAll { $0.date < oldest }
    if count > 0 {
      note(1, "VEVENT", "\(count) \(count == 1 ? "day" : "days") before \(oldest) left out")
    }
  }
}

// The properties of one event.
extension ICalendarHolidays {
  /// Returns the date of an all-day event; nil if the event has a time of day.
  ///
  /// Outlook writes some all-day events as events from midnight to midnight. Outlook marks these
  /// events with the property `X-MICROSOFT-CDO-ALLDAYEVENT`.
  private static func day(_ time: ICalendarTime, _ component: ICalendarComponent) -> CivilDate? {
    switch time {
    case .date(let date): return date
    case .local(let local):
      let mark = component.line("X-MICROSOFT-CDO-ALLDAYEVENT")?.value.uppercased()
      return mark == "TRUE" && local.time == .midnight ? local.date : nil
    case .utc: return nil
    }
  }

  /// Returns the number of days of an event, at least 1. The result is nil if the function cannot
  /// read the end of the event. The day of DTEND does not belong to the event.
  ///
  /// Some programs write DTEND equal to DTSTART for an event of one day.
  private static func length(_ component: ICalendarComponent, from first: CivilDate) -> Int? {
    if let end = component.line("DTEND") {
      guard let last = ICalendarTime(end.value)?.date else { return nil }
      return max(1, last.dayNumber - first.dayNumber)
    }
    if let duration = component.line("DURATION") {
      guard let length = ICalendarDuration(duration.value) else { return nil }
      return max(1, Int((length.total + 86_399) / 86_400))
    }
    return 1
  }

  private static func dates(_ line: ICalendarLine) -> [CivilDate] {
    line.value.split(separator: ",").compactMap { ICalendarTime(String($0))?.date }
  }

  /// Returns the label of a holiday. The label is the SUMMARY of the event in one line, with at
  /// most 200 characters.
  private static func label(_ component: ICalendarComponent) -> String {
    let text = component.line("SUMMARY")?.text ?? ""
    let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let plain = words.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        false
      default: true
      }
    }
    return String(String(String.UnicodeScalarView(plain)).prefix(100))
  }

  /// Returns the categories of an event and the first line of its description, in lower case.
  private static func categories(_ component: ICalendarComponent) -> Set<String> {
    var found: Set<String> = []
    for line in component.lines where line.name == "CATEGORIES" {
      for part in line.text.split(separator: ",") {
        found.insert(String(part).trimmed.lowercased())
      }
    }
    let description = component.line("DESCRIPTION")?.text ?? ""
    if let first = description.split(separator: "\n").first {
      found.insert(String(first).trimmed.lowercased())
    }
    return found
  }
}

extension ICalendarTime {
  /// The date, without the time of day.
  fileprivate var date: CivilDate {
    switch self {
    case .date(let date): date
    case .local(let local), .utc(let local): local.date
    }
  }
}
