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
    ("day,completion\n2026-12-01,\n", "line 2, column 12: \"\": it must be from 0 to 3"),
    ("burden,completion,day\n5,1,2026-12-01\n", "line 2, column 1: \"5\": it must be from 0 to 4"),
    ("completion,day\n-1,2026-12-01\n", "line 2, column 1: \"-1\": it must be from 0 to 3"),
    ("completion\n1\n", "line 1: there must be"), ("day\n2026-12-01\n", "line 1: there must be"),
    ("day,completion\n2026-12-01\n", "line 2: the line has 1 cells, but the header has 2"),
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

  @Test func `a row keeps the person as the file names it, and the positions of its cells`() throws
  {
    let text = "note,person,day,completion,burden\n'=1,'-7,2026-12-01,0,0\n,,2026-12-02,3,4\n"
    let rows = try DiaryEntry.read(csv: Array(text.utf8))
    #expect(rows.map(\.who) == ["-7", nil])
    #expect(rows.map(\.entry.person) == [PersonID("-7"), .patient])
    #expect(rows.map(\.entry.note) == ["=1", ""] && rows.map(\.entry.burden) == [0, 4])
    #expect(rows.map(\.entry.completion) == [0, 3] && rows.map(\.entry.number) == [1, 1])
    #expect(rows.map(\.subject.column) == [9, 3] && rows.map(\.subject.line) == [2, 3])
    #expect(rows.map(\.person?.text) == ["'-7", ""] && rows.map(\.note?.column) == [1, 1])
    let short = try DiaryEntry.read(csv: Array("day,completion\n2026-12-01,1".utf8))
    #expect(short.map(\.person) == [nil] && short.map(\.note) == [nil] && short[0].who == nil)
  }

  @Test func `a line end in a note is a line feed, and a note has a limit`() throws {
    func note(_ text: String) throws -> String {
      try read("day,completion,note\n2026-12-01,3,\"\(text)\"\n")[0].note
    }
    #expect(try note("a\r\nb\nc") == "a\nb\nc")
    let longest = String(repeating: "n", count: 2_000)
    #expect(try note(longest) == longest)
    let refusal = #expect(throws: Refusal.self) { try note(longest + "n") }
    #expect(refusal?.detail.hasPrefix("note: line 2, column 14: ") == true)
  }

  @Test func `a file has at most 5,000 entries, and one for each person and day`() throws {
    func file(_ count: Int) -> String {
      "day,completion\n"
        + (0..<count).map { "\(CivilDate(dayNumber: 10_000 + $0)),1\n" }.joined()
    }
    #expect(try read(file(5_000)).count == 5_000)
    let refusal = #expect(throws: Refusal.self) { try read(file(5_001)) }
    #expect(refusal?.kind == .limit && refusal?.detail.contains("5001 entries") == true)
    let twice = "person,day,completion\na,2026-12-01,1\nb,2026-12-01,1\na,2026-12-01,1\n"
    let second = #expect(throws: Refusal.self) { try read(twice) }
    #expect(
      second?.detail == "line 4, column 3: \"2026-12-01\": line 2 already has an entry about it")
  }

  @Test func `an entry says the same if its values are equal, and its note, unless it was erased`()
  {
    func entry(_ completion: Int, _ burden: Int?, _ note: String) -> DiaryEntry {
      DiaryEntry(
        person: .patient, subject: .day(CivilDate(dayNumber: 0)), completion: completion,
        burden: burden, note: note, number: 1)
    }
    let recorded = RecordedDiaryEntry(entry: entry(1, 2, "n"), isNoteErased: false)
    let erased = RecordedDiaryEntry(entry: entry(1, 2, ""), isNoteErased: true)
    let rows: [(DiaryEntry, Bool, Bool)] = [
      (entry(1, 2, "n"), true, true), (entry(1, 2, "m"), false, true),
      (entry(2, 2, "n"), false, false), (entry(1, nil, "n"), false, false),
    ]
    for (other, same, sameErased) in rows {
      #expect(recorded.says(other) == same && erased.says(other) == sameErased)
    }
  }
}
