import Alarms
import CivilTime
import EventCoding
import StudyExport
import Testing

@testable import Logbook

/// Tests the plan and the actual times of each phase in phases.csv. The plan is the first plan of
/// the phase.
@Suite struct `Phases of an export` {
  private let directory = TemporaryDirectory()

  @Test(arguments: ExportProfile.allCases)
  func `an export has the plan of each phase, also of a phase that never began`(
    profile: ExportProfile
  ) throws {
    let logbook = try Logbook.open(directory)
    let (anna, start) = (PersonID("anna"), try Instant(parsing: "2026-12-01T08:00:00Z"))
    func days(_ count: Int) -> Instant {
      Instant(milliseconds: start.milliseconds + Int64(count) * 86_400_000)
    }
    let planned = [
      StudyPhase(kind: .prompted, from: start, to: days(14)),
      StudyPhase(kind: .control, from: days(14), to: days(28)),
    ]
    var replay = Replay()
    for (event, at) in [
      (.personAdded(Person(id: anna, version: 1)), 0),
      (.enrolled(anna, Enrolment(study: "trial", pseudonym: "P-1", from: start)), 0),
      (.phaseChanged(anna, planned), 0),
      (.phaseChanged(anna, [StudyPhase(kind: .prompted, from: start, to: days(5))]), 5),
      (.withdrawn(anna, Withdrawal(dataUse: .untilWithdrawal)), 5),
    ] as [(Event, Int)] {
      try record(event, "trial", at: days(at), of: anna, &replay, logbook)
    }
    let path = "\(directory.path)/out"
    _ = try logbook.writeExport(to: path, profile: profile)
    let rows = Table("\(path)/phases.csv").rows
    #expect(rows.map { $0["phase"] } == ["prompted", "control"])
    #expect(rows.map { $0["phase_no"] } == ["1", "2"])
    #expect(rows.map { $0["monitored_s"] } == ["\(5 * 86_400)", "0"])
    let names = ["from", "to", "planned_from", "planned_to"].map {
      profile == .safeHarbor ? "\($0)_day" : "\($0)_local"
    }
    let cells = rows.map { row in names.map { String((row[$0] ?? "?").prefix(10)) } }
    #expect(
      cells
        == (profile == .safeHarbor
          ? [["1", "6", "1", "15"], ["", "", "15", "29"]]
          : [
            ["2026-12-01", "2026-12-06", "2026-12-01", "2026-12-15"],
            ["", "", "2026-12-15", "2026-12-29"],
          ]))
    let people = Table("\(path)/participants.csv").rows
    #expect(people.map { $0["data_use"] } == ["until_withdrawal"])
    #expect(try logbook.verify().problem == nil)
  }

  @Test func `each phase has the study in which it was planned`() throws {
    let logbook = try Logbook.open(directory)
    let (anna, start) = (PersonID("anna"), try Instant(parsing: "2026-12-01T08:00:00Z"))
    func days(_ count: Int) -> Instant {
      Instant(milliseconds: start.milliseconds + Int64(count) * 86_400_000)
    }
    let first = StudyPhase(kind: .prompted, from: start, to: days(5))
    let outside = StudyPhase(kind: .control, from: days(6), to: days(7))
    // The researcher plans this phase before the second enrolment. The phase begins during the
    // second enrolment.
    let early = StudyPhase(kind: .prompted, from: days(10), to: days(12))
    let last = StudyPhase(kind: .control, from: days(12), to: days(14))
    var replay = Replay()
    for (event, study, at) in [
      (.personAdded(Person(id: anna, version: 1)), nil, 0),
      (.enrolled(anna, Enrolment(study: "one", pseudonym: "P-1", from: start)), "one", 0),
      (.phaseChanged(anna, [StudyPhase(kind: .prompted, from: start)]), "one", 0),
      (.phaseChanged(anna, [first]), "one", 5), (.withdrawn(anna, Withdrawal()), "one", 5),
      (.phaseChanged(anna, [first, outside, early]), nil, 6),
      (.enrolled(anna, Enrolment(study: "two", pseudonym: "P-2", from: days(9))), "two", 9),
      (.phaseChanged(anna, [first, outside, early, last]), "two", 9),
    ] as [(Event, String?, Int)] {
      try record(event, study, at: days(at), of: anna, &replay, logbook)
    }
    for profile in [ExportProfile.limited, .safeHarbor] {
      let path = "\(directory.path)/\(profile)"
      _ = try logbook.writeExport(to: path, profile: profile)
      #expect(Table("\(path)/phases.csv").rows.map { $0["study_id"] } == ["one", "", "two", "two"])
    }
  }

  private func record(
    _ event: Event, _ study: String?, at: Instant, of person: PersonID, _ replay: inout Replay,
    _ logbook: Logbook
  ) throws {
    let reading = ClockReading(
      wall: at, bootNanoseconds: 1, bootID: "0f1e2d3c", clockState: .synced)
    replay.apply(event, at: reading)
    var changes = StateDelta()
    changes.people = replay.people
    let record = Record(
      event: event, actor: .daemon("engine"), reading: reading, person: person, alarmVersion: nil,
      zoneName: "Etc/UTC", utcOffsetSeconds: 0, tzdataVersion: "2026c", study: study)
    try logbook.record([record], changes)
  }
}
