import CivilTime
import JSONValue
import Sentences
import Testing

@testable import Pages

/// Tests the button "say it again".
@Suite struct SayAgainTests {
  private func screen(_ prompts: JSON...) throws -> ScreenState {
    try SampleReading(prompts: prompts).decision().state
  }

  private func html(_ screen: ScreenState) -> String {
    ScreenHTML(language: .english, labelLanguage: nil).fragment(screen)
  }

  @Test func `a task that is shown as due can be said again`() throws {
    let screen = try screen(due("a"))
    #expect(screen.offers(.again, to: "a"))
    #expect(!screen.offers(.again, to: "b"))
    #expect(html(screen).contains("data-answer=\"again\" data-prompt=\"a\""))
    #expect(html(screen).contains("Say it again"))
  }

  @Test func `a message can be said again`() throws {
    let screen = try screen(due("a", [("announcement", .bool(true))]))
    #expect(screen.offers(.again, to: "a"))
  }

  @Test func `no other screen has the button`() throws {
    // The daemon repeats the words of a task only if the task is due and may sound now. Therefore,
    // no other screen has the button.
    for other in [
      try screen(
        prompt("a", "acknowledged", [("acknowledged_until_utc", .string(SampleReading.now))])),
      try screen(try done("a", secondsAgo: 5)), try screen(), .notConnected,
    ] {
      #expect(!other.offers(.again, to: "a"))
      #expect(!html(other).contains("again\" data-prompt"))
    }
  }
}
