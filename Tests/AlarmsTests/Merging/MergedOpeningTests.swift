import CivilTime
import Testing

@testable import Alarms

/// Checks which opening words of merged rings the speech program prepares.
@Suite struct `The opening words of merged rings` {
  private static let words = ["Two things:", "Three things:", "Four things:"]

  private func wanted(_ fixture: CoreFixture) -> [String] {
    Transition(fixture.home, fixture.now, .daemon("test"), fixture.environment)
      .wantedOpenings().map(\.text)
  }

  @Test func `are prepared for each number of alarms of the person, up to four`() throws {
    var fixture = CoreFixture()
    try fixture.person("eva") { $0.name = "Eva" }
    try fixture.add("Hers") { ($0.schedule, $0.person) = ("every day 08:00", "eva") }
    try fixture.say { ($0.schedule, $0.person) = ("in 2 hours", "patient") }
    #expect(fixture.rehearsed.map(\.text) == ["Hers", "Lunch is ready"])
    #expect(wanted(fixture).isEmpty)
    for (index, label) in ["A", "B", "C", "D", "E", "F"].enumerated() {
      let before = fixture.rehearsed.count
      try fixture.add(label) { ($0.schedule, $0.person) = ("every day 08:00", "patient") }
      let openings = Array(Self.words.prefix(index))
      #expect(fixture.rehearsed.dropFirst(before).map(\.text) == openings + [label])
      #expect(wanted(fixture) == openings, "\(label)")
    }
    // After an edit, the alarm still counts as one alarm.
    let alarm = try #require(fixture.home.alarms.first { $0.label == "Hers" })
    let before = fixture.rehearsed.count
    try fixture.edit(alarm.id) { $0.label = "His" }
    #expect(fixture.rehearsed.dropFirst(before).map(\.text) == ["His"])
  }

  @Test func `are not prepared if the configuration switches merged rings off`() throws {
    var fixture = CoreFixture()
    fixture.environment.mergesRings = false
    for label in ["A", "B"] { try fixture.add(label) { $0.schedule = "every day 08:00" } }
    #expect(fixture.rehearsed.map(\.text) == ["A", "B"])
    #expect(wanted(fixture).isEmpty)
  }
}
