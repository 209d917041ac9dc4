import CivilTime
import Foundation
import Testing

@testable import Alarms

/// Reads the table rows with this number of cells from `docs/user/SCHEDULES.md`.
private func rows(cells: Int) throws -> [[String]] {
  let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  let text = try String(contentsOf: root.appending(path: "docs/user/SCHEDULES.md"), encoding: .utf8)
  return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
    line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }.filter { $0.count == cells }
}

/// Returns the text of a cell without its backticks.
private func code(_ cell: String) -> String { cell.trimmingCharacters(in: ["`"]) }

private func zone(_ name: String) throws -> Zone {
  let file = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"))
  return try Zone(name: name, tzif: Array(file))
}

/// Saturday 21 November 2026, 09:00 in Berlin.
private let now = Instant(seconds: 1_795_248_000)

@Suite struct `The page on schedules for caretakers` {
  @Test func `shows phrases that the program understands`() throws {
    let rows = try rows(cells: 2)
    #expect(rows.count == 28)
    for row in rows {
      let parsed = try SchedulePhrase(code(row[0]), now: now, zone: CoreFixture.berlin).parsed()
      #expect(
        parsed.schedule.words(in: CoreFixture.berlin, typedAt: now) == code(row[1]), "\(row[0])")
    }
  }

  @Test func `shows the phrases that a refusal proposes`() throws {
    let rows = try rows(cells: 3).filter { $0[2].hasPrefix("`") }
    #expect(rows.count == 9)
    for row in rows {
      do throws(Refusal) {
        _ = try SchedulePhrase(code(row[0]), now: now, zone: CoreFixture.berlin).parsed()
        Issue.record("\(row[0]) is understood")
      } catch {
        let phrases = row[2].split(separator: "`").filter { $0 != ", " }
        let proposed = phrases.map { "\"\($0)\"" }.joined(separator: " or ")
        #expect(error.detail.hasSuffix(proposed), "\(error.detail)")
      }
    }
  }

  @Test func `shows when an alarm rings on days with a clock change`() throws {
    let rows = try rows(cells: 4)
    #expect(rows.count == 25)
    for row in rows {
      let zone = try zone(row[1])
      let day = try CivilDate(parsing: row[2])
      let parsed = try SchedulePhrase(code(row[0]), now: now, zone: zone).parsed()
      let plan = try SchedulePlan(parsed.schedule, zone: zone, seed: 0)
      var times: [String] = []
      var from = zone.resolve(CivilDateTime(date: day, time: .midnight)).instant
        .adding(milliseconds: -1)
      while let next = plan.next(after: from) {
        from = next.instant
        let shown = zone.civil(at: from)
        if shown.dateTime.date > day { break }
        times.append("\(shown.dateTime.time)" + (shown.fold == 1 ? " again" : ""))
      }
      let found = times.isEmpty ? "nothing" : times.joined(separator: ", ")
      #expect(found == row[3], "\(row[0]) on \(row[2])")
    }
  }
}
