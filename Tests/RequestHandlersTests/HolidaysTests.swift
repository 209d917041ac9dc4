import API
import Alarms
import Engine
import Fakes
import JSONValue
import RequestHandlers
import Testing

/// Tests the routes of the lists of holidays.
@Suite struct HolidaysTests {
  private static let dates =
    #"{"days":[{"date":"2027-05-06","label":"Ascension Day"},{"date":"2027-12-25"}]}"#

  @Test func `a list is stored, listed with its alarms, and shown`() async throws {
    let home = await ServedHome()
    #expect(try await home.ask(.listHolidays).document["holidays"]?.array == [])
    let stored = try await home.ask(.importHolidays, ["name": "DE-BE"], body: Self.dates)
    #expect(stored.status == 201, "\(stored)")
    #expect(stored.document["added"]?.array?.count == 2)
    let added = try await home.ask(
      .addAlarm, body: #"{"label":"Day centre","schedule":"weekdays 08:00 not on holidays"}"#)
    let alarm = try #require(added.document["alarm"])
    #expect(alarm["schedule"]?.string == "weekdays at 08:00 not on holidays DE-BE")
    let detail = alarm["schedule_detail"]?["holidays"]
    #expect(detail?["list"]?.string == "DE-BE")
    #expect(detail?["days"]?.array?.compactMap(\.string) == ["2027-05-06", "2027-12-25"])
    let list = try await home.ask(.listHolidays).document["holidays"]?.array?.first
    #expect(list?["last"]?.string == "2027-12-25")
    #expect(list?["alarms"]?.array?.compactMap { $0["label"]?.string } == ["Day centre"])
    let shown = try await home.ask(.showHolidays, ["name": "de-be"])
    #expect(shown.document["days"]?.array?.first?["label"]?.string == "Ascension Day")
  }

  @Test func `refused requests change nothing`() async throws {
    let home = await ServedHome()
    _ = try await home.ask(.importHolidays, ["name": "DE-BE"], body: Self.dates)
    _ = try await home.ask(
      .addAlarm, body: #"{"label":"Day centre","schedule":"weekdays 08:00 not on holidays"}"#)
    let before = home.fakes.types
    for (name, body, query, status, kind) in [
      ("de-be", Self.dates, [:], 409, "conflict"),
      ("US", #"{"days":[]}"#, [:], 422, "invalid_field"),
      ("US", "{}", [:], 422, "invalid_field"),
      ("US", #"{"days":[{"date":"2027-02-30"}]}"#, [:], 422, "invalid_field"),
      ("US", #"{"days":[{"day":"2027-02-20"}]}"#, [:], 422, "unknown_field"),
      ("two words", Self.dates, [:], 422, "invalid_field"),
      ("DE-BE", Self.dates, ["replace": "no"], 422, "invalid_field"),
    ] as [(String, String, [String: String], Int, String)] {
      let refused = try await home.ask(.importHolidays, ["name": name], body: body, query: query)
      #expect(refused.status == status && refused.document["kind"]?.string == kind, "\(refused)")
    }
    #expect(try await home.ask(.removeHolidays, ["name": "DE-BE"]).status == 409)
    #expect(try await home.ask(.removeHolidays, ["name": "US"]).status == 404)
    #expect(try await home.ask(.showHolidays, ["name": "US"]).status == 404)
    #expect(home.fakes.types == before)
  }

  @Test func `a list that ends while an alarm uses it is a problem of the status`() async throws {
    let home = await ServedHome()
    let body = #"{"days":[{"date":"2020-05-06"}]}"#
    _ = try await home.ask(.importHolidays, ["name": "DE-BE"], body: body)
    func problems() async throws -> [String] {
      try await home.ask(.status).document["problems"]?.array?.compactMap { $0["kind"]?.string }
        ?? []
    }
    #expect(try await !problems().contains("holidays_end"))
    let added = try await home.ask(
      .addAlarm, body: #"{"label":"Day centre","schedule":"weekdays 08:00 not on holidays"}"#)
    let warnings = added.document["warnings"]?.array?.compactMap { $0["kind"]?.string } ?? []
    #expect(warnings.contains("holidays_end"), "\(added)")
    #expect(try await problems().contains("holidays_end"))
    let again = try await home.ask(
      .importHolidays, ["name": "DE-BE"], body: #"{"days":[{"date":"2199-05-06"}]}"#,
      query: ["replace": "yes"])
    #expect(again.document["planned"]?.array?.count == 1, "\(again)")
    #expect(try await !problems().contains("holidays_end"))
  }
}
