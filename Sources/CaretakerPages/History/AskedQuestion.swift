import API
import CivilTime
import JSONValue

/// A question of an alarm whose answers are numbers.
struct AskedQuestion: Sendable, Hashable {
  var person: String
  /// The name of the question in the data.
  var name: String
  var text: String
  var isYesNo: Bool
  var unit: String?
  /// The smallest and the largest number that a person can answer; nil if the question has no
  /// limits.
  var limits: ClosedRange<Double>?

  /// Returns the questions of all alarms. If several alarms of a person have the same question, the
  /// result contains the question only once.
  static func all(_ context: PageContext) throws(HomeTrouble) -> [AskedQuestion] {
    var found: [AskedQuestion] = []
    for alarm in try context.read(.listAlarms, query: ["limit": "5000"])["alarms"]?.array ?? [] {
      guard let person = alarm["person"]?.string else { continue }
      for question in alarm["questions"]?.array ?? [] {
        guard let one = AskedQuestion(question, person),
          !found.contains(where: { ($0.person, $0.name) == (one.person, one.name) })
        else { continue }
        found.append(one)
      }
    }
    return found
  }

  /// - Returns: nil if the answers are not numbers.
  init?(_ question: JSON, _ person: String) {
    guard let name = question["name"]?.string, let kind = question["kind"]?.string,
      kind != "text", kind != "choices"
    else { return nil }
    (self.person, self.name) = (person, name)
    text = question["text"]?.string ?? name
    unit = question["unit"]?.string
    isYesNo = kind == "yes_no"
    switch kind {
    case "yes_no": limits = 0...1
    case "mood": limits = 0...2
    case "scale":
      if let low = question["min"]?.double, let high = question["max"]?.double, low < high {
        limits = low...high
      }
    default: break
    }
  }

  func address(days: Int? = nil) -> String {
    Link.to(
      "history", "answers",
      query: [("person", person), ("question", name), ("days", days.map(String.init))])
  }
}

/// One point of a chart: an answer, or the mean of several answers.
struct AnswerPoint: Sendable, Hashable {
  var at: CivilDateTime
  var value: Double
  var least: Double
  var most: Double

  init?(_ point: JSON, _ household: Household) {
    guard let at = household.local(point["utc"]?.string), let value = point["value"]?.double else {
      return nil
    }
    (self.at, self.value) = (at, value)
    (least, most) = (point["min"]?.double ?? value, point["max"]?.double ?? value)
  }
}
