import JSONValue
import Sentences
import Testing

@testable import Pages

@Suite struct `An answer that the screen no longer offers` {
  private func sentence(_ prompt: JSON, _ answer: ScreenAnswer) throws -> Sentence {
    let reading = try SampleReading(prompts: [prompt]).reading()
    return reading.refusal(of: answer, to: prompt["id"]?.string ?? "")
  }

  @Test func `is refused with the reason that the newest reading gives`() throws {
    let later: (String, JSON) = ("delayed_until_utc", .string("2026-11-26T08:16:00.000Z"))
    let cases: [(prompt: JSON, answer: ScreenAnswer, sentence: Sentence)] = [
      (try done("a", secondsAgo: 5), .complete, .refusedOver),
      (try done("a", secondsAgo: 5), .delay, .refusedOver),
      (try done("a", secondsAgo: 61), .undo, .refusedTooLate),
      (prompt("a", "delayed", [later]), .undo, .refusedTooLate),
      (due("a"), .undo, .refusedUndone),
      (due("a", [("delays_left", .integer(0))]), .delay, .refusedLater),
      (due("a"), .acknowledge, .refusedAnswer),
      (prompt("a", "delayed", [later]), .complete, .refusedNotDue),
      (prompt("a", "acknowledged"), .again, .refusedNotDue),
    ]
    for (prompt, answer, expected) in cases {
      #expect(try sentence(prompt, answer) == expected, "\(prompt["state"]!) \(answer)")
    }
    let nothing = try SampleReading().reading()
    #expect(nothing.refusal(of: .complete, to: "unknown") == .refusedAnswer)
  }

  @Test func `the languages of the screen are that of the person, and then that of the home`()
    throws
  {
    var sample = SampleReading()
    #expect(try sample.reading().languages == [])
    sample.homeLanguage = "de"
    #expect(try sample.reading().languages == ["de"])
    sample.person = [("language", .string("vi"))]
    #expect(try sample.reading().languages == ["vi", "de"])
  }

  @Test func `a screen names the task that calls, so that no refusal hides it`() throws {
    let calling = try SampleReading(prompts: [due("a")]).decision().state
    let idle = try SampleReading().decision().state
    #expect(calling.callingPrompt == "a" && idle.callingPrompt == nil)
  }
}

@Suite struct `A reading of one prompt` {
  private func reading(_ id: String, due: String) throws -> PromptReading {
    try PromptReading(
      prompt(id, "planned", [("scheduled_utc", .string("2026-11-26T\(due).000Z"))]))
  }

  @Test func `replaces, adds or removes the prompt, and the newest prompt stays the first`() throws
  {
    var home = try SampleReading(prompts: [due("b", at: "08:00:00"), due("a", at: "07:00:00")])
      .reading()
    let completed = prompt(
      "a", "closed",
      [
        ("outcome", .string("completed")),
        ("scheduled_utc", .string("2026-11-26T07:00:00.000Z")),
      ])
    home.replace("a", by: try PromptReading(completed))
    #expect(home.prompts.map(\.id) == ["b", "a"] && home.prompts[1].isCompleted)
    home.replace("c", by: try reading("c", due: "09:00:00"))
    home.replace("d", by: try reading("d", due: "07:30:00"))
    #expect(home.prompts.map(\.id) == ["c", "b", "d", "a"])
    home.replace("b", by: nil)
    home.replace("unknown", by: nil)
    #expect(home.prompts.map(\.id) == ["c", "d", "a"])
  }
}
