import JSONValue
import Sentences
import Testing

@testable import Pages

/// Tests the reward on the screen after the last task of a day.
@Suite struct RewardTests {
  private static let picture = String(repeating: "ab", count: 32)

  private func answered(
    _ count: Int64 = 3, _ person: [(String, JSON)] = [("reward_image", .string(Self.picture))]
  ) throws -> AnsweredScreen? {
    let sample = SampleReading(
      prompts: [try done("a", secondsAgo: 5)], person: person, done: count, planned: 3)
    guard case .answered(let answered) = try sample.decision().state else { return nil }
    return answered
  }

  private func html(_ answered: AnsweredScreen?) throws -> String {
    ScreenHTML(language: .english, labelLanguage: nil).fragment(.answered(try #require(answered)))
  }

  @Test func `the last task of the day brings the picture`() throws {
    let last = try answered()
    #expect(last?.reward == Self.picture)
    #expect(try html(last).contains("src=\"/picture/\(Self.picture)\""))
    #expect(try html(last).contains("All done for today"))
  }

  @Test func `an earlier task brings no picture`() throws {
    let earlier = try answered(2)
    #expect(earlier != nil && earlier?.reward == nil)
    #expect(try html(earlier).contains("Well done"))
    #expect(try !html(earlier).contains("<img"))
  }

  @Test func `without a picture, only the words change`() throws {
    let last = try answered(3, [])
    #expect(last != nil && last?.reward == nil)
    #expect(try html(last).contains("All done for today"))
  }

  @Test func `a person whose reminders are silent now sees no picture`() throws {
    let last = try answered(
      3, [("reward_image", .string(Self.picture)), ("silenced", .bool(true))])
    #expect(last != nil && last?.reward == nil)
  }

  @Test func `LATER brings no picture`() throws {
    let later = prompt(
      "a", "delayed",
      [
        ("delayed_until_utc", .string("2026-11-26T08:06:00.000Z")),
        ("undo_until_utc", .string("2026-11-26T08:01:55.000Z")),
      ])
    let sample = SampleReading(
      prompts: [later], person: [("reward_image", .string(Self.picture))], done: 3, planned: 3)
    guard case .answered(let answered) = try sample.decision().state else {
      Issue.record("not the screen after an answer")
      return
    }
    #expect(answered.reward == nil)
  }
}
