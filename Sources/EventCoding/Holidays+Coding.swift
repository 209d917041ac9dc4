import Alarms
import CivilTime
import JSONValue

// The stored form of lists of holidays. The dates are payload: the hash chain covers them. A person
// can have typed the name of the list and the labels. Therefore the name and the labels are
// content: Prompter can erase them.
extension StoredEvent {
  mutating func setHolidays(_ change: HolidayChange) {
    switch change {
    case .imported(let list):
      payload = .object([("days", .texts(list.days.map(\.date)))])
      content = .object([
        ("name", .string(list.name)), ("labels", .array(list.days.map { .string($0.label) })),
      ])
    case .removed(let name): content = .object([("name", .string(name))])
    }
  }

  /// Decodes an event about a list of holidays. If the name of the list was erased, the decoded
  /// name is empty.
  public func holidayChange() throws(EventCodingError) -> HolidayChange {
    if type == "holidays_removed" { return .removed(text("name")) }
    let labels = content?["labels"]?.array ?? []
    var days: [Holiday] = []
    for (index, value) in try members.array("days").enumerated() {
      guard let date = value.string.flatMap({ try? CivilDate(parsing: $0) }) else {
        throw EventCodingError("cannot read a stored \"\(type)\": \(value) is not a date")
      }
      let label = index < labels.count ? labels[index].string ?? "" : ""
      days.append(Holiday(date: date, label: label))
    }
    return .imported(HolidayList(name: text("name"), days: days))
  }
}

extension HolidayExclusion {
  /// The holidays of a schedule as JSON. The member `days` contains dates and ranges of dates, for
  /// example `2026-12-25/2026-12-26`.
  ///
  /// If the schedule counts working days, the member `working_days_from` contains the first day of
  /// the schedule.
  ///
  /// - Parameter isNamed: true if the JSON contains the member `list` with the name of the list.
  ///   The payload of an event does not contain this member.
  func json(isNamed: Bool) -> JSON {
    let name = isNamed ? [("list", JSON.string(list))] : []
    let from = workingDaysFrom.map { [("working_days_from", JSON.string($0.description))] } ?? []
    return .object(name + [("days", .array(days.ranges.map { .string($0.text) }))] + from)
  }

  init(json: JSON) throws(EventCodingError) {
    var days: [CivilDate] = []
    for value in try StoredMembers(json).array("days") {
      let ends = (value.string ?? "").split(separator: "/").map { try? CivilDate(parsing: "\($0)") }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
        throw EventCodingError("cannot read the stored schedule: \(value) is not a range of dates")
      }
      var day = first
      while day <= last {
        days.append(day)
        day = day.adding(days: 1)
      }
    }
    var from: CivilDate?
    if let text = json["working_days_from"]?.string {
      guard let date = try? CivilDate(parsing: text) else {
        throw EventCodingError("cannot read the stored schedule: \"\(text)\" is not a date")
      }
      from = date
    }
    self.init(list: json["list"]?.string ?? "", days: days, workingDaysFrom: from)
  }
}

extension [CivilDate] {
  /// The sorted dates as ranges of successive days.
  fileprivate var ranges: [ClosedRange<CivilDate>] {
    var ranges: [ClosedRange<CivilDate>] = []
    for day in self {
      if let last = ranges.last, last.upperBound.adding(days: 1) == day {
        ranges[ranges.count - 1] = last.lowerBound...day
      } else {
        ranges.append(day...day)
      }
    }
    return ranges
  }
}
