import Foundation
import Testing

@testable import Simulation

/// Checks that the table of hazards agrees with the scenarios and with the other files.
@Suite struct HazardTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private struct Row {
    var number: Int
    var scenarios: String
    var elsewhere: String

    /// Reads a line such as `| H1 | cause | 01, 02 | where |`.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].hasPrefix("H"), let number = Int(cells[0].dropFirst()) else {
        return nil
      }
      (self.number, scenarios, elsewhere) = (number, cells[2], cells[3])
    }
  }

  private func rows() throws -> [Row] {
    let page = Self.root.appendingPathComponent("docs/internals/HAZARDS.md")
    return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap {
      Row($0)
    }
  }

  /// Returns the rows of the table that the files in `Fixtures/scenarios` name. The key is the
  /// number of a file. The value is the number of a row; nil if the file names no row.
  private func scenarioRows() throws -> [String: Int?] {
    let directory = Self.root.appendingPathComponent("Tests/Fixtures/scenarios").path
    var found: [String: Int?] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory)
    where name.hasSuffix(".scenario") {
      let title = try Scenario(path: "\(directory)/\(name)").title
      let row = title.hasPrefix("H") ? Int(title.dropFirst().prefix { $0.isNumber }) : nil
      let number = String(name.prefix { $0 != "-" })
      #expect(found.updateValue(row, forKey: number) == nil, "two files begin with \(number)-")
    }
    return found
  }

  @Test func `every hazard has a scenario, or the table names another test`() throws {
    let rows = try rows()
    #expect(rows.map(\.number) == Array(1...29))
    let scenarios = try scenarioRows()
    for row in rows {
      let path = Self.root.appendingPathComponent(row.elsewhere).path
      #expect(FileManager.default.fileExists(atPath: path), "H\(row.number): \(row.elsewhere)")
      if row.scenarios.hasPrefix("not simulable: ") { continue }
      let named = row.scenarios.split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      let tagged = scenarios.filter { $0.value == row.number }.keys
        .sorted { ($0.count, $0) < ($1.count, $1) }
      #expect(
        !named.isEmpty && named == tagged,
        "H\(row.number): \(named), but the files with this row are \(tagged)")
    }
  }

  /// Example of a row: `| Waking | … | 01, 19, WakingTests |`
  @Test func `every row of the waking table in PROMPTS.md names an existing test`()
    throws
  {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("docs/user/PROMPTS.md"), encoding: .utf8)
    let lines = page.split(separator: "\n").drop { !$0.hasPrefix("| Waking |") }.dropFirst(2)
      .prefix { $0.hasPrefix("|") }
    #expect(lines.count == 11)
    let scenarios = Set(try scenarioRows().keys)
    let folder = Self.root.appendingPathComponent("Tests/AlarmsTests").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    let tests = Set(files.compactMap { $0.split(separator: "/").last.map(String.init) })
    for line in lines {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let proofs = cells.last?.split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      #expect(cells.count == 5 && proofs?.isEmpty == false, "\(line)")
      for proof in proofs ?? [] where !scenarios.contains(proof) {
        #expect(tests.contains("\(proof).swift"), "\(proof)")
      }
    }
  }

  @Test func `no scenario names a hazard that is not in the table`() throws {
    let numbers = Set(try rows().map(\.number))
    for (name, row) in try scenarioRows() {
      if let row { #expect(numbers.contains(row), "\(name)") }
    }
  }
}
