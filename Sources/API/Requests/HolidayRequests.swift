import Alarms
import CivilTime
import JSONValue

extension HolidayList {
  /// Reads the body of a request that stores a list of holidays.
  ///
  /// - Throws: a refusal of the field `days`.
  public init(name: String, body: [UInt8]) throws(Refusal) {
    var fields = try FieldReader(body: body)
    let days = fields.any("days")
    try fields.finish()
    guard let entries = days?.array else {
      throw Refusal(.invalidField, field: "days", "it must be a list of objects")
    }
    // The check of the length comes before the loop, so that a very long list does not keep the
    // daemon busy.
    guard entries.count <= 4 * HolidayRules.dates.upperBound else {
      throw Refusal(
        .invalidField, field: "days",
        "the list has \(entries.count) dates; at most \(HolidayRules.dates.upperBound) are allowed")
    }
    var holidays: [Holiday] = []
    for (index, entry) in entries.enumerated() {
      var fields = try FieldReader(json: entry, within: "days")
      let text = try fields.string("date") ?? ""
      let label = try fields.string("label") ?? ""
      try fields.finish()
      guard let date = try? CivilDate(parsing: text) else {
        throw Refusal(
          .invalidField, field: "days",
          "\"\(text)\" of entry \(index + 1) is not a date; write it like 2027-12-25")
      }
      holidays.append(Holiday(date: date, label: label))
    }
    self.init(name: name, days: holidays)
  }
}

extension Holiday {
  /// This holiday as an entry of a list in the body of a request or a response.
  public var json: JSON {
    .object([("date", .string(date.description)), ("label", .string(label))])
  }
}
