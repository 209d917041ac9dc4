import CivilTime
import Testing

@testable import Alarms

/// Checks how many prompts the home takes from the speaker queue.
@Suite struct `The speaker queue of a home` {
  /// Makes a home in which one prompt rings, and four prompts wait for the speaker.
  private func home() throws -> CoreFixture {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    fixture.isPlayerSilent = true
    for number in 0..<5 {
      try fixture.add("Task \(number)") {
        ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("in 1 minute", 1, 60)
      }
    }
    fixture.move(to: fixture.now.wall.adding(seconds: 60))
    try fixture.handle(.woke)
    return fixture
  }

  @Test func `returns its first prompts, up to a limit`() throws {
    let fixture = try home()
    let sounding = try #require(fixture.home.sounding)
    let waiting = fixture.home.waitingPrompts.filter { $0.id != sounding }.sorted { $0.id < $1.id }
    #expect(waiting.count == 4)
    for limit in 0...5 {
      #expect(
        fixture.home.headOfQueue(limit: limit) { _ in true } == Array(waiting.prefix(limit)))
      let others = waiting.filter { $0 != waiting[1] }
      #expect(
        fixture.home.headOfQueue(limit: limit) { $0 != waiting[1].id }
          == Array(others.prefix(limit)))
    }
  }

  @Test func `returns the prompts whose late window has ended, up to a limit`() throws {
    let fixture = try home()
    let end = fixture.now.wall.adding(seconds: 60)
    let left = fixture.home.headOfQueue(limit: 9) { _ in true }
    for limit in 0...5 {
      func overdue(_ at: Instant, except id: PromptID? = nil) -> [Prompt] {
        fixture.home.overdueInQueue(at: at, limit: limit) { $0 != id }
      }
      #expect(overdue(end).isEmpty)
      let found = overdue(end.adding(milliseconds: 1))
      #expect(found.count == min(limit, 4) && Set(found).isSubset(of: left))
      let others = overdue(end.adding(milliseconds: 1), except: left[0].id)
      #expect(others.count == min(limit, 3) && !others.contains(left[0]))
    }
  }
}
