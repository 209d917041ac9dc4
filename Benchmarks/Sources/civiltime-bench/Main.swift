import Allocations
import CivilTime
import Foundation

/// Measures CivilTime and other libraries with the same rules and queries, in one run.
///
///     swift run -c release civiltime-bench            all figures
///     … --only R01 100000                             only the queries of one rule, for callgrind
///     … --no-dateutil                                 without the slowest library
///
/// Each figure is the CPU time of the thread, as the median of 21 runs. The program measures three
/// things in America/New_York: queries at 1000 random instants of 2026, a chain of 1000 queries in
/// which each query begins at the previous answer, and the expansion of ten years from 2026. If a
/// query of another library takes milliseconds, this library gets fewer queries. The program
/// compares the answers of the other libraries with the answers of CivilTime. The exit code is 1 if
/// a figure exceeds a limit of `Subject.bar` or an answer is wrong.
@main
enum Main {
  static func main() throws {
    let path = "/usr/share/zoneinfo/America/New_York"
    let file = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let zone = try Zone(name: "America/New_York", tzif: file)
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "--only" {
      return try only(arguments[2], queries: Int(arguments[3]) ?? 0, zone: zone)
    }
    let parse = median(count: 1) {
      if let zone = try? Zone(name: "New York", tzif: file) {
        use(Int64(zone.offsetSeconds(at: Instant(seconds: 0))))
      }
    }
    print(String(format: "one TZif file (%d bytes) read in %.1f µs", file.count, parse / 1000))
    try impossible(zone)
    let run = try Run(zone: zone, withDateutil: !arguments.contains("--no-dateutil"))
    for year in ["2016", "1970"] {
      print("\nstart in \(year), ns", Run.heading, separator: "\n")
      for subject in subjects { try run.measure(subject, year: year) }
    }
    print()
    print(run.wrong.isEmpty ? "all limits kept, no allocation" : run.wrong.joined(separator: "\n"))
    if !run.wrong.isEmpty { exit(1) }
  }

  /// Measures the proof that a rule has no occurrence.
  private static func impossible(_ zone: Zone) throws {
    let start = try CivilDateTime(parsing: "2026-01-01T08:00")
    for text in [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=32",
      "FREQ=MONTHLY;INTERVAL=12;BYMONTH=2", "FREQ=DAILY;INTERVAL=7;BYDAY=TU",
      "FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
    ] {
      guard let rule = try? RecurrenceRule(parsing: text) else { continue }
      let time = median(count: 1) {
        if let made = try? Recurrence(rule: rule, start: start, zone: zone) {
          fatalError("\(made.rule) was accepted, although it has no occurrence")
        }
      }
      print(String(format: "no occurrence, proven in %.1f µs: %@", time / 1000, text))
    }
  }

  /// Runs only the queries of one rule.
  private static func only(_ name: String, queries: Int, zone: Zone) throws {
    guard let subject = subjects.first(where: { $0.name == name }) else { return }
    let ours = try Ours(subject, year: "1970", zone: zone)
    var generator = SeededGenerator(state: 1)
    for _ in 0..<queries {
      use(ours.next(Run.base + Int64.random(in: 0..<31_536_000, using: &generator)))
    }
  }
}

/// One run over all rules.
final class Run {
  static let base: Int64 = 1_767_225_600  // 2026-01-01T00:00:00Z
  static let end: Int64 = 2_082_758_400  // 2036-01-01T00:00:00Z
  static let heading =
    "rule   next  chain  10 y/occ     n |  limit   libical    (walk)  dateutil | "
    + "best peer/ours | libical 10 y  dateutil 10 y | differ: libical walk dateutil"

  private let zone: Zone
  private let withDateutil: Bool
  private let queries: [Int64]
  var wrong: [String] = []

  init(zone: Zone, withDateutil: Bool) throws {
    self.zone = zone
    self.withDateutil = withDateutil
    var generator = SeededGenerator(state: 1)
    queries = (0..<1000).map { _ in
      Run.base + Int64.random(in: 0..<31_536_000, using: &generator)
    }
  }

  func measure(_ subject: Subject, year: String) throws {
    let ours = try Ours(subject, year: year, zone: zone)
    let next = median(count: queries.count) { for query in queries { use(ours.next(query)) } }
    let chain = median(count: 1000) {
      var second = Run.base
      for _ in 0..<1000 {
        let found = ours.next(second)
        // After ten years, start again at the beginning, because a query after the last occurrence
        // would measure another case.
        second = found >= Run.end ? Run.base : found
      }
      use(second)
    }
    countAllocations(subject, ours)
    var times: [Int64] = []
    ours.expand { times.append($0) }
    let expansion = median(count: times.count) { ours.expand { use($0) } }
    if ours.isPlain { check(times, ours, subject) }
    var line =
      subject.name.padding(toLength: 5, withPad: " ", startingAt: 0)
      + String(format: "%6.1f %6.1f %9.2f %5d |", next, chain, expansion, times.count)
    line += " " + limit(subject, ours)
    if ours.isPlain { line += try peers(subject, year: year, ours: ours, next: next) }
    print(line)
    judge(subject, next, expansion, times.count, year)
  }

  /// Checks that queries and expansions allocate no memory. The expansion of a set may allocate
  /// memory once.
  private func countAllocations(_ subject: Subject, _ ours: Ours) {
    let before = allocation_count()
    for query in queries { use(ours.next(query)) }
    let asking = allocation_count() - before
    ours.expand { use($0) }
    let expanding = allocation_count() - before - asking
    if asking > 0 { wrong.append("\(subject.name): \(asking) allocations in 1000 queries") }
    if expanding > 1 { wrong.append("\(subject.name): \(expanding) allocations to expand") }
  }

  /// Checks that an expansion returns the same times as repeated queries.
  private func check(_ times: [Int64], _ ours: Ours, _ subject: Subject) {
    var second = Run.base - 1
    for time in times {
      second = ours.next(second)
      if second != time { wrong.append("\(subject.name): expansion and query differ at \(time)") }
    }
  }

  private func limit(_ subject: Subject, _ ours: Ours) -> String {
    let offset = { [zone] in zone.offsetSeconds(at: Instant(seconds: $0)) }
    guard let hand = HandWritten(subject.name, start: ours.start, offset: offset) else {
      return "     -"
    }
    let time = median(count: queries.count) { for query in queries { use(hand.next(query)) } }
    let differing = queries.count { hand.next($0) != ours.next($0) }
    if differing > 0 { wrong.append("\(subject.name): \(differing) answers differ from the limit") }
    return String(format: "%6.1f", time)
  }

  private func peers(
    _ subject: Subject, year: String, ours: Ours, next: Double
  ) throws -> String {
    let start = "\(year)-\(subject.start)"
    let few = Array(queries.prefix(5))
    var (seek, walk, expand, python, pythonExpand) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var differ = [0, 0, 0]
    if let peer = Libical(rule: subject.rule, start: start) {
      let asked = Array(queries.prefix(subject.isSlowForPeers ? 5 : 100))
      seek = median(count: asked.count, runs: 5) { for query in asked { use(peer.seek(query)) } }
      walk = median(count: few.count, runs: 3) { for query in few { use(peer.walk(query)) } }
      var count = 0
      peer.expand(Run.base, Run.end) { _ in count += 1 }
      expand = median(count: count, runs: 3) { peer.expand(Run.base, Run.end) { use($0) } }
      differ[0] = asked.count { peer.seek($0) != ours.next($0) } * 100 / asked.count
      differ[1] = few.count { peer.walk($0) != ours.next($0) } * 100 / few.count
    }
    if withDateutil, !subject.isSlowForPeers,
      let peer = Dateutil.measure(
        script: "dateutil_bench.py", rule: subject.rule, start: start, queries: few)
    {
      (python, pythonExpand) = (peer.next, peer.expansion)
      differ[2] = zip(few, peer.answers).count { ours.next($0) != $1 } * 100 / few.count
    }
    let best = [seek, walk, python].filter { $0 > 0 }.min() ?? 0
    if best > 0, best < 5 * next {
      wrong.append("\(subject.name): another library needs less than 5 times as long")
    }
    return String(
      format: " %9.0f %9.0f %9.0f | %14.0f | %12.0f %14.0f | %d %% %d %% %d %%", seek, walk, python,
      best / next, expand, pythonExpand, differ[0], differ[1], differ[2])
  }

  private func judge(
    _ subject: Subject, _ next: Double, _ expansion: Double, _ count: Int, _ year: String
  ) {
    if subject.bar.next > 0, next > subject.bar.next {
      wrong.append("\(subject.name) \(year): next takes \(next) ns, limit \(subject.bar.next) ns")
    }
    if subject.bar.expansion > 0, count > 0, expansion > subject.bar.expansion {
      wrong.append(
        "\(subject.name) \(year): expansion takes \(expansion) ns, limit \(subject.bar.expansion) ns"
      )
    }
  }
}

/// The calls of CivilTime, the library that the program measures.
struct Ours {
  private let recurrence: Recurrence
  /// The set of the rule and its exclusions. The list is empty if the rule has no exclusions.
  private let sets: [RecurrenceSet]
  let isPlain: Bool

  init(_ subject: Subject, year: String, zone: Zone) throws {
    let start = try CivilDateTime(parsing: "\(year)-\(subject.start)")
    let rule = try RecurrenceRule(parsing: subject.rule)
    recurrence = try Recurrence(rule: rule, start: start, zone: zone)
    isPlain = subject.exclusionCount == 0
    if isPlain {
      sets = []
      return
    }
    let first = try CivilDate(parsing: "2026-01-05")
    let exclusions = (0..<subject.exclusionCount).map {
      RecurrenceSet.Exclusion.dateTime(
        CivilDateTime(date: first.adding(days: $0 * 3 / 2), time: start.time))
    }
    sets = [try RecurrenceSet(rules: [recurrence], exclusions: exclusions, zone: zone)]
  }

  var start: Int64 { recurrence.zone.resolve(recurrence.start).instant.seconds }

  @inline(__always)
  func next(_ second: Int64) -> Int64 {
    let instant = Instant(seconds: second)
    let found = isPlain ? recurrence.next(after: instant) : sets[0].next(after: instant)
    return found?.instant.seconds ?? .max
  }

  func expand(_ body: (Int64) -> Void) {
    let (from, to) = (Instant(seconds: Run.base), Instant(seconds: Run.end))
    if let set = sets.first {
      for found in set.occurrences(from: from, to: to) { body(found.instant.seconds) }
    } else {
      for found in recurrence.occurrences(from: from, to: to) { body(found.instant.seconds) }
    }
  }
}
