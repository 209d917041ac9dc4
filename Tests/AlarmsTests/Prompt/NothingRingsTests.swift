import CivilTime
import Testing

@testable import Alarms

/// Checks the refusal of an answer without a prompt id while no prompt calls.
@Suite struct `The refusal while nothing rings` {
  private func refusal(
    _ fixture: CoreFixture, of person: PersonID? = nil
  ) -> String? {
    do throws(Refusal) {
      return "\(try fixture.home.calling(of: person, at: fixture.now.wall))"
    } catch {
      return error.kind == .notFound ? error.detail : "\(error.kind)"
    }
  }

  /// Makes a home in which this many prompts were put off more than a minute ago.
  private func putOff(_ count: Int) throws -> CoreFixture {
    var fixture = CoreFixture()
    for index in 0..<count {
      try fixture.add("Task \(index)") {
        $0.schedule = "in 60 seconds"
        $0.rings = 1
      }
    }
    fixture.pass(seconds: 70)
    for id in fixture.home.waitingPrompts.map(\.id).sorted() {
      try fixture.answer(.delay(seconds: 600), to: id)
    }
    fixture.pass(seconds: 61)
    return fixture
  }

  @Test(arguments: [(1, ""), (2, ""), (3, ""), (4, " and 1 more"), (5, " and 2 more")])
  func `names three prompts and counts the others`(count: Int, others: String) throws {
    let fixture = try putOff(count)
    let waiting = fixture.home.waitingPrompts.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }
    #expect(waiting.count == count)
    let names = waiting.prefix(3).map { prompt in
      "\"\(fixture.home.alarm(prompt.id.alarm)?.label ?? "?")\" (\(prompt.id))"
    }
    #expect(
      refusal(fixture) == "nothing rings now; name the one that you mean: "
        + names.joined(separator: ", ") + others)
  }

  @Test func `names the answer that can still be undone, and its age`() throws {
    let answers: [(Answer, String)] = [
      (.acknowledge, "was answered with \"on my way\""), (.delay(seconds: 600), "was delayed"),
      (.complete, "was completed"), (.decline(.refused), "was declined"),
      (.cancel(.other), "was cancelled"),
    ]
    for (answer, words) in answers {
      var fixture = CoreFixture()
      try fixture.add { $0.schedule = "in 60 seconds" }
      fixture.pass(seconds: 70)
      let id = try #require(fixture.home.waitingPrompts.first?.id)
      try fixture.answer(answer)
      let rest =
        fixture.home.waitingPrompts.isEmpty ? "" : "; name the one that you mean: \"Pills\" (\(id))"
      for (seconds, age) in [
        (0, "1 second"), (1, "1 second"), (1, "2 seconds"), (57, "59 seconds"),
      ]
        as [(Int64, String)]
      {
        fixture.move(to: fixture.now.wall.adding(seconds: seconds))
        #expect(refusal(fixture) == "nothing rings now; \"Pills\" \(words) \(age) ago\(rest)")
      }
    }
  }

  @Test func `does not name announcements or prompts of other people`() throws {
    var fixture = try putOff(2)
    try fixture.person("eva") { _ in }
    try fixture.add("Walk") {
      ($0.schedule, $0.person, $0.rings) = ("in 10 seconds", "eva", 1)
    }
    fixture.pass(seconds: 20)
    let walk = try #require(
      fixture.home.waitingPrompts.first { fixture.home.alarm($0.id.alarm)?.label == "Walk" }
    ).id
    try fixture.answer(.delay(seconds: 600), to: walk)
    fixture.pass(seconds: 61)
    let lunch = try fixture.say { $0.person = "eva" }
    fixture.pass(seconds: 10)
    let said = try #require(fixture.home.openPrompts.first { $0.id.alarm == lunch }).id
    try fixture.answer(.delay(seconds: 600), to: said)
    fixture.pass(seconds: 61)
    #expect(
      refusal(fixture, of: PersonID("eva"))
        == "nothing rings now; name the one that you mean: \"Walk\" (\(walk))")
    #expect(refusal(fixture, of: PersonID("otto")) == "no prompt waits for an answer")
    #expect(refusal(fixture, of: .patient)?.contains("Walk") == false)
    #expect(refusal(fixture)?.contains("\"Walk\"") == true)
    #expect(refusal(fixture)?.contains("Lunch") == false)
  }
}
