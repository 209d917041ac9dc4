import CivilTime
import Foundation

@main
enum Bench {
  static func main() throws {
    let zone = try Zone(
      name: "America/New_York",
      tzif: Array(Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/America/New_York"))))
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "--only" {
      try only(arguments[2], queries: Int(arguments[3]) ?? 0, zone: zone)
      return
    }
    var generator = SeededGenerator(state: 1)
    let base = try Instant(parsing: "2026-01-01T00:00:00Z").seconds
    let queries = (0..<1000).map { _ in base + Int64.random(in: 0..<31_536_000, using: &generator) }
    for year in ["2016", "1970"] {
      for subject in subjects {
        let ours = try Ours(subject, year: year, zone: zone)
        let next = median(count: queries.count) {
          for query in queries { use(ours.next(query)) }
        }
        let chain = median(count: 1000) {
          var second = base
          for _ in 0..<1000 {
            let found = ours.next(second)
            // Round and round in ten years: "after 2100" would be another question.
            second = found >= base + 315_576_000 ? base : found
          }
          use(second)
        }
        var count = 0
        let (from, to) = try (
          Instant(parsing: "2026-01-01T00:00:00Z"), Instant(parsing: "2036-01-01T00:00:00Z")
        )
        ours.expand(from, to) { _ in count += 1 }
        let expansion = median(count: count) { ours.expand(from, to) { use($0) } }
        print(
          year, subject.name.padding(toLength: 6, withPad: " ", startingAt: 0),
          String(format: "%8.1f %8.1f %8.2f  %d", next, chain, expansion, count))
      }
    }
  }

  /// One rule's queries and nothing else, for callgrind.
  static func only(_ name: String, queries: Int, zone: Zone) throws {
    guard let subject = subjects.first(where: { $0.name == name }) else { return }
    let ours = try Ours(subject, year: "1970", zone: zone)
    var generator = SeededGenerator(state: 1)
    let base = try Instant(parsing: "2026-01-01T00:00:00Z").seconds
    for _ in 0..<queries {
      use(ours.next(base + Int64.random(in: 0..<31_536_000, using: &generator)))
    }
  }
}

/// The engine under measurement.
struct Ours {
  let recurrence: Recurrence
  /// One set or none.
  private let sets: [RecurrenceSet]
  private let isSet: Bool

  init(_ subject: Subject, year: String, zone: Zone) throws {
    let start = try CivilDateTime(parsing: "\(year)-\(subject.start)")
    let rule = try RecurrenceRule(parsing: subject.rule)
    recurrence = try Recurrence(rule: rule, start: start, zone: zone)
    if subject.exclusionCount > 0 {
      let first = try CivilDate(parsing: "2026-01-05")
      let exclusions = (0..<subject.exclusionCount).map {
        RecurrenceSet.Exclusion.dateTime(
          CivilDateTime(date: first.adding(days: $0 * 3 / 2), time: start.time))
      }
      sets = [try RecurrenceSet(rules: [recurrence], exclusions: exclusions, zone: zone)]
    } else {
      sets = []
    }
    isSet = !sets.isEmpty
  }

  @inline(__always)
  func next(_ second: Int64) -> Int64 {
    let instant = Instant(seconds: second)
    let found = isSet ? sets[0].next(after: instant) : recurrence.next(after: instant)
    return found?.instant.seconds ?? .max
  }

  func expand(_ from: Instant, _ to: Instant, _ body: (Int64) -> Void) {
    if let set = sets.first {
      for found in set.occurrences(from: from, to: to) { body(found.instant.milliseconds) }
    } else {
      for found in recurrence.occurrences(from: from, to: to) { body(found.instant.milliseconds) }
    }
  }
}
