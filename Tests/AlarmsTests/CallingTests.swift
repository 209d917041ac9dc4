import Chance
import CivilTime
import Testing

@testable import Alarms

/// For which prompt an answer without an id is meant.
@Suite struct `An answer without an id` {
  private func answer(_ bench: inout Bench) throws(Refusal) -> String {
    guard
      case .answered(let answered)? = try bench.take(
        .command(.answer(nil, .complete), Bench.patient))
    else { preconditionFailure("no answer came back") }
    return bench.home.alarm(answered.prompt.id.alarm)?.label ?? ""
  }

  private func refusal(_ bench: inout Bench) -> String {
    do {
      return "answered \(try answer(&bench))"
    } catch {
      return error.kind == .notFound ? error.detail : "\(error.kind)"
    }
  }

  @Test(arguments: [1, 5])
  func `three tasks that ring together are three presses`(rings: Int) throws {
    var bench = Bench()
    for label in ["A", "B", "C"] {
      try bench.add(label) {
        $0.schedule = "in 60 seconds"
        $0.rings = rings
      }
    }
    bench.pass(seconds: 100)
    var answered: [String] = []
    for _ in 0..<3 { answered.append(try answer(&bench)) }
    #expect(answered.sorted() == ["A", "B", "C"])
    #expect(refusal(&bench).contains("was done"))
  }

  @Test func `a second press does not answer a task that has been silent for long`() throws {
    var bench = Bench()
    try bench.add("Water") {
      $0.schedule = "in 60 seconds"
      $0.rings = 1
    }
    try bench.add("Pills") { $0.schedule = "in 10 minutes" }
    bench.pass(seconds: 610)
    #expect(try answer(&bench) == "Pills")
    let said = refusal(&bench)
    #expect(said.contains("\"Pills\" was done") && said.contains("\"Water\""), "\(said)")
    #expect(bench.outcomes == [.completed])
    // Nor later, nor after a restart: Pills sounded after it.
    bench.pass(seconds: 300)
    bench.crash()
    #expect(!refusal(&bench).contains("answered"))
    #expect(bench.outcomes == [.completed])
  }

  @Test func `a task that rang out is answered as long as nothing sounded since`() throws {
    var bench = Bench()
    try bench.add("Pills") { $0.schedule = "in 60 seconds" }
    bench.pass(seconds: 1_200)
    bench.crash()
    #expect(try answer(&bench) == "Pills")
  }

  @Test func `what is put off, on its way or held back needs its id`() throws {
    for answer: Answer in [.delay(seconds: 600), .acknowledge] {
      var bench = Bench()
      try bench.add("Pills") { $0.schedule = "in 60 seconds" }
      bench.pass(seconds: 70)
      try bench.answer(answer)
      #expect(refusal(&bench).contains("by name: \"Pills\""))
      #expect(bench.outcomes.isEmpty)
    }
    var bench = Bench()
    try bench.person {
      $0.quietHours = "00:00-23:00"
      $0.quietPolicy = .hold
    }
    try bench.add("Pills") { $0.schedule = "in 60 seconds" }
    bench.pass(seconds: 70)
    #expect(refusal(&bench).contains("by name: \"Pills\""))
  }

  @Test func `what has not sounded yet needs its id`() throws {
    var bench = Bench()
    bench.ringSeconds = 30
    for label in ["A", "B"] { try bench.add(label) { $0.schedule = "in 60 seconds" } }
    bench.pass(seconds: 65)
    #expect(try answer(&bench) == "A")
  }

  @Test func `two thousand presses at random answer what sounded last`() throws {
    var random = SeededGenerator(seed: 29)
    var presses = 0
    while presses < 2_000 {
      var bench = Bench()
      for number in 0..<Int.random(in: 2...5, using: &random) {
        let start = Int.random(in: 10...400, using: &random)
        let rings = Int.random(in: 1...4, using: &random)
        try bench.add("Task \(number)") {
          $0.schedule = "in \(start) seconds"
          $0.rings = rings
        }
      }
      for _ in 0..<20 {
        bench.pass(seconds: Int64.random(in: 1...60, using: &random))
        presses += 1
        let open = bench.home.openPrompts.filter { $0.phase != .planned }
        let (before, wasSounding) = (bench.outcomes.count, bench.home.sounding)
        let kind = Int.random(in: 0..<3, using: &random)
        let choice: Answer = kind == 0 ? .delay(seconds: 120) : .complete
        guard
          case .answered(let answered)? = try? bench.take(
            .command(.answer(nil, choice), Bench.patient))
        else {
          #expect(bench.outcomes.count == before)
          continue
        }
        let id = answered.prompt.id
        let was = try #require(open.first { $0.id == id })
        if id == wasSounding { continue }
        let at = try #require(was.lastSoundedAt)
        #expect(open.filter(\.isCalling).allSatisfy { $0.lastSoundedAt ?? .distantPast <= at })
        switch was.phase {
        case .delayed, .acknowledged, .held: Issue.record("\(was.phase) was answered")
        default: break
        }
      }
    }
  }
}
