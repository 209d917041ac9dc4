import CivilTime
import JSONValue
import Sentences
import Testing

@testable import Pages

/// Tests which screens tell the daemon that a task was painted. The screen of a caretaker does not
/// report this, because a caretaker opens a screen only to learn how it works.
@Suite struct ReportedTaskTests {
  private func screen(roles: [String]) throws -> ScreenState {
    try SampleReading(prompts: [due("a")], roles: roles).decision().state
  }

  @Test(arguments: [["patient"], ["admin", "patient"]])
  func `the screen of a patient reports the task`(roles: [String]) throws {
    let screen = try screen(roles: roles)
    #expect(screen.reports("a"))
    #expect(html(screen).contains("data-seen=\"a\""))
  }

  @Test(arguments: [[], ["caretaker"], ["admin"], ["caretaker", "researcher"]])
  func `the screen of another user reports nothing, and offers the same answers`(
    roles: [String]
  ) throws {
    let screen = try screen(roles: roles)
    #expect(!screen.reports("a"))
    #expect(!html(screen).contains("data-seen"))
    #expect(screen.offers(.complete, to: "a"))
    #expect(screen.offers(.delay, to: "a"))
  }

  private func html(_ screen: ScreenState) -> String {
    ScreenHTML(language: .english, labelLanguage: nil).fragment(screen)
  }
}
