import Alarms
import CivilTime
import Foundation
import Testing

extension EndToEnd {
  /// Tests a week of two people and their daughter.
  ///
  /// The script `Tests/Fixtures/family-week.txt` says who types which command, and when. The golden
  /// file contains all texts that the people read, hear and receive, with the summary of each day.
  /// If a text changes on purpose, run `make golden`, which writes the golden file again. Then read
  /// what changed in the golden file.
  @Suite struct FamilyWeek {
    @Test func `the week of a family is as it was`() async throws {
      let script = try WeekScript(
        String(
          contentsOf: TestHome.fixtures.appending(path: "family-week.txt"), encoding: .utf8))
      let evening = try ClockTime(parsing: "20:00")
      var text = ""
      try await WeekHome.with(
        start: try CivilDateTime(parsing: "2027-03-22T07:00:00"), summaries: ["anna": evening]
      ) { home in
        for line in script.lines {
          switch line {
          case .comment(let comment): home.write(comment)
          case .day(let day):
            try await home.pass(
              until: CivilDateTime(date: day, time: try ClockTime(parsing: "00:00")))
            home.write("== \(day.weekday) \(day)")
          case .act(let act): try await home.perform(act)
          }
        }
        text = home.transcript.joined(separator: "\n") + "\n"
      }
      let file = TestHome.repository.appending(path: "Tests/Golden/family-week.txt")
      if ProcessInfo.processInfo.environment["PROMPTER_WRITE_GOLDEN"] != nil {
        try Data(text.utf8).write(to: file)
      }
      let isSame = try String(contentsOf: file, encoding: .utf8) == text
      #expect(isSame, "Tests/Golden/family-week.txt differs: \(text)")
    }
  }
}
