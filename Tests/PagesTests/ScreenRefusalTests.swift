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
