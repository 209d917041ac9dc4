import Alarms
import CivilTime
import GRDB
import Glibc
import StudyExport
import Testing

@testable import Logbook

/// Tests the tables of the layout `cleanadh` for several alarms, people and phases.
@Suite struct `The layout cleanadh` {
  private let directory = TemporaryDirectory()

  private func rows(
    _ timeline: Timeline, _ name: String, _ columns: [String]
  ) throws -> [[String]] {
    let path = "\(directory.path)/\(name)"
    _ = try timeline.logbook.writeExport(to: path, profile: .limited, layout: .cleanadh)
    return Table("\(path)/\(name).csv").rows.map { row in columns.map { row[$0] ?? "?" } }
  }

  /// The days of an alarm do not depend on the days of the previous alarm in the tables.
  @Test func `begins with new days for each alarm`() throws {
    var timeline = try Timeline(in: directory)
    let alarms = [
      "a": timeline.alarm("a"), "b": timeline.alarm("b"), "c": timeline.alarm("c", of: "bob"),
      "d": timeline.alarm("d", of: "bob"),
    ]
    for (_, alarm) in alarms.sorted(by: { $0.key < $1.key }) {
      try timeline.add(0, .alarmCreated(alarm))
    }
    let none = Stopped(pending: 0, sounding: false, sounded: 0)
    for (name, day, outcome) in [
      ("a", 0, .completed), ("a", 1, .missedDeviceOff), ("b", 3, .missedDeviceOff),
      ("b", 4, .completed), ("c", 4, .declined), ("d", 1, .completed), ("d", 2, .completed),
      ("d", 2, .completed),
    ] as [(String, Int64, Outcome)] {
      let alarm = try #require(alarms[name])
      let planned = timeline.replay.prompts.count
      let prompt = timeline.prompt(alarm, due: day * 86_400 + Int64(planned))
      try timeline.add(0, .planned(prompt))
      try timeline.add(day * 86_400_000 + 60_000, .closed(prompt.id, outcome, reason: .none, none))
    }
    let (anna, bob) = (
      try #require(try timeline.logbook.code(of: PersonID("anna"))),
      try #require(try timeline.logbook.code(of: PersonID("bob")))
    )
    let info = try rows(timeline, "EMInfo", ["PatientCode", "Monitor", "StartDate", "EndDate"])
    #expect(
      info.sorted { $0[1] < $1[1] } == [
        [anna, "a", "2027-01-15", "2027-01-16"], [anna, "b", "2027-01-18", "2027-01-19"],
        [bob, "c", "2027-01-19", "2027-01-19"], [bob, "d", "2027-01-16", "2027-01-17"],
      ])
    let gaps = try rows(
      timeline, "NonMonitoredPeriods",
      ["PatientCode", "Monitor", "StartDate", "EndDate", "Comments"])
    #expect(
      gaps == [
        [anna, "a", "2027-01-16", "2027-01-16", "missed_device_off"],
        [anna, "b", "2027-01-18", "2027-01-18", "missed_device_off"],
      ])
    let regimen = try rows(
      timeline, "Regimen",
      ["PatientCode", "Monitor", "ExpectedOpenings", "StartDate", "EndDate", "On", "Off"])
    #expect(
      regimen.sorted { ($0[1], $0[3]) < ($1[1], $1[3]) } == [
        [anna, "a", "1", "2027-01-15", "2027-01-16", "", ""],
        [anna, "b", "1", "2027-01-18", "2027-01-19", "", ""],
        [bob, "c", "1", "2027-01-19", "2027-01-19", "", ""],
        [bob, "d", "1", "2027-01-16", "2027-01-16", "", ""],
        [bob, "d", "2", "2027-01-17", "2027-01-17", "", ""],
      ])
    let openings = try rows(timeline, "eventlist", ["PatientCode", "Monitor", "Date"])
    #expect(
      openings.sorted { ($0[1], $0[2]) < ($1[1], $1[2]) } == [
        [anna, "a", "2027-01-15 08:01:00"], [anna, "b", "2027-01-19 08:01:00"],
        [bob, "d", "2027-01-16 08:01:00"], [bob, "d", "2027-01-17 08:01:00"],
        [bob, "d", "2027-01-17 08:01:00"],
      ])
  }

  @Test func `has the first and the last day of each phase that began`() throws {
    var timeline = try Timeline(in: directory)
    let anna = PersonID("anna")
    func hours(_ count: Int64) -> Instant { timeline.start.adding(seconds: count * 3_600) }
    // The first phase ends at the midnight between 17 and 18 January.
    let first = StudyPhase(kind: .prompted, from: hours(0), to: hours(64))
    let second = StudyPhase(kind: .control, from: hours(64), to: hours(240))
    let never = StudyPhase(kind: .prompted, from: hours(240), to: hours(480))
    try timeline.add(0, .personAdded(Person(id: anna, version: 1)))
    try timeline.add(1, .phaseChanged(anna, [first, second, never]))
    // The second phase gets no end, and the third phase is removed.
    let open = StudyPhase(kind: .control, from: hours(64), to: nil)
    try timeline.add(2, .phaseChanged(anna, [first, open]))
    let code = try #require(try timeline.logbook.code(of: anna))
    let columns = ["PatientCode", "Phase", "StartDate", "EndDate"]
    #expect(
      try rows(timeline, "StudyPhases", columns) == [
        [code, "prompted", "2027-01-15", "2027-01-17"], [code, "control", "2027-01-18", ""],
      ])
  }
}

/// Tests which directories an export accepts, and the content of a directory after a failed export.
@Suite struct `The directory of an export` {
  private let directory = TemporaryDirectory()
  private var out: String { "\(directory.path)/out" }

  @Test func `must be empty`() throws {
    let logbook = try Timeline(in: directory).logbook
    mkdir(out, 0o700)
    let summary = try logbook.writeExport(to: out, profile: .limited)
    #expect(TemporaryDirectory.list(out) == summary.files.map(\.name).sorted())
    let other = "\(directory.path)/other"
    mkdir(other, 0o700)
    writeFile([1], to: "\(other)/file")
    #expect(
      throws: LogbookError.invalid(
        doing: "export to \"\(other)\"",
        reason: "the directory is not empty; give a new or empty directory")
    ) { try logbook.writeExport(to: other, profile: .limited) }
    #expect(TemporaryDirectory.list(other) == ["file"])
    let path = "\(other)/file"
    #expect(
      throws: LogbookError.unwritable(doing: "open \"\(path)\"", reason: "Not a directory")
    ) { try logbook.writeExport(to: path, profile: .limited) }
  }

  @Test func `does not change if the export fails`() throws {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .alarmCreated(timeline.alarm("pills")))
    try timeline.logbook.close()
    // The export fails at alarms.csv, after it has written other files.
    try tamper(directory.record) { try $0.execute(sql: "UPDATE events SET payload = '{}'") }
    let logbook = try Logbook.open(directory)
    #expect(throws: LogbookError.self) { try logbook.writeExport(to: out, profile: .limited) }
    #expect(access(out, F_OK) != 0)
    mkdir(out, 0o700)
    #expect(throws: LogbookError.self) { try logbook.writeExport(to: out, profile: .limited) }
    #expect(access(out, F_OK) == 0 && TemporaryDirectory.list(out) == [])
  }
}
