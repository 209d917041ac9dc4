import Alarms
import CivilTime

// Reads and writes lists of holidays in the notation of a scenario, for example `holidays DE-BE
// 2027-03-26,2027-03-29`.
extension Action {
  static func text(_ list: HolidayList) -> String {
    list.days.map(\.date.description).joined(separator: ",")
  }

  static func holidays(_ verb: String, _ words: [String]) -> Action? {
    if verb == "holidays-remove" { return words.count == 2 ? .removeHolidays(words[1]) : nil }
    guard words.count == 3 else { return nil }
    let dates = words[2].split(separator: ",").map { try? CivilDate(parsing: String($0)) }
    let days = dates.compactMap { $0 }.map { Holiday(date: $0, label: "") }
    guard days.count == dates.count else { return nil }
    return .importHolidays(HolidayList(name: words[1], days: days))
  }
}
