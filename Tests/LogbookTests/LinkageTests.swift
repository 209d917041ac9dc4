import Alarms
import CivilTime
import Glibc
import JSONValue
import StudyExport
import TestRandom
import Testing

@testable import Logbook

/// Tests attacks on exports. The attacker tries to join two exports of one record, and to find the
/// dates of the record.
@Suite struct `An attack on exports` {
  private let directory = TemporaryDirectory()

  /// Exports the record of a home, and returns the directory.
  private func export(
    _ logbook: Logbook, _ profile: ExportProfile, _ name: String,
    layout: ExportLayout = .frictionless
  ) throws -> String {
    let path = "\(directory.path)/\(name)-\(layout)-\(profile)"
    _ = try logbook.writeExport(to: path, profile: profile, layout: layout) {
      $0 == "Europe/Berlin" ? DatedHome.berlin : nil
    }
    return path
  }

  private func logbook(
    _ name: String, seed: UInt64, firstDay: String = "2026-12-01", days: Int = 60,
    secret: UInt64 = 1
  ) throws -> Logbook {
    mkdir("\(directory.path)/\(name)-record", 0o700)
    let logbook = try Logbook(
      directory: "\(directory.path)/\(name)-record", study: "",
      random: SeededGenerator(seed: secret))
    try DatedHome(seed: seed, firstDay: try CivilDate(parsing: firstDay), days: days)
      .record(into: logbook)
    return logbook
  }

  /// Returns the values that an attacker would try for a cell of `limited`. These are the exact
  /// value, and the value to which `safe_harbor` would round the cell.
  private static func guesses(_ cell: String) -> [String] {
    if let number = Int64(cell) {
      return [cell, String(SafeNumber.amount(number))]
    }
    if let number = Double(cell) { return [cell, String(Int64(number.rounded()))] }
    // A time of day is rounded down to a quarter of an hour.
    let parts = cell.split(separator: "T")
    guard parts.count == 2, let minute = Int(parts[1].dropFirst(3).prefix(2)) else { return [cell] }
    let quarter = minute / 15 * 15
    return [cell, "\(parts[1].prefix(3))\(quarter < 10 ? "0" : "")\(quarter):00"]
  }

  /// Returns the values that occur exactly once.
  private static func unique(_ values: [String]) -> Set<String> {
    var counts: [String: Int] = [:]
    for value in values where !value.isEmpty { counts[value, default: 0] += 1 }
    return Set(counts.filter { $0.value == 1 }.keys)
  }

  /// Tries each pair of one column of `safe` and one column of `limited`. Returns the largest share
  /// of the rows that the values of such a pair connect, and the names of the two columns.
  private static func linked(_ safe: Table, _ limited: Table) -> (share: Double, columns: String) {
    var best = (share: 0.0, columns: "")
    let known = limited.header.flatMap { column -> [(String, Set<String>)] in
      let cells = limited.rows.map { guesses($0[column] ?? "") }
      return [
        (column, unique(cells.compactMap(\.first))), (column, unique(cells.compactMap(\.last))),
      ]
    }
    for column in safe.header where !column.hasSuffix("_day") {
      let values = unique(safe.rows.map { $0[column] ?? "" })
      for (other, found) in known {
        let share = Double(values.intersection(found).count) / Double(safe.rows.count)
        if share > best.share { best = (share, "\(column) = \(other)") }
      }
    }
    return best
  }

  @Test func `no column joins the rows of safe harbor with the rows of limited`() throws {
    let home = try logbook("a", seed: 1)
    let safe = try export(home, .safeHarbor, "a")
    let limited = try export(home, .limited, "a")
    let identified = try export(home, .identified, "a")
    for name in ["prompts", "rings", "responses", "events"] {
      let rows = Table("\(limited)/\(name).csv")
      #expect(rows.rows.count > 300, "\(name)")
      let found = Self.linked(Table("\(safe)/\(name).csv"), rows)
      // Only few rows have a rounded value that no other row has.
      #expect(found.share < 0.15, "\(name): \(found)")
      // The same attack succeeds with an `identified` export, because this export contains exact
      // values.
      #expect(Self.linked(Table("\(identified)/\(name).csv"), rows).share > 0.9, "\(name)")
    }
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_@-".contains(character)
  }

  /// Returns true for a time of day, for example 08:30:00.
  private static func isTime(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return parts.count == 3
      && parts.allSatisfy { $0.count == 2 && $0.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// Returns the long cells of an export. An attacker can recognise a record by such a cell.
  private func words(_ path: String) throws -> Set<String> {
    var cells: Set<String> = []
    for name in TemporaryDirectory.list(path) where name.hasSuffix(".csv") && name != "codebook.csv"
    {
      for row in Table("\(path)/\(name)").rows {
        for (column, cell) in row {
          // A payload is split into its parts, for example the ids that it contains.
          if column == "payload" {
            cells.formUnion(cell.split { !Self.isPartOfWord($0) }.map(String.init))
          } else {
            cells.insert(cell)
          }
        }
      }
    }
    var found = cells.filter { $0.utf8.count >= 6 && Double($0) == nil && !Self.isTime($0) }
    let manifest = try JSON(parsing: readFile("\(path)/MANIFEST.json"))
    found.formUnion(try digests(path))
    for name in ["hash", "code"] {
      if let text = manifest["head"]?[name]?.string { found.insert(text) }
    }
    return found
  }

  /// Returns the digests of the tables of an export.
  private func digests(_ path: String) throws -> Set<String> {
    let manifest = try JSON(parsing: readFile("\(path)/MANIFEST.json"))
    let tables = (manifest["files"]?.array ?? []).filter {
      $0["name"]?.string?.hasSuffix(".csv") == true
    }
    return Set(tables.compactMap { $0["sha256"]?.string })
  }

  @Test func `no name, number or digest of safe harbor is in limited`() throws {
    let home = try logbook("a", seed: 1, days: 12)
    let other = try logbook("b", seed: 2, days: 12, secret: 2)
    for layout in [ExportLayout.frictionless, .mpath, .cleanadh] {
      let safe = try words(try export(home, .safeHarbor, "a", layout: layout))
      let limited = try words(try export(home, .limited, "a", layout: layout))
      // The words of Prompter and the settings are the same in every home. An attacker cannot
      // recognise a home by them.
      let usual = try words(try export(other, .limited, "b", layout: layout))
      #expect(safe.intersection(limited).subtracting(usual).isEmpty, "\(layout)")
      let identified = try words(try export(home, .identified, "a", layout: layout))
      #expect(
        identified.intersection(limited).subtracting(usual).count
          > (layout == .frictionless ? 20 : 0), "\(layout)")
    }
    // The code of the participant is the only value that intentionally joins the two exports.
    let participant = Table("\(directory.path)/a-frictionless-safeHarbor/participants.csv").rows
    #expect(participant.map { $0["participant"] } == ["A-017"])
    let responses = Table("\(directory.path)/a-frictionless-safeHarbor/responses.csv").rows
    #expect(responses.allSatisfy { $0["question"]?.hasPrefix("q-") == true })
  }

  @Test func `after a rekey, limited contains no id and no digest of an earlier export`() throws {
    let home = try logbook("a", seed: 1, days: 6)
    let other = try logbook("b", seed: 2, days: 6, secret: 2)
    let before = try export(home, .limited, "before")
    var history = History(seed: 9)
    try home.record([history.record(.rekeyed)], StateDelta())
    let after = try export(home, .limited, "after")
    let usual = try words(try export(other, .limited, "b"))
    let shared = try words(before).intersection(try words(after)).subtracting(usual)
    // Both exports contain the same times, because a limited export contains dates. A table that
    // contains only times also has the same digest in both exports.
    let digests = try digests(after)
    let left = shared.subtracting(digests).filter {
      $0.wholeMatch(of: /20\d\d-\d\d-\d\dT[\d:.]+Z?/) == nil
    }
    #expect(left.isEmpty, "\(left.sorted().prefix(9))")
    #expect(
      Table("\(after)/events.csv").rows.allSatisfy { $0["hash"] == "" && $0["event_id"] == "" })
    // Within one export, a prompt or an alarm has the same id in each table.
    let prompts = Set(Table("\(after)/prompts.csv").rows.compactMap { $0["prompt_id"] })
    let events = Set(Table("\(after)/events.csv").rows.compactMap { $0["prompt_id"] })
    #expect(prompts == events.subtracting([""]) && !prompts.isEmpty)
    let alarms = Set(Table("\(after)/alarms.csv").rows.compactMap { $0["alarm_id"] })
    #expect(Set(Table("\(after)/prompts.csv").rows.compactMap { $0["alarm_id"] }) == alarms)
  }

  /// Returns the text of each table of an export. The first keyed hash of the export becomes the
  /// number 0, the next different keyed hash becomes 1. The same hash always becomes the same
  /// number.
  private func normalised(_ path: String) -> [String: String] {
    var numbers: [Substring: Int] = [:]
    var files: [String: String] = [:]
    for name in TemporaryDirectory.list(path) where name.hasSuffix(".csv") && name != "codebook.csv"
    {
      let text = String(decoding: readFile("\(path)/\(name)"), as: UTF8.self)
      files[name] = text.replacing(/[a-z]-[0-9a-f]{20}/) { match in
        let number = numbers[match.output, default: numbers.count]
        numbers[match.output] = number
        return "#\(number)"
      }
    }
    return files
  }

  /// Compares the exports of two homes that differ only in their dates. The clocks change during
  /// the days of the first home, but not during the days of the second home. If the exports
  /// differed, a reader could find the day of the clock change, and then the date of each row.
  @Test(arguments: ["2027-03-20", "2027-10-23"], ExportLayout.allCases)
  func `safe harbor does not show when the clocks change`(
    firstDay: String, layout: ExportLayout
  ) throws {
    let here = try export(
      try logbook("a", seed: 3, firstDay: firstDay, days: 16), .safeHarbor, "a", layout: layout)
    let there = try export(
      try logbook("b", seed: 3, firstDay: "2026-12-02", days: 16), .safeHarbor, "b", layout: layout)
    let (changed, usual) = (normalised(here), normalised(there))
    #expect(changed.keys.sorted() == usual.keys.sorted())
    for (name, text) in changed {
      let pairs = zip(text.split(separator: "\n"), (usual[name] ?? "").split(separator: "\n"))
      let first = pairs.first { $0 != $1 }
      #expect(
        first == nil && text.count == usual[name]?.count, "\(name): \(String(describing: first))")
    }
  }

  @Test func `rounding keeps the answer to the question whether a prompt was done in time`() {
    for (exact, rounded) in [
      (0, 0), (7, 7), (99, 99), (100, 100), (101, 110), (-101, -110), (65_231, 66_000),
      (900_000, 900_000), (900_001, 910_000), (3_599_999, 3_600_000), (3_600_001, 3_700_000),
      (2_678_400_000, 2_700_000_000), (Int64.max, .max),
    ] as [(Int64, Int64)] {
      #expect(SafeNumber.amount(exact) == rounded, "\(exact)")
    }
    #expect(SafeNumber.duration(2_678_400_001) == nil)
    for minutes in [15, 30, 60] as [Int64] {
      for exact in stride(from: Int64(1), through: 7_200_000, by: 997) {
        let limit = minutes * 60_000
        #expect((exact <= limit) == (SafeNumber.duration(exact)! <= limit), "\(exact)")
      }
    }
  }
}
