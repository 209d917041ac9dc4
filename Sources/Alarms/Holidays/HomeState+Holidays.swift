import CivilTime

extension HomeState {
  /// Returns the stored name of a list of holidays; nil if no list has this name.
  public func holidayName(_ typed: String) -> String? { NameMatch.find(typed, in: holidays.keys) }

  /// Returns the alarms that use a list of holidays and can still ring, in the order of their
  /// labels.
  public func alarms(usingHolidays name: String) -> [Alarm] {
    alarms.filter { alarm in
      guard let used = alarm.schedule.holidays?.list, !isOver(alarm.id) else { return false }
      return NameMatch.isEqual(used, name)
    }.sorted { ($0.label, $0.id) < ($1.label, $1.id) }
  }

  /// Returns the lists of holidays that at least one alarm uses, and that end soon or have already
  /// ended.
  ///
  /// The daemon does not know the holidays after the end of a list. Therefore the alarm rings on
  /// these holidays.
  ///
  /// - Parameter today: the present day in the home zone.
  public func endingHolidays(on today: CivilDate) -> [EndingHolidays] {
    holidays.values.sorted { $0.name < $1.name }.compactMap { list in
      guard let last = list.last, last < today.adding(days: HolidayRules.warningDays),
        let alarm = alarms(usingHolidays: list.name).first
      else { return nil }
      return EndingHolidays(list: list.name, last: last, label: alarm.label, isOver: last < today)
    }
  }
}

/// A list of holidays that an alarm uses, and that ends soon or has already ended.
public struct EndingHolidays: Hashable, Sendable {
  public var list: String
  /// The last date of the list.
  public var last: CivilDate
  /// The label of an alarm that uses the list.
  public var label: String
  /// True if the last date is in the past.
  public var isOver: Bool

  /// One sentence that describes the problem, and contains the command that solves it.
  public var words: String {
    "the list of holidays \(list) \(isOver ? "ended" : "ends") on \(last): after this day, "
      + "\"\(label)\" rings on holidays too; import a newer file with: prompter holidays import "
      + "FILE.ics --name \(list) --replace"
  }
}

extension ScheduleWarning {
  /// Returns the warning that a schedule contains working days, but names no list of holidays. The
  /// result is empty if the schedule needs no warning.
  static func withoutHolidays(_ schedule: Schedule) -> [ScheduleWarning] {
    let rules: [RecurrenceRule] =
      switch schedule {
      case .recurring(let rule, _): [rule]
      case .several(let dates): dates.holidays == nil ? dates.rules.map(\.rule) : []
      default: []
      }
    guard rules.contains(where: { $0.workingDayPosition != nil }) else { return [] }
    return [
      ScheduleWarning(
        .withoutHolidays,
        "each day from Monday to Friday counts as a working day, because the schedule names no list "
          + "of holidays; to leave out holidays, add for example: holidays DE-BE")
    ]
  }
}

extension Transition {
  /// Returns the warning that the list of holidays of an alarm ends soon; nil if the list does not
  /// end soon.
  func holidaysEnd(of alarm: Alarm) -> ScheduleWarning? {
    guard let used = alarm.schedule.holidays else { return nil }
    let today = environment.homeZone.civil(at: wall).dateTime.date
    guard let last = used.days.last, last < today.adding(days: HolidayRules.warningDays) else {
      return nil
    }
    let end = EndingHolidays(
      list: used.list, last: last, label: alarm.label, isOver: last < today)
    return ScheduleWarning(.holidaysEnd, end.words)
  }
}
