import CLibical
import Foundation
import Limit

/// Calls libical in the way in which a program uses it: the queries and the answers are instants,
/// and libical uses its own zone of New York.
struct Libical {
  private let rule: icalrecurrencetype
  private let start: icaltimetype
  private let zone: OpaquePointer

  /// `start` as `2016-01-01T08:00`; nil if libical refuses the rule.
  init?(rule text: String, start: String) {
    guard let zone = icaltimezone_get_builtin_timezone("America/New_York") else { return nil }
    let basic = start.filter { $0 != "-" && $0 != ":" } + "00"
    self.rule = icalrecurrencetype_from_string(text)
    var local = icaltime_from_string(basic)
    self.start = icaltime_set_timezone(&local, zone)
    self.zone = zone
    if rule.freq == ICAL_NO_RECURRENCE { return nil }
  }

  private func local(_ second: Int64) -> icaltimetype {
    icaltime_from_timet_with_zone(time_t(second), 0, zone)
  }

  /// Moves a new iterator to the query. A reused iterator returns wrong answers for R02, R03 and
  /// R11.
  func seek(_ second: Int64) -> Int64 {
    guard let iterator = icalrecur_iterator_new(rule, start) else { return .max }
    defer { icalrecur_iterator_free(iterator) }
    guard icalrecur_iterator_set_start(iterator, local(second)) != 0 else { return .max }
    return first(iterator, after: second)
  }

  /// Walks through all occurrences from the start.
  func walk(_ second: Int64) -> Int64 {
    guard let iterator = icalrecur_iterator_new(rule, start) else { return .max }
    defer { icalrecur_iterator_free(iterator) }
    return first(iterator, after: second)
  }

  private func first(_ iterator: OpaquePointer, after second: Int64) -> Int64 {
    while true {
      let time = icalrecur_iterator_next(iterator)
      if icaltime_is_null_time(time) != 0 { return .max }
      let found = Int64(icaltime_as_timet_with_zone(time, zone))
      if found > second { return found }
    }
  }

  /// Expands an interval with a new iterator that is moved to its start.
  func expand(_ from: Int64, _ to: Int64, _ body: (Int64) -> Void) {
    guard let iterator = icalrecur_iterator_new(rule, start) else { return }
    defer { icalrecur_iterator_free(iterator) }
    guard icalrecur_iterator_set_start(iterator, local(from)) != 0 else { return }
    while true {
      let time = icalrecur_iterator_next(iterator)
      if icaltime_is_null_time(time) != 0 { return }
      let found = Int64(icaltime_as_timet_with_zone(time, zone))
      if found >= to { return }
      if found >= from { body(found) }
    }
  }
}

/// Hand-written code in C for three of the rules.
struct HandWritten {
  private let table: [limit_bucket]
  private let base: Int64
  private let answer: (UnsafePointer<limit_bucket>, Int64, Int64) -> Int64

  init?(_ name: String, start: Int64, offset: (Int64) -> Int) {
    switch name {
    case "R01": answer = { limit_daily($0, $1, 8 * 3600, $2) }
    case "R04": answer = { limit_last_friday($0, $1, 10 * 3600, $2) }
    case "R10": answer = { _, _, second in limit_elapsed(start, 5400, second) }
    default: return nil
    }
    // The table divides the years 1970 to 2080 into buckets of 2^22 s. A bisection finds the change
    // of the offset in each bucket.
    base = 0
    table = (0..<828).map { index in
      let begin = Int64(index) << 22
      var (low, high) = (begin, begin + 1 << 22)
      let (before, after) = (offset(low), offset(high - 1))
      if before == after {
        return limit_bucket(split: .max / 4, before: Int32(before), after: Int32(after))
      }
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(middle) == before { low = middle } else { high = middle }
      }
      return limit_bucket(split: high, before: Int32(before), after: Int32(after))
    }
  }

  @inline(__always)
  func next(_ second: Int64) -> Int64 {
    table.withUnsafeBufferPointer { buffer in
      // The table is never empty, so it has an address.
      buffer.baseAddress.map { answer($0, base, second) } ?? 0
    }
  }
}

/// Runs python-dateutil in a separate process. The process measures its own CPU time.
enum Dateutil {
  struct Figures: Decodable {
    /// The nanoseconds for each query, the nanoseconds for each occurrence, and the answers to the
    /// queries.
    var next: Double
    var expansion: Double
    var answers: [Int64]
  }

  /// Measures a rule with some queries. The result is nil if Python or dateutil is missing.
  static func measure(
    script: String, rule: String, start: String, queries: [Int64]
  ) -> Figures? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script, rule, start] + queries.map(String.init)
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try? JSONDecoder().decode(Figures.self, from: data)
  }
}
