import TestRandom

@testable import CivilTime

/// Makes random rules of every form.
///
/// `CivilTime` refuses some of these rules. Many of the other rules have only a few occurrences.
struct RuleGenerator {
  var random: SeededGenerator
  static let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func list(_ range: ClosedRange<Int>, _ most: Int, signed: Bool = false) -> String {
    (0..<number(1...most)).map { _ in
      String(signed && chance(35) ? -max(1, number(range)) : number(range))
    }.joined(separator: ",")
  }

  /// Returns a rule that the parser accepts.
  mutating func rule() -> String {
    while true {
      let text = attempt()
      if (try? RecurrenceRule(parsing: text)) != nil { return text }
    }
  }

  private mutating func attempt() -> String {
    let frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
    let frequency = frequencies[number(0...6)]
    var parts = ["FREQ=\(frequency)"]
    if chance(40) { parts.append("INTERVAL=\(number(1...(chance(20) ? 2000 : 12)))") }
    if chance(15) { parts.append("COUNT=\(number(1...300))") }
    if chance(30) { parts.append("BYMONTH=\(list(1...12, 4))") }
    if chance(15) { parts.append("BYWEEKNO=\(list(1...53, 3, signed: true))") }
    if chance(15) { parts.append("BYYEARDAY=\(list(1...366, 4, signed: true))") }
    if chance(25) { parts.append("BYMONTHDAY=\(list(1...31, 4, signed: true))") }
    if chance(45) {
      let ordinal = chance(30) && (frequency == "MONTHLY" || frequency == "YEARLY")
      let days = (0..<number(1...4)).map { _ in
        (ordinal ? list(1...5, 1, signed: true) : "") + Self.days[number(0...6)]
      }
      parts.append("BYDAY=\(days.joined(separator: ","))")
    }
    if chance(30) { parts.append("BYHOUR=\(list(0...23, 4))") }
    if chance(20) { parts.append("BYMINUTE=\(list(0...59, 4))") }
    if chance(10) { parts.append("BYSECOND=\(list(0...60, 4))") }
    if chance(20) { parts.append("BYSETPOS=\(list(1...(chance(50) ? 4 : 366), 3, signed: true))") }
    if chance(30) { parts.append("WKST=\(Self.days[number(0...6)])") }
    if chance(15) { parts.append("RSCALE=GREGORIAN;SKIP=\(chance(50) ? "FORWARD" : "BACKWARD")") }
    return parts.joined(separator: ";")
  }
}
