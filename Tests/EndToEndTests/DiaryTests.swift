import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests diaries that a researcher imports from a file.
  @Suite struct Diary {
    @Test func `a diary is imported completely or not at all, and none of it twice`() async throws {
      try await TestHome.with { home in
        let file = home.path("diary.csv")
        func bring(_ text: String) async throws -> Finished {
          try Data(text.utf8).write(to: URL(filePath: file))
          return try await home.run("study", "diary", "import", file)
        }
        _ = try await home.ask("add", "Pills", "--schedule", "every day 08:00")
        let prompt = try #require(try await home.prompts().first?["id"]?.string)
        let wrong = try await bring("day,completion\n2026-02-01,3\n2026-02-02,7\n")
        #expect(wrong.code == 1 && wrong.complaint.contains("line 3, column 12"))
        let unknown = try await bring("prompt_id,completion\nnone@2026-02-01T08:00:00,3\n")
        #expect(unknown.code == 1 && unknown.complaint.contains("line 2, column 1"))
        let nobody = try await bring("day,completion,person\n2026-02-01,3,bob\n")
        #expect(nobody.code == 1 && nobody.complaint.contains("bob"))
        #expect(try await home.events("diary").isEmpty)
        let days = "day,completion,burden,note\n2026-02-01,3,0,\n2026-02-02,1,4,a bad day\n"
        #expect(try await bring(days).output == "2 new, 0 corrected, 0 unchanged.\n")
        #expect(try await bring(days).output == "0 new, 0 corrected, 2 unchanged.\n")
        let mended = days.replacing("1,4", with: "2,4") + "2026-02-03,3,0,\n"
        #expect(try await bring(mended).output == "1 new, 1 corrected, 1 unchanged.\n")
        let early = try await bring("prompt_id,completion\n\(prompt),2\n")
        #expect(early.code == 1 && early.complaint.contains("not due yet"), "\(early)")
        let events = try await home.events("diary")
        #expect(events.map { $0["payload"]?["completion"]?.integer } == [3, 1, 2, 3])
        #expect(events.map { $0["payload"]?["number"]?.integer } == [1, 1, 2, 1])
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `a row is about one known person, a past day and a time in the study`() async throws
    {
      try await TestHome.with { home in
        let file = home.path("diary.csv")
        func bring(_ text: String, _ more: String...) async throws -> Finished {
          try Data(text.utf8).write(to: URL(filePath: file))
          return try await home.run(["study", "diary", "import", file] + more)
        }
        func refused(_ text: String, _ words: String...) async throws {
          let answer = try await bring(text)
          #expect(answer.code == 1, "\(answer)")
          for word in words { #expect(answer.complaint.contains(word), "\(answer)") }
        }
        try await refused("day,completion\n2099-01-01,3\n", "line 2, column 1", "in the future")
        _ = try await home.ask("people", "add", "anna")
        try await refused("day,completion\n2026-02-01,3\n", "which of the 2 people")
        _ = try await home.ask("study", "enrol", "anna", "--pseudonym", "P-017")
        // The error message names the line and the column of the wrong cell.
        try await refused(
          "completion,day,person\n3,2026-02-01,P-018\n", "line 2, column 14", "no participant")
        try await refused(
          "completion,day,person\n3,2026-02-01,P-017\n", "line 2, column 3", "in no study then")
        let today = try #require(try await home.ask("status")["clock"]?["utc"]?.string).prefix(10)
        #expect(
          try await bring("person,day,completion,note\nP-017,\(today),1,a bad day\n").code == 0)
        #expect(
          try await bring("person,day,completion\nanna,\(today),2\n").output.contains("1 corrected")
        )
        try await refused(
          "person,day,completion\nanna,\(today),2\nP-017,\(today),2\n", "line 3", "line 2 already")
        // The next file contains the value from before the correction. Its import does not undo the
        // correction, unless the researcher adds the option `--older`.
        let older = "person,day,completion,note\nP-017,\(today),1,a bad day\n"
        let skipped = try await bring(older)
        #expect(skipped.output.contains("1 entry of an older file not taken"), "\(skipped)")
        #expect(try await bring(older, "--older").output.contains("1 corrected"))
        _ = try await home.ask("study", "withdraw", "anna", "--reason", "moved")
        try await refused(
          "person,day,completion,note\nP-017,\(today),3,home\n", "column 20", "has left the study")
        #expect(try await bring("person,day,completion\nP-017,\(today),3\n").code == 0)
        #expect(try await home.events("diary").count == 4)
      }
    }
  }
}
