import Alarms
import CivilTime
import EventCoding
import Foundation
import StudyExport
import Testing

@testable import Logbook

/// Tests the columns about a study. A row contains the values that apply at the due time of the
/// prompt. The times are local times with the UTC offset of the day of the prompt.
@Suite struct `Columns about a study` {
  private let directory = TemporaryDirectory()
  private static let anna = PersonID("anna")
  private static let alarm = AlarmID("k3v9x2m7k3v9")
  private static let berlin = try? Zone(
    name: "Europe/Berlin",
    tzif: Array(Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))))

  /// Records one event at a time in UTC. `phase` and `study` are the values that the daemon would
  /// record together with the event.
  private func write(
    _ logbook: Logbook, _ replay: inout Replay, _ time: String, _ event: Event,
    phase: StudyPhase.Kind? = nil, study: String? = nil
  ) throws {
    let reading = ClockReading(
      wall: try Instant(parsing: time), bootNanoseconds: try Instant(parsing: time).milliseconds,
      bootID: "0f1e2d3c", clockState: .synced)
    let record = Record(
      event: event, actor: .daemon("engine"), reading: reading, person: Self.anna,
      alarmVersion: 1, zoneName: "Europe/Berlin", utcOffsetSeconds: 3_600, tzdataVersion: "2026c",
      phase: phase, study: study)
    replay.apply(event, at: reading)
    var changes = StateDelta()
    changes.alarms = replay.alarms
    changes.prompts = replay.prompts
    changes.people = replay.people
    try logbook.record([record], changes)
  }

  private func prompt(_ day: String) throws -> Prompt {
    let nominal = try CivilDateTime(parsing: "\(day)T08:00:00")
    return Prompt(
      id: PromptID(alarm: Self.alarm, nominal: nominal, fold: 0), alarmVersion: 1,
      dueAt: try #require(Self.berlin).resolve(nominal).instant, zoneName: "Europe/Berlin",
      utcOffsetSeconds: 3_600)
  }

  private func rows(_ name: String) throws -> [[String: String]] {
    Table("\(directory.path)/out/\(name).csv").rows
  }

  private func export(_ logbook: Logbook) throws {
    let berlin = try #require(Self.berlin)
    _ = try logbook.writeExport(to: "\(directory.path)/out", profile: .limited) {
      $0 == "Europe/Berlin" ? berlin : nil
    }
  }

  @Test func `a prompt has the phase and the study of its due time`() throws {
    let logbook = try Logbook.open(directory)
    var replay = Replay()
    func phase(_ kind: StudyPhase.Kind, _ from: String, _ to: String?) throws -> StudyPhase {
      StudyPhase(
        kind: kind, from: try Instant(parsing: from), to: try to.map { try Instant(parsing: $0) })
    }
    func write(
      _ time: String, _ event: Event, phase: StudyPhase.Kind? = nil, study: String? = nil
    ) throws {
      try self.write(logbook, &replay, time, event, phase: phase, study: study)
    }
    let first = try prompt("2026-12-02")
    let second = try prompt("2026-12-10")
    try write("2026-12-01T08:00:00Z", .personAdded(Person(id: Self.anna, version: 1)))
    let alarm = Alarm(
      id: Self.alarm, version: 1, person: Self.anna, label: "Pills", instructions: "",
      schedule: .once(first.id.nominal), phrase: "", zoneName: "Europe/Berlin", tone: nil,
      burst: .standard, lateWindowSeconds: 1_800, delaySeconds: 300, delayLimit: 3)
    try write("2026-12-01T08:00:01Z", .alarmCreated(alarm))
    try write(
      "2026-12-01T08:00:02Z",
      .enrolled(
        Self.anna,
        Enrolment(
          study: "trial-1", pseudonym: "P-1", from: try Instant(parsing: "2026-12-01T08:00:02Z"))),
      study: "trial-1")
    let beginning = try phase(.prompted, "2026-12-01T23:00:00Z", "2026-12-02T23:00:00Z")
    let control = try phase(.control, "2026-12-02T23:00:00Z", nil)
    try write(
      "2026-12-01T08:00:03Z", .phaseChanged(Self.anna, [beginning, control]), study: "trial-1")
    try write("2026-12-01T08:00:04Z", .planned(first), phase: .prompted, study: "trial-1")
    try write("2026-12-01T08:00:05Z", .planned(second), phase: .control, study: "trial-1")
    try write("2026-12-02T07:30:00Z", close(first), phase: .prompted, study: "trial-1")
    // The prompt `first` belongs to the prompted phase, but this event came in the control phase.
    // The event contains the phase of its own time, as older versions recorded it.
    try write(
      "2026-12-03T07:30:00Z",
      .notificationFailed(
        first.id, position: 1, contact: "bob", attempt: 3, isLast: true, reason: "no network"),
      phase: .control, study: "trial-1")
    let ended = try phase(.control, "2026-12-02T23:00:00Z", "2026-12-05T08:00:00Z")
    try write(
      "2026-12-05T08:00:00Z", .phaseChanged(Self.anna, [beginning, ended]), study: "trial-1")
    try write("2026-12-05T08:00:00Z", .withdrawn(Self.anna, Withdrawal()), study: "trial-1")
    try write("2026-12-10T07:30:00Z", close(second))
    try export(logbook)
    let found = try rows("prompts").map { [$0["due_utc"], $0["phase"], $0["study_id"]] }
    #expect(
      found == [
        ["2026-12-02T07:00:00.000Z", "prompted", "trial-1"], ["2026-12-10T07:00:00.000Z", "", ""],
      ])
  }

  private func close(_ prompt: Prompt) -> Event {
    .closed(
      prompt.id, .missedNoResponse, reason: .none, Stopped(pending: 0, sounding: false, sounded: 0))
  }

  @Test(arguments: [
    ("A-017", false, "A-017"), ("17", false, "17"), ("ABCD_12345678", false, "ABCD_12345678"),
    ("anna", false, ""), ("miller-1952", false, ""), ("A-B-1", false, ""), ("A-017", true, ""),
  ])
  func `an export without names contains only codes, and none from before a rekey`(
    code: String, isRekeyed: Bool, shown: String
  ) throws {
    let logbook = try Logbook.open(directory)
    var replay = Replay()
    try write(
      logbook, &replay, "2027-03-01T08:00:00Z", .personAdded(Person(id: Self.anna, version: 1)))
    try write(
      logbook, &replay, "2027-03-01T08:00:01Z",
      .enrolled(
        Self.anna,
        Enrolment(
          study: "trial-1", pseudonym: code, from: try Instant(parsing: "2027-03-01T08:00:01Z"))))
    if isRekeyed { try write(logbook, &replay, "2027-03-02T08:00:01Z", .rekeyed) }
    try export(logbook)
    #expect(try rows("participants").map { $0["participant"] } == [shown])
    _ = try logbook.writeExport(to: "\(directory.path)/whole", profile: .identified)
    let whole = Table("\(directory.path)/whole/participants.csv").rows.map { $0["participant"] }
    #expect(whole == [code])
  }

  @Test func `the times of phases and enrolments have the offset of their own day`() throws {
    let logbook = try Logbook.open(directory)
    var replay = Replay()
    let (winter, summer) = ("2027-03-20T23:00:00Z", "2027-04-03T22:00:00Z")
    let (from, to) = (try Instant(parsing: winter), try Instant(parsing: summer))
    try write(
      logbook, &replay, "2027-03-01T08:00:00Z", .personAdded(Person(id: Self.anna, version: 1)))
    try write(
      logbook, &replay, "2027-03-01T08:00:01Z",
      .enrolled(Self.anna, Enrolment(study: "trial-1", pseudonym: "P-1", from: from, to: to)))
    try write(
      logbook, &replay, "2027-03-01T08:00:02Z",
      .phaseChanged(
        Self.anna,
        [
          StudyPhase(kind: .prompted, from: from, to: to), StudyPhase(kind: .control, from: to),
        ]))
    try write(
      logbook, &replay, "2027-04-01T08:00:00Z",
      .gap(
        from: try Instant(parsing: "2027-03-28T00:30:00Z"),
        to: try Instant(parsing: "2027-03-28T01:30:00Z"), cause: .deviceOff))
    try export(logbook)
    let participant = try #require(try rows("participants").first)
    #expect(participant["from_local"] == "2027-03-21T00:00:00.000")
    #expect(participant["to_local"] == "2027-04-04T00:00:00.000")
    #expect(
      try rows("phases").map { [$0["from_local"], $0["to_local"]] } == [
        ["2027-03-21T00:00:00.000", "2027-04-04T00:00:00.000"], ["2027-04-04T00:00:00.000", ""],
      ])
    let gap = try #require(try rows("gaps").first)
    #expect(gap["from_local"] == "2027-03-28T01:30:00.000")
    #expect(gap["to_local"] == "2027-03-28T03:30:00.000")
  }

  @Test func `the phases of a person in another zone begin at midnight in this zone`() throws {
    let logbook = try Logbook.open(directory)
    var replay = Replay()
    let york = try Zone(
      name: "America/New_York",
      tzif: Array(Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/America/New_York"))))
    // In New York, the clocks change on 14 March. In Berlin, the clocks change on 28 March.
    let phases = try [("2027-03-08", "2027-03-18"), ("2027-03-18", "2027-04-04")].map { from, to in
      try StudyPhase(
        kind: .prompted, from: york.resolve(CivilDateTime(parsing: "\(from)T00:00:00")).instant,
        to: york.resolve(CivilDateTime(parsing: "\(to)T00:00:00")).instant)
    }
    let person = Person(id: Self.anna, version: 1, zoneName: "America/New_York")
    try write(logbook, &replay, "2027-03-01T08:00:00Z", .personAdded(person))
    try write(
      logbook, &replay, "2027-03-01T08:00:01Z",
      .enrolled(
        Self.anna,
        Enrolment(study: "trial-1", pseudonym: "P-1", from: phases[0].from, to: phases[1].to)))
    try write(logbook, &replay, "2027-03-01T08:00:02Z", .phaseChanged(Self.anna, phases))
    let berlin = try #require(Self.berlin)
    for profile in [ExportProfile.limited, .safeHarbor] {
      _ = try logbook.writeExport(to: "\(directory.path)/\(profile)", profile: profile) {
        $0 == york.name ? york : $0 == berlin.name ? berlin : nil
      }
    }
    // If the times of day were in the home zone, the clock changes would move some of them by one
    // hour. A reader could then find the dates.
    let safe = ["phases", "participants"].map {
      Table("\(directory.path)/safeHarbor/\($0).csv").rows
    }
    for column in ["from_time", "to_time", "planned_from_time", "planned_to_time"] {
      #expect(safe[0].map { $0[column] } == ["00:00:00", "00:00:00"], "\(column)")
    }
    #expect(safe[1].map { [$0["from_time"], $0["to_time"]] } == [["00:00:00", "00:00:00"]])
    let exact = Table("\(directory.path)/limited/phases.csv").rows
    #expect(
      exact.map { $0["from_local"] } == ["2027-03-08T00:00:00.000", "2027-03-18T00:00:00.000"])
    #expect(
      exact.map { $0["from_utc"] } == ["2027-03-08T05:00:00.000Z", "2027-03-18T04:00:00.000Z"])
  }

  @Test(arguments: [true, false])
  func `what a person forbade stays forbidden`(isBeforeTheStart: Bool) throws {
    let logbook = try Logbook.open(directory)
    var replay = Replay()
    let from = try Instant(
      parsing: isBeforeTheStart ? "2027-12-05T08:00:00Z" : "2027-03-01T08:00:01Z")
    try write(
      logbook, &replay, "2027-03-01T08:00:00Z", .personAdded(Person(id: Self.anna, version: 1)))
    try write(
      logbook, &replay, "2027-03-01T08:00:01Z",
      .enrolled(Self.anna, Enrolment(study: "trial-1", pseudonym: "P-1", from: from)))
    for (time, use) in [("02", DataUse.untilWithdrawal), ("03", DataUse.none), ("04", nil)] {
      try write(
        logbook, &replay, "2027-03-\(time)T08:00:00Z",
        .withdrawn(
          Self.anna, Withdrawal(reason: time, code: time == "02" ? .bySubject : nil, dataUse: use)))
    }
    try export(logbook)
    let part = try #require(try rows("participants").first)
    #expect(part["data_use"] == "none" && part["is_withdrawn"] == "true")
    // The second and the third withdrawal do not move the end of the enrolment.
    #expect(part["reason_code"] == "withdrawal_by_subject")
    #expect(part["withdrawn_utc"] == "2027-03-02T08:00:00.000Z")
  }
}
