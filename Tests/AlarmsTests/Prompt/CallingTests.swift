import CivilTime
import TestRandom
import Testing

@testable import Alarms

/// Checks to which prompt an answer without a prompt id applies.
@Suite struct `An answer without an id` {
  private func answer(_ fixture: inout CoreFixture) throws(Refusal) -> String {
    guard
      case .answered(let answered)? = try fixture.handle(
        .command(.answer(nil, .complete), CoreFixture.patient))
    else { preconditionFailure("no answer came back") }
    return fixture.home.alarm(answered.prompt.id.alarm)?.label ?? ""
  }

  private func refusal(_ fixture: inout CoreFixture) -> String {
    do {
      return "answered \(try answer(&fixture))"
    } catch {
      return error.kind == .notFound ? error.detail : "\(error.kind)"
    }
  }

  @Test(arguments: [1, 5])
  func `three tasks that ring together need three presses`(rings: Int) throws {
    var fixture = CoreFixture()
    for label in ["A", "B", "C"] {
      try fixture.add(label) {
        $0.schedule = "in 60 seconds"
        $0.rings = rings
      }
    }
    fixture.pass(seconds: 100)
    var answered: [String] = []
    for _ in 0..<3 { answered.append(try answer(&fixture)) }
    #expect(answered.sorted() == ["A", "B", "C"])
    #expect(refusal(&fixture).contains("was completed"))
  }

  @Test func `a second press does not answer a task that stopped sounding long ago`() throws {
    var fixture = CoreFixture()
    try fixture.add("Water") {
      $0.schedule = "in 60 seconds"
      $0.rings = 1
    }
    try fixture.add("Pills") { $0.schedule = "in 10 minutes" }
    fixture.pass(seconds: 610)
    #expect(try answer(&fixture) == "Pills")
    let said = refusal(&fixture)
    #expect(said.contains("\"Pills\" was completed") && said.contains("\"Water\""), "\(said)")
    #expect(fixture.outcomes == [.completed])
    // "Pills" sounded more than 120 s after the last ring of "Water". Therefore an answer without a
    // prompt id never completes "Water", not even later or after a restart.
    fixture.pass(seconds: 300)
    fixture.crash()
    #expect(!refusal(&fixture).contains("answered"))
    #expect(fixture.outcomes == [.completed])
  }

  @Test func `a task that sounded more than 120 seconds before another one is not answered`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add("Water") {
      $0.schedule = "in 60 seconds"
      $0.rings = 1
    }
    fixture.pass(seconds: 70)
    let prompt = try #require(fixture.home.openPrompts.first { $0.lastSoundedAt != nil })
    let sounded = try #require(prompt.lastSoundedAt)
    for (later, isFound) in [(0, true), (120_000, true), (120_001, false)] as [(Int64, Bool)] {
      let found = Prompt.calling(
        among: [prompt], sounding: nil, lastTaskSound: sounded.adding(milliseconds: later)
      ) { _ in true }
      #expect((found != nil) == isFound, "\(later)")
    }
  }

  @Test func `a task whose burst is over is answered until another task sounds`() throws {
    var fixture = CoreFixture()
    try fixture.add("Pills") { $0.schedule = "in 60 seconds" }
    fixture.pass(seconds: 1_200)
    fixture.crash()
    #expect(try answer(&fixture) == "Pills")
  }

  @Test func `a delayed, acknowledged or held back prompt is answered only by its id`() throws {
    for answer: Answer in [.delay(seconds: 600), .acknowledge] {
      var fixture = CoreFixture()
      try fixture.add("Pills") { $0.schedule = "in 60 seconds" }
      fixture.pass(seconds: 70)
      try fixture.answer(answer)
      #expect(refusal(&fixture).contains("you mean: \"Pills\""))
      #expect(fixture.outcomes.isEmpty)
    }
    var fixture = CoreFixture()
    try fixture.person {
      $0.quietHours = "00:00-23:00"
      $0.quietPolicy = .hold
    }
    try fixture.add("Pills") { $0.schedule = "in 60 seconds" }
    fixture.pass(seconds: 70)
    #expect(refusal(&fixture).contains("you mean: \"Pills\""))
  }

  @Test func `a prompt that has not sounded yet is answered only by its id`() throws {
    var fixture = CoreFixture()
    fixture.ringSeconds = 30
    for label in ["A", "B"] { try fixture.add(label) { $0.schedule = "in 60 seconds" } }
    fixture.pass(seconds: 65)
    #expect(try answer(&fixture) == "A")
  }

  @Test func `two thousand random presses answer the prompt that sounded last`() throws {
    var random = SeededGenerator(seed: 29)
    var presses = 0
    while presses < 2_000 {
      var fixture = CoreFixture()
      for number in 0..<Int.random(in: 2...5, using: &random) {
        let start = Int.random(in: 10...400, using: &random)
        let rings = Int.random(in: 1...4, using: &random)
        try fixture.add("Task \(number)") {
          $0.schedule = "in \(start) seconds"
          $0.rings = rings
        }
      }
      for _ in 0..<20 {
        fixture.pass(seconds: Int64.random(in: 1...60, using: &random))
        presses += 1
        let open = fixture.home.openPrompts.filter { $0.state != .planned }
        let (before, wasSounding) = (fixture.outcomes.count, fixture.home.sounding)
        let kind = Int.random(in: 0..<3, using: &random)
        let choice: Answer = kind == 0 ? .delay(seconds: 120) : .complete
        guard
          case .answered(let answered)? = try? fixture.handle(
            .command(.answer(nil, choice), CoreFixture.patient))
        else {
          #expect(fixture.outcomes.count == before)
          continue
        }
        let id = answered.prompt.id
        let was = try #require(open.first { $0.id == id })
        if id == wasSounding { continue }
        let at = try #require(was.lastSoundedAt)
        #expect(open.filter(\.isCalling).allSatisfy { $0.lastSoundedAt ?? .distantPast <= at })
        switch was.state {
        case .delayed, .acknowledged, .held: Issue.record("\(was.state) was answered")
        default: break
        }
      }
    }
  }
}
