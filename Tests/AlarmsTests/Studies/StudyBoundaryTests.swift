import CivilTime
import Testing

@testable import Alarms

/// Checks requests about a study exactly at the start and at the end of a phase, and the limits.
@Suite struct `A study at a boundary` {
  private func plan(
    _ order: String, days: Int = 1, _ fixture: inout CoreFixture
  ) throws(Refusal) -> [StudyPhase] {
    let form = CrossoverForm(days: days, order: order)
    let reply = try fixture.handle(.command(.crossover(.patient, form), CoreFixture.researcher))
    guard case .phases(_, let phases)? = reply else { return [] }
    return phases
  }

  @Test func `has phases that no longer count from the instant of their end`() throws {
    var fixture = CoreFixture()
    let end = try #require(try plan("AB", &fixture).last?.to)
    var before = fixture
    before.move(to: end.adding(milliseconds: -1))
    let order = refusal { _ = try plan("A", &before) }
    #expect(order?.detail == "the control phase of \"patient\" is not over; end the phase first")
    let arm = refusal { try before.enrol { $0.arm = "BA" } }
    #expect(
      arm?.detail
        == "the phases of \"patient\" that are not over have the order \"B\", and the arm \"BA\" "
        + "contradicts it; write another arm, or end the phases first")
    fixture.move(to: end)
    var enrolled = fixture
    try enrolled.enrol { $0.arm = "BA" }
    #expect(try plan("A", &fixture).count == 3)
  }

  @Test func `counts a phase without an end as not over`() throws {
    for (kind, letter, fitting, other) in [
      (StudyPhase.Kind.prompted, "A", "BA", "AB"), (.control, "B", "AB", "BA"),
    ] {
      var fixture = CoreFixture()
      try fixture.phase(kind)
      let arm = refusal { try fixture.enrol { $0.arm = other } }
      #expect(arm?.field == "arm" && arm?.detail.contains("the order \"\(letter)\",") == true)
      let order = refusal { _ = try plan(other, &fixture) }
      #expect(
        order?.detail
          == "the \(kind.rawValue) phase of \"patient\" is not over; end the phase first")
      try fixture.enrol { $0.arm = fitting }
    }
    for kind in [StudyPhase.Kind.runIn, .washout, .followUp] {
      var fixture = CoreFixture()
      try fixture.phase(kind)
      try fixture.enrol { $0.arm = "AB" }
    }
  }

  @Test func `removes the phases from the instant of a withdrawal on`() throws {
    var fixture = CoreFixture()
    try fixture.enrol()
    let phases = try plan("ABA", &fixture)
    for (milliseconds, kept) in [(-1, 1), (0, 1), (1, 2)] as [(Int64, Int)] {
      var copy = fixture
      let at = phases[1].from.adding(milliseconds: milliseconds)
      copy.move(to: at)
      let left = try copy.withdraw().phases
      #expect(left.map(\.kind) == phases.prefix(kept).map(\.kind), "\(milliseconds)")
      #expect(left.last?.to == at, "\(milliseconds)")
      #expect(copy.replay.people[.patient]?.phases == left)
    }
    // All phases are over, so the withdrawal changes none of them.
    let end = try #require(phases.last?.to)
    for milliseconds in [0, 1] as [Int64] {
      var copy = fixture
      copy.move(to: end.adding(milliseconds: milliseconds))
      #expect(try copy.withdraw().phases == phases)
      #expect(!copy.records.suffix(1).contains { $0.event.type == "phase_changed" })
    }
  }

  @Test func `keeps a phase that has no end until the withdrawal`() throws {
    var fixture = CoreFixture()
    try fixture.enrol()
    try fixture.phase(.control)
    fixture.move(to: fixture.now.wall.adding(seconds: 60))
    #expect(try fixture.withdraw().phases.map(\.to) == [fixture.now.wall])
    // The person no longer takes part in the study, so a withdrawal changes no phase.
    try fixture.phase(.control)
    let forbid = Withdrawal(dataUse: DataUse.none)
    let phases = fixture.home.people[.patient]?.phases
    try fixture.handle(
      .command(.withdraw(.patient, forbid, erasing: nil), CoreFixture.researcher))
    #expect(fixture.home.people[.patient]?.phases == phases)
  }

  @Test func `has at most 20 enrolments and 100 phases of one person`() throws {
    var fixture = CoreFixture()
    for _ in 0..<20 {
      try fixture.enrol()
      try fixture.withdraw()
    }
    let enrolment = refusal { try fixture.enrol() }
    #expect(
      enrolment == Refusal(.limit, "one person can be enrolled at most 20 times"))
    for count in 1...5 {
      let phases = try plan(String(repeating: "A", count: 20), &fixture)
      #expect(phases.count == 20 * count)
      fixture.move(to: try #require(phases.last?.to))
    }
    #expect(
      refusal { _ = try plan("A", &fixture) }
        == Refusal(.limit, "one person can have at most 100 phases"))
  }

  @Test func `accepts codes and texts up to their limits`() throws {
    var fixture = CoreFixture()
    func repeated(_ count: Int) -> String { String(repeating: "x", count: count) }
    let state = try fixture.enrol {
      ($0.arm, $0.armCode, $0.consentScope) = (repeated(64), repeated(16), "   photos  ")
    }
    #expect(state.enrolments.last?.armCode == repeated(16))
    #expect(state.enrolments.last?.consentScope == [.photos])
    for (count, isAccepted) in [(2_000, true), (2_001, false)] {
      let note = StudyNote(kind: .deviation, text: repeated(count))
      let found = refusal {
        try fixture.handle(.command(.noteStudy(.patient, note), CoreFixture.researcher))
      }
      #expect((found == nil) == isAccepted && found?.field == (isAccepted ? nil : "text"))
    }
    for (count, isAccepted) in [(501, false), (500, true)] {
      let found = refusal {
        try fixture.handle(
          .command(
            .withdraw(.patient, Withdrawal(reason: repeated(count)), erasing: nil),
            CoreFixture.researcher))
      }
      #expect((found == nil) == isAccepted && found?.field == (isAccepted ? nil : "reason"))
    }
  }

  @Test func `takes the arms of all people from one allocation list`() throws {
    let (one, other) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    var fixture = CoreFixture()
    for name in ["eva", "otto"] { try fixture.person(name) { _ in } }
    func enrol(_ name: String, _ study: String, _ list: String?) -> Refusal? {
      refusal {
        try fixture.enrol("P-\(name)", person: PersonID(name)) {
          ($0.study, $0.arm, $0.allocationSHA256) = (study, "AB", list)
        }
      }
    }
    #expect(enrol("patient", "trial", one) == nil)
    let end =
      ": the study \"trial\" uses the list with the SHA-256 \(one); take the arm from this list"
    #expect(
      enrol("eva", "trial", nil)
        == Refusal(
          .conflict, field: "allocation_sha256",
          "cannot enrol the person without an allocation list" + end))
    #expect(
      enrol("eva", "trial", other)
        == Refusal(
          .conflict, field: "allocation_sha256",
          "cannot enrol the person from another allocation list" + end))
    #expect(enrol("eva", "trial", one.uppercased()) == nil)
    #expect(enrol("otto", "other", other) == nil)
  }
}
