import API
import Alarms
import CivilTime
import Engine
import JSONValue

// The handlers of `/v1/holidays`.
extension RequestHandler {
  func holidays(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .importHolidays: try await importHolidays(request)
    case .removeHolidays: try await removeHolidays(request)
    case .showHolidays: try await showHolidays(request)
    default: await listHolidays()
    }
  }

  private func listHolidays() async -> APIResponse {
    let day = today
    let lists = await engine.read { home, _ in
      home.holidays.values.sorted { $0.name < $1.name }
        .map { JSON.holidays($0, in: home, on: day) }
    }
    return .json(.object([("holidays", .array(lists))]))
  }

  private func showHolidays(_ request: APIRequest) async throws -> APIResponse {
    let typed = request.parameters["name"] ?? ""
    let day = today
    let document = await engine.read { home, _ -> JSON? in
      guard let list = home.holidayName(typed).flatMap({ home.holidays[$0] }) else { return nil }
      return .object([
        ("holidays", .holidays(list, in: home, on: day)),
        ("days", .array(list.days.map(\.json))),
      ])
    }
    guard let document else {
      throw Refusal(.notFound, "there is no list of holidays \"\(typed)\"")
    }
    return .json(document)
  }

  private func importHolidays(_ request: APIRequest) async throws -> APIResponse {
    let replacing = request.query["replace"] == "yes"
    if let text = request.query["replace"], !replacing {
      throw Refusal(
        .invalidField, field: "replace", "\"\(text)\" is not yes; leave it out, or write yes")
    }
    let list = try HolidayList(name: request.parameters["name"] ?? "", body: request.body)
    let day = today
    return try await carryOut(
      .importHolidays(list, replacing: replacing), by: request.actor
    ) { reply, home in
      guard case .holidays(let result) = reply else {
        preconditionFailure("the engine returned no list of holidays")
      }
      return .json(
        .object([
          ("holidays", .holidays(result.list, in: home, on: day)),
          ("added", .array(result.added.map(\.json))),
          ("removed", .array(result.removed.map(\.json))),
          ("planned", .array(result.alarms.map(JSON.holidayUse))),
        ]), status: 201)
    }
  }

  private func removeHolidays(_ request: APIRequest) async throws -> APIResponse {
    let day = today
    return try await carryOut(
      .removeHolidays(request.parameters["name"] ?? ""), by: request.actor
    ) { reply, home in
      guard case .holidays(let result) = reply else {
        preconditionFailure("the engine returned no list of holidays")
      }
      return .json(.object([("holidays", .holidays(result.list, in: home, on: day))]))
    }
  }

  /// The date of today in the home zone.
  private var today: CivilDate {
    ports.environment().homeZone.civil(at: ports.now().wall).dateTime.date
  }
}

extension JSON {
  /// Returns a list of holidays as JSON, without the dates of the holidays.
  fileprivate static func holidays(
    _ list: HolidayList, in home: HomeState, on today: CivilDate
  ) -> JSON {
    .object([
      ("name", .string(list.name)), ("count", .integer(Int64(list.days.count))),
      ("first", .optional(list.days.first?.date.description)),
      ("last", .optional(list.last?.description)),
      ("next", list.next(from: today)?.json ?? .null),
      ("alarms", .array(home.alarms(usingHolidays: list.name).map(holidayUse))),
    ])
  }

  fileprivate static func holidayUse(_ alarm: Alarm) -> JSON {
    .object([("id", .string(alarm.id.text)), ("label", .string(alarm.label))])
  }
}
