import Alarms
import CivilTime
import Testing

@testable import StudyExport

@Suite struct `Diaries` {
  private func read(_ text: String) throws -> [DiaryEntry] {
    try DiaryEntry.read(csv: Array(text.utf8)).map(\.entry)
  }

  @Test func `a file is read, whichever program wrote it`() throws {
    let entry = DiaryEntry(
      person: PersonID("anna"), subject: .day(try CivilDate(parsing: "2026-12-01")), completion: 3,
      burden: nil, note: "slept, \"well\"\nand long", number: 1)
    let plain =
      "person,day,note,completion,burden\nanna,2026-12-01,\"slept, \"\"well\"\"\nand long\",3,\n"
    #expect(try read(plain) == [entry])
    #expect(try read("\u{FEFF}" + plain + "\n\n") == [entry])
    let windows = "completion,day,person\r\n0,2026-12-01,\r\n1,2026-12-02,anna"
    #expect(try read(windows).map(\.completion) == [0, 1])
    #expect(try read(windows).map(\.person) == [.patient, PersonID("anna")])
    let prompts = "prompt_id,completion,burden\nk3v9@2026-12-01T08:00:00,2,4\n"
    #expect(try read(prompts).first?.subject == .prompt(PromptID("k3v9@2026-12-01T08:00:00")!))
  }

  @Test(arguments: [
    ("", "the file is empty"), ("day,mood\n", "line 1, column 5: \"mood\""),
    ("day,day,completion\n", "line 1, column 5"), ("day,burden\n", "line 1: there must be"),
    ("day,prompt_id,completion\n", "line 1: there must be"),
    ("day,completion\n2026-12-01,4\n", "line 2, column 12: \"4\""),
    ("day,completion\n2026-12-01,\n", "line 2, column 12"),
    ("day,completion\n2026-12-01,3\n2026-13-01,3\n", "line 3, column 1: \"2026-13-01\""),
    ("day,completion\n2026-12-01,3,1\n", "line 2: the line has 3 cells"),
    ("day,completion,burden\n2026-12-01,3,five\n", "line 2, column 14: \"five\""),
    ("day,completion\n2026-12-01,3\n\n2026-12-01,2\n", "line 4, column 1"),
    ("day,completion\n\"2026-12-01,3\n", "line 2, column 1: a quotation mark is not closed"),
    ("day,completion\n\"2026-12-01\"x,3\n", "line 2, column 13: there is text after"),
    ("day,completion\n2026\"12-01,3\n", "line 2, column 5: a quotation mark is in a cell"),
    (
      "prompt_id,completion\npills,3\n",
      "line 2, column 1: \"pills\": it is not the id of a prompt"
    ),
  ])
  func `an error is named with its line and column`(text: String, words: String) {
    do {
      _ = try read(text)
      Issue.record("it was taken")
    } catch {
      #expect((error as? Refusal)?.detail.hasPrefix(words) == true, "\(error)")
    }
  }

  @Test func `bytes that are not text are refused`() {
    #expect(throws: Refusal.self) { try DiaryEntry.read(csv: [0xFF, 0xFE, 0x64]) }
  }
}
