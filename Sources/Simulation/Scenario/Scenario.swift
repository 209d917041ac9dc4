import Alarms
import FileSystem

/// A scenario from a file: actions with their times, the length of the simulation, and the expected
/// results.
///
/// ```
/// # The power fails while a ring sounds.
/// 0d 00:10:00 add label=Pills; schedule=every day 08:00; rings=3
/// 0d 07:00:05 power 0 20 kept
/// until 1d 00:00:00
/// expect rings 3
/// expect missed_no_response 1
/// expect event gap 1
/// expect refused 0
/// ```
///
/// Times are relative to 2027-01-15T00:00:00Z, which is 01:00 in Berlin. A scenario can state these
/// expected numbers: the rings that sounded, the prompts with each outcome, the events of each
/// type, and the refused requests. If the file states the number of prompts with one outcome, it
/// must state the number for every outcome that occurs in the simulation.
public struct Scenario: Sendable {
  /// The text of the first comment line of the file.
  public var title = ""
  public var script: [TimedAction] = []
  public var length: Int64 = 0
  /// The seed for random values, for example the lengths of rings; nil if the file contains no
  /// seed.
  public var seed: UInt64?
  public var rings: Int?
  /// The expected number of rings that the daemon ordered from the player. A merged ring counts as
  /// one ring.
  public var sounds: Int?
  public var outcomes: [Outcome: Int]?
  /// The expected number of events of each named type.
  public var events: [String: Int] = [:]
  /// The expected number of refused requests; nil if any number is accepted.
  public var refused: Int?

  /// True if the scenario contains a purge. Such a scenario needs a real record (`Logbook`) on a
  /// disk.
  public var isOfTheRecord: Bool {
    script.contains { if case .purge = $0.action { true } else { false } }
  }

  /// - Throws: `ScenarioError` for the first line that the reader cannot read.
  public init(_ text: String) throws(ScenarioError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.allSatisfy({ $0 == " " }) { continue }
      if line.hasPrefix("#") {
        if title.isEmpty { title = String(line.drop { $0 == "#" || $0 == " " }) }
        continue
      }
      guard read(line) else {
        throw ScenarioError(line: index + 1, what: "\"\(line)\" is not an action or an expectation")
      }
    }
    script.sort { $0.at < $1.at }
  }

  /// Reads a scenario from a file.
  public init(path: String) throws(ScenarioError) {
    guard let bytes = try? readFile(atPath: path, limit: 1 << 24) else {
      throw ScenarioError(line: 0, what: "there is no file \"\(path)\"")
    }
    try self.init(String(decoding: bytes, as: UTF8.self))
  }

  private mutating func read(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    switch (words[0], words.count) {
    case ("until", 3):
      guard let end = TimedAction.milliseconds(words[1], words[2]) else { return false }
      length = end
    case ("seed", 2):
      guard let number = UInt64(words[1]) else { return false }
      seed = number
    case ("expect", 3):
      guard let count = Int(words[2]) else { return false }
      if words[1] == "rings" {
        rings = count
      } else if words[1] == "sounds" {
        sounds = count
      } else if words[1] == "refused" {
        refused = count
      } else {
        guard let outcome = Outcome(rawValue: String(words[1])) else { return false }
        outcomes = (outcomes ?? [:]).merging([outcome: count]) { $1 }
      }
    case ("expect", 4):
      guard words[1] == "event", let count = Int(words[3]) else { return false }
      events[String(words[2])] = count
    default:
      guard let action = TimedAction(line) else { return false }
      script.append(action)
    }
    return true
  }

  /// Compares the result of the simulation with the numbers in the `expect` lines of the scenario.
  ///
  /// - Returns: one text for each difference. If the simulation violated an invariant, the first
  ///   text is about this violation.
  public func complaints(about result: Campaign.Result) -> [String] {
    var found: [String] = []
    if let violation = result.violation { found.append("\(violation.invariant) \(violation.what)") }
    if let rings, rings != result.rings { found.append("\(result.rings) rings, not \(rings)") }
    if let sounds, sounds != result.sounds {
      found.append("\(result.sounds) sounds, not \(sounds)")
    }
    for (type, count) in events.sorted(by: { $0.key < $1.key })
    where count != result.eventCounts[type] ?? 0 {
      found.append("\(result.eventCounts[type] ?? 0) events \(type), not \(count)")
    }
    let refusals = result.requests.values.reduce(0) { $0 + $1.refused }
    if let refused, refused != refusals {
      found.append("\(refusals) requests refused, not \(refused)")
    }
    if let outcomes, outcomes.filter({ $0.value > 0 }) != result.outcomes {
      func text(_ counts: [Outcome: Int]) -> String {
        counts.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", ")
      }
      found.append("outcomes \(text(result.outcomes)), not \(text(outcomes))")
    }
    return found
  }
}
