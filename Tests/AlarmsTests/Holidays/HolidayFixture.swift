import CivilTime
import Foundation

@testable import Alarms

/// Lists of holidays, and phrases for schedules that use these lists.
enum HolidayFixture {
  static func day(_ text: String) throws -> CivilDate { try CivilDate(parsing: text) }

  static func list(_ name: String, _ dates: String...) throws -> HolidayList {
    HolidayList(name: name, days: try dates.map { Holiday(date: try day($0), label: "Day \($0)") })
  }

  /// Friday 15 January 2027, 09:00 in Berlin.
  static let now = Instant(seconds: 1_800_000_000)

  static func parsed(_ text: String, _ lists: [HolidayList]) throws -> SchedulePhrase.Parsed {
    var fixture = CoreFixture()
    for list in lists {
      try fixture.handle(.command(.importHolidays(list, replacing: false), CoreFixture.anna))
    }
    let home = fixture.home
    return try SchedulePhrase(
      text, now: now, zone: CoreFixture.berlin,
      findHolidays: { (name) throws(Refusal) in try home.holidays(named: name) }
    ).parsed()
  }
}

extension CoreFixture {
  mutating func importHolidays(
    _ name: String = "DE-BE", _ dates: String..., replacing: Bool = true
  ) throws {
    let days = try dates.map { Holiday(date: try HolidayFixture.day($0), label: "") }
    try handle(
      .command(
        .importHolidays(HolidayList(name: name, days: days), replacing: replacing), Self.anna))
  }

  /// The local times of the planned prompts.
  var planned: [String] {
    home.openPrompts.filter { $0.state == .planned }.map(\.id.nominal.description).sorted()
  }

  /// The local times of the prompts that became due.
  var dueTimes: [String] {
    records.compactMap {
      if case .due(let id, _) = $0.event { id.nominal.description } else { nil }
    }
  }
}
