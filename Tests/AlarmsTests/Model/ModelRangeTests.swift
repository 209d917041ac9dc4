import CivilTime
import Testing

@testable import Alarms

/// Checks the first and the last instant of periods, and the order of lists.
@Suite struct `A value of the model` {
  private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  @Test func `that is a phase contains its first instant, but not its end`() {
    let closed = StudyPhase(kind: .control, from: at(10), to: at(20))
    let open = StudyPhase(kind: .prompted, from: at(20))
    #expect([9, 10, 19, 20].map { closed.contains(at($0)) } == [false, true, true, false])
    #expect([19, 20, 1_000].map { open.contains(at($0)) } == [false, true, true])
    let state = PersonState(id: .patient, phases: [closed, open])
    #expect([9, 10, 20].map { state.phase(at: at($0))?.kind } == [nil, .control, .prompted])
    #expect(
      StudyPhase.Kind.allCases.map { $0.letter.map(String.init) ?? "-" }
        == ["A", "B", "-", "-", "-"])
  }

  @Test func `that is a pause holds until its end`() {
    let pause = PersonPause(until: at(10))
    #expect([0, 9, 10, 11].map { pause.holds(at: at($0)) } == [true, true, false, false])
    #expect(PersonPause().holds(at: .distantFuture))
    var state = PersonState(id: .patient, pause: pause)
    #expect(state.pause(at: at(9)) == pause && state.pause(at: at(10)) == nil)
    state.pause = nil
    #expect(state.pause(at: at(9)) == nil)
  }

  @Test func `that is a pause has words for its end`() throws {
    let cases = [
      ("2027-01-16T00:00:00", "the end of 2027-01-15"), ("2027-01-16T00:00:01", "00:00:01"),
      ("2027-01-16T12:30:00", "2027-01-16 12:30"),
    ]
    for (time, words) in cases {
      #expect(try CivilDateTime(parsing: time).pauseEndWords.hasSuffix(words))
    }
  }

  @Test func `that is a list of dates is sorted, and contains each date once`() throws {
    let times = try ["2027-01-03T08:00:00", "2027-01-01T08:00:00", "2027-01-03T08:00:00"].map {
      try CivilDateTime(parsing: $0)
    }
    let days = times.map(\.date)
    let dates = RecurringDates(rules: [], dates: times, excluded: times, excludedDays: days)
    #expect(dates.dates == [times[1], times[0]] && dates.excluded == [times[1], times[0]])
    #expect(dates.excludedDays == [days[1], days[0]] && dates.holidays == nil)
    let pauses = Alarms.Pauses(
      occurrences: [3, 1, 2], days: [days[0]...days[0], days[1]...days[0]])
    #expect(pauses.occurrences == [1, 2, 3])
    #expect(pauses.days == [days[1]...days[0], days[0]...days[0]])
  }

  @Test func `that is an enrolment of a person is found by its instant`() {
    var state = PersonState(id: .patient)
    state.enrolments = [
      Enrolment(study: "a", pseudonym: "p", from: at(0), to: at(10)),
      Enrolment(study: "b", pseudonym: "p", from: at(10)),
    ]
    #expect(
      [-1, 0, 9, 10, 99].map { state.enrolment(at: at($0))?.study } == [nil, "a", "a", "b", "b"])
  }
}
