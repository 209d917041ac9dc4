import CivilTime
import Testing

@testable import Alarms

/// Checks requests about the phases of a person exactly at the start and at the end of a phase.
///
/// The clock shows 2027-01-15 09:00 in Berlin.
@Suite struct `A phase at a boundary` {
  private func end(_ fixture: inout CoreFixture, _ at: String? = nil) throws(Refusal) {
    try fixture.handle(.command(.endPhase(.patient, at: at), CoreFixture.researcher))
  }

  private func phases(_ fixture: CoreFixture) -> [StudyPhase] {
    fixture.home.people[.patient]?.phases ?? []
  }

  @Test func `begins after the start of the open phase before it`() throws {
    var fixture = CoreFixture()
    try fixture.phase(.prompted)
    for from in [nil, "2027-01-15 09:00"] {
      #expect(
        refusal { try fixture.phase(.control, from: from) }
          == Refusal(
            .conflict, field: "from",
            "it would overlap the prompted phase, which begins at 2027-01-15T09:00:00"))
    }
    #expect(phases(fixture).count == 1)
    let start = fixture.now.wall
    fixture.move(to: start.adding(milliseconds: 1))
    try fixture.phase(.control)
    #expect(
      phases(fixture) == [
        StudyPhase(kind: .prompted, from: start, to: fixture.now.wall),
        StudyPhase(kind: .control, from: fixture.now.wall),
      ])
  }

  /// A phase ends at 09:30. Each case has the present time, in milliseconds after this end.
  @Test(arguments: [(-1, true), (0, true), (1, false)] as [(Int64, Bool)])
  func `leaves no gap after a phase that is not over`(
    _ milliseconds: Int64, isRefused: Bool
  ) throws {
    var fixture = CoreFixture()
    try fixture.phase(.prompted, to: "2027-01-15 09:30")
    let end = try #require(phases(fixture).last?.to)
    fixture.move(to: end.adding(milliseconds: milliseconds))
    var copy = fixture
    let gap = refusal { try copy.phase(.control, from: "2027-01-15 09:31") }
    let detail =
      "it would leave a gap after the prompted phase, which ends at 2027-01-15T09:30:00"
    #expect(gap == (isRefused ? Refusal(.conflict, field: "from", detail) : nil))
    try fixture.phase(.control)
    #expect(phases(fixture).last?.from == max(end, fixture.now.wall))
    #expect(phases(fixture).first?.to == end)
  }

  @Test func `ends after its start`() throws {
    var fixture = CoreFixture()
    for (to, isRefused) in [
      ("2027-01-15 09:29", true), ("2027-01-15 09:30", true), ("2027-01-15 09:31", false),
    ] {
      let refused = refusal { try fixture.phase(.prompted, from: "2027-01-15 09:30", to: to) }
      #expect((refused?.field == "to") == isRefused, "\(to)")
    }
    #expect(phases(fixture).count == 1)
  }

  /// The first phase is from 09:00 to 09:30, and the second phase is from 09:30 on. Each case has
  /// the requested end, and then the number of phases and the end of the last phase.
  @Test(arguments: [
    ("2027-01-15 09:29", 1, "09:29"), ("2027-01-15 09:30", 1, "09:30"),
    ("2027-01-15 09:31", 2, "09:31"),
  ]) func `is removed if a request ends the phases at its start or earlier`(
    _ at: String, _ count: Int, _ end: String
  ) throws {
    var fixture = CoreFixture()
    try fixture.phase(.prompted, to: "2027-01-15 09:30")
    try fixture.phase(.control)
    try self.end(&fixture, at)
    #expect(
      phases(fixture).map(\.kind) == Array([StudyPhase.Kind.prompted, .control].prefix(count)))
    let last = try #require(phases(fixture).last?.to)
    let local = CoreFixture.berlin.civil(at: last).dateTime.description
    #expect(local == "2027-01-15T\(end):00")
  }

  @Test(arguments: [(-1, true), (0, false), (1, false)] as [(Int64, Bool)])
  func `can be ended only before its end, and its person cannot be removed before this end`(
    _ milliseconds: Int64, isOpen: Bool
  ) throws {
    var fixture = CoreFixture()
    try fixture.person("hilde") { $0.name = "Hilde" }
    try fixture.phase(.prompted, to: "2027-01-15 09:30")
    let end = try #require(phases(fixture).last?.to)
    fixture.move(to: end.adding(milliseconds: milliseconds))
    var copy = fixture
    let ended = refusal { try self.end(&copy) }
    #expect((ended == nil) == isOpen)
    #expect(isOpen || ended == Refusal(.conflict, "\"patient\" is not in a phase"))
    let removed = refusal {
      try fixture.handle(.command(.removePerson(.patient), CoreFixture.anna))
    }
    #expect((removed?.kind == .inUse) == isOpen)
    #expect((removed == nil) == !isOpen)
  }
}
