import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests how undone answers change the row of a prompt.
@Suite struct `An undone answer in the export` {
  private let directory = TemporaryDirectory()
  private static let columns = [
    "first_answer", "first_answer_role", "answer_latency_ms", "state", "closed_role", "corrections",
  ]

  private func row(_ timeline: Timeline, _ name: String) throws -> [String] {
    let path = "\(directory.path)/\(name)"
    _ = try timeline.logbook.writeExport(to: path, profile: .limited)
    let row = try #require(Table("\(path)/prompts.csv").rows.first)
    return Self.columns.map { row[$0] ?? "?" }
  }

  @Test func `leaves an earlier answer, and the next answer takes its place`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 60)
    let none = Stopped(pending: 0, sounding: false, sounded: 0)
    let until = timeline.at(400_000)
    try timeline.add(0, .alarmCreated(alarm))
    try timeline.add(0, .planned(prompt))
    try timeline.add(60_000, .due(prompt.id, lateMilliseconds: 0))
    try timeline.add(70_000, .delayed(prompt.id, until: until, none), by: Timeline.patient)
    try timeline.add(90_000, .closed(prompt.id, .completed, reason: .none, none))
    #expect(try row(timeline, "1") == ["delayed", "patient", "10000", "closed", "caretaker", "0"])
    let second = Correction(
      undone: .completed, answeredAt: timeline.at(90_000), state: .delayed(until: until))
    try timeline.add(95_000, .corrected(prompt.id, second))
    #expect(try row(timeline, "2") == ["delayed", "patient", "10000", "open", "", "1"])
    let first = Correction(
      undone: .delayed, answeredAt: timeline.at(70_000),
      state: .waiting(ring: 1, at: timeline.at(100_000)))
    try timeline.add(98_000, .corrected(prompt.id, first))
    #expect(try row(timeline, "3") == ["", "", "", "open", "", "2"])
    try timeline.add(99_000, .acknowledged(prompt.id, until: until, none))
    #expect(
      try row(timeline, "4") == ["acknowledged", "caretaker", "39000", "open", "", "2"])
  }
}
