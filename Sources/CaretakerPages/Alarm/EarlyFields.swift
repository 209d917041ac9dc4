import Alarms
import CivilTime
import JSONValue

/// The fields of one early reminder in the form of an alarm, as a person typed them.
struct EarlyFields: Sendable, Hashable {
  /// The unit of the time before the task is due. The raw value is a word of a schedule phrase.
  enum Unit: String, Sendable, CaseIterable {
    case minutes = "minutes"
    case hours = "hours"
    case days = "days"
    case seconds = "seconds"
    /// The page does not understand the early reminder, and does not change its words.
    case kept = "kept"
  }

  /// The number as a person typed it. If the page does not understand the reminder, the value
  /// contains all words of the reminder.
  var count = ""
  var unit = Unit.hours
  /// The time of day of a reminder that is one or more days before the task. If the value is empty,
  /// the reminder has the time of day of the task.
  var time = ""

  /// The name of the form field that contains `count`.
  static let countField = "early-count"

  init() {}

  /// Reads the early reminders that the browser sent, without empty rows.
  static func all(_ fields: FormFields) -> [EarlyFields] {
    let (units, times) = (fields.all("early-unit"), fields.all("early-time"))
    return fields.all(countField).enumerated().compactMap { index, count in
      if count.isEmpty { return nil }
      var one = EarlyFields()
      one.count = count
      if index < units.count { one.unit = Unit(rawValue: units[index]) ?? .hours }
      if index < times.count, one.unit == .days { one.time = times[index] }
      return one
    }
  }

  /// - Parameter words: an early reminder as the daemon describes it, for example
  ///   `1 day before at 19:00`.
  init(words: String) {
    guard let early = try? EarlyReminder(words: words) else {
      (count, unit) = (words, .kept)
      return
    }
    switch early {
    case .days(let days, let at):
      (count, unit) = (String(days), .days)
      time = at.map { String($0.description.prefix($0.secondOfDay % 60 == 0 ? 5 : 8)) } ?? ""
    case .elapsed(let seconds):
      let units: [(Unit, Int64)] = [(.hours, 3_600), (.minutes, 60), (.seconds, 1)]
      let fitting = units.first { seconds % $0.1 == 0 } ?? (.seconds, 1)
      (count, unit) = (String(seconds / fitting.1), fitting.0)
    }
  }

  /// The early reminder as a phrase for the daemon. If the typed number is not a number, the
  /// refusal of the daemon explains the error.
  var words: String {
    if unit == .kept { return count }
    return "\(count) \(unit.rawValue) before" + (time.isEmpty ? "" : " at \(time)")
  }
}
