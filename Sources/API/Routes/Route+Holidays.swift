import Alarms

/// The routes for the lists of holidays.
extension Route {
  static let holidayRoutes: [Route] = [
    Route(
      .listHolidays, .get, "/v1/holidays", [.caretaker], answers: .json(.holidayLists),
      "The lists of holidays that are stored in the home."),
    Route(
      .showHolidays, .get, "/v1/holidays/{name}", [.caretaker], answers: .json(.holidayDays),
      "The dates of one list of holidays."),
    Route(
      .importHolidays, .put, "/v1/holidays/{name}", [.caretaker],
      query: [
        Parameter(
          "replace", .word(["yes"]),
          "`yes`: the dates replace the list with this name. Without `replace`, the daemon refuses "
            + "the request if a list with this name exists (kind `conflict`).")
      ],
      takes: .json(.holidayForm), bodyLimit: Route.holidayBody, status: 201,
      answers: .json(.holidaysImported),
      "Stores a list of holidays. For each alarm that uses the list, the daemon then computes the "
        + "next due time again."),
    Route(
      .removeHolidays, .delete, "/v1/holidays/{name}", [.caretaker],
      answers: .json(.holidaysShown),
      "Removes a list of holidays. If an alarm uses the list, the daemon refuses the request."),
  ]

  /// The maximum size of the body with a list of holidays: 512 KiB. A list of 1,000 dates with long
  /// labels is smaller than this limit.
  public static let holidayBody = 512 * 1024
}

/// The schemas of the lists of holidays.
extension JSONSchema {
  private static let holiday = JSONSchema.named(
    "Holiday",
    .object([
      .always("date", .date), .always("label", .text, "The name of the holiday; can be empty."),
    ]))

  private static let holidayFields: [Field] = [
    .always("name", .text, "The name of the list, for example `DE-BE`."),
    .always("count", .integer(HolidayRules.datesSchema), "Number of dates."),
    .always("first", .date), .always("last", .date),
    .always("next", .optional(.holiday), "The first holiday from today on; null if there is none."),
    .always(
      "alarms", .list(.holidayUse), "The alarms that use the list and can still ring."),
  ]

  private static let holidayUse = JSONSchema.named(
    "HolidayUse", .object([.always("id", .text), .always("label", .text)]))

  private static let holidayList = JSONSchema.named("HolidayList", .object(holidayFields))

  static let holidayLists = JSONSchema.named(
    "HolidayLists", .object([.always("holidays", .list(.holidayList))]))

  static let holidaysShown = JSONSchema.named(
    "HolidaysShown", .object([.always("holidays", .holidayList)]))

  static let holidayDays = JSONSchema.named(
    "HolidayDays",
    .object([
      .always("holidays", .holidayList), .always("days", .list(.holiday), "All dates, sorted."),
    ]))

  static let holidaysImported = JSONSchema.named(
    "HolidaysImported",
    .object([
      .always("holidays", .holidayList),
      .always("added", .list(.holiday), "The dates that are only in the new list."),
      .always("removed", .list(.holiday), "The dates that were only in the replaced list."),
      .always(
        "planned", .list(.holidayUse),
        "The alarms that use the list. For each of these alarms, the daemon computed the next due "
          + "time again."),
    ]))

  static let holidayForm = JSONSchema.named(
    "HolidayForm",
    .object([
      .always("days", .list(.holidayEntry), "The dates, in any order: 1 to 1,000 dates.")
    ]))

  private static let holidayEntry = JSONSchema.named(
    "HolidayEntry",
    .object([
      .always("date", .date),
      .maybe("label", .text, "The name of the holiday. One line, at most 200 characters."),
    ]))
}

extension HolidayRules {
  fileprivate static let datesSchema = Int64(dates.lowerBound)...Int64(dates.upperBound)
}
