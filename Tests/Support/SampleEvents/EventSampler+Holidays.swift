import Alarms
import CivilTime

extension EventSampler {
  mutating func holidays() -> HolidayList {
    HolidayList(
      name: text(),
      days: (0..<int(1...5)).map { _ in Holiday(date: civil().date, label: bool() ? text() : "") })
  }

  /// Returns nil, or an exclusion with single days and successive days.
  mutating func exclusion() -> HolidayExclusion? {
    if bool() { return nil }
    let days = holidays().days.flatMap { day in (0..<int(1...3)).map { day.date.adding(days: $0) } }
    return HolidayExclusion(
      list: text(), days: Set(days).sorted(), workingDaysFrom: bool() ? civil().date : nil)
  }

  mutating func holidayEvents() -> [Event] {
    [.holidays(.imported(holidays())), .holidays(.removed(text()))]
  }
}
