import CivilTime
import Testing

@testable import Alarms

/// Checks a study that begins at the present instant, or that ends at its start.
///
/// The clock shows Friday 15 January 2027, 09:00 in Berlin.
@Suite struct `The start of a study` {
  @Test func `can be the present instant, but not an earlier instant`() throws {
    for (start, isAccepted) in [
      ("2027-01-15 08:59", false), ("2027-01-15 09:00", true), ("2027-01-15 09:01", true),
    ] {
      var fixture = CoreFixture()
      let wall = fixture.now.wall
      let begin = start.hasSuffix("1") ? wall.adding(seconds: 60) : wall
      let form = CrossoverForm(start: start, days: 2, order: "A")
      let plan = refusal {
        try fixture.handle(.command(.crossover(.patient, form), CoreFixture.researcher))
      }
      #expect(plan?.field == (isAccepted ? nil : "start"), "\(start)")
      #expect(fixture.home.people[.patient]?.phases.first?.from == (isAccepted ? begin : nil))
      let enrolment = refusal { try fixture.enrol { $0.from = start } }
      #expect(enrolment?.field == (isAccepted ? nil : "start"), "\(start)")
      #expect(
        fixture.home.people[.patient]?.enrolments.first?.from == (isAccepted ? begin : nil))
    }
  }

  @Test func `must be before the end`() throws {
    for (end, isAccepted) in [
      ("2027-01-16 09:59", false), ("2027-01-16 10:00", false), ("2027-01-16 10:01", true),
    ] {
      var fixture = CoreFixture()
      let found = refusal {
        try fixture.enrol { ($0.from, $0.to) = ("2027-01-16 10:00", end) }
      }
      #expect(found?.field == (isAccepted ? nil : "end"), "\(end)")
      #expect(fixture.home.people[.patient]?.enrolments.count == (isAccepted ? 1 : 0))
    }
  }
}
