import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests the local times of an export with the profile `safe_harbor`.
///
/// All events of the record have the UTC offset 0. The clock of the prompts is three hours ahead of
/// UTC: the zone is two hours ahead of UTC, and a clock change moved the due times by one hour.
@Suite struct `A time in the profile safe_harbor` {
  private let directory = TemporaryDirectory()

  private func prompt(_ alarm: Alarm, _ timeline: Timeline) -> Prompt {
    let due = timeline.at(60_000)
    let nominal = CivilDateTime(localSeconds: due.seconds + 10_800)
    return Prompt(
      id: PromptID(alarm: alarm.id, nominal: nominal, fold: 0), alarmVersion: 1, dueAt: due,
      zoneName: "Test/Zone", utcOffsetSeconds: 7_200)
  }

  private func timeline() throws -> Timeline {
    var timeline = try Timeline(in: directory)
    let (far, near) = (timeline.alarm("far"), timeline.alarm("near"))
    let (late, done) = (prompt(far, timeline), prompt(near, timeline))
    let none = Stopped(pending: 0, sounding: false, sounded: 0)
    for (at, event) in [
      (0, .alarmCreated(far)), (0, .alarmCreated(near)), (59_000, .planned(late)),
      (59_000, .planned(done)), (60_000, .due(late.id, lateMilliseconds: 0)),
      (60_000, .due(done.id, lateMilliseconds: 0)),
      (61_000, .closed(done.id, .completed, reason: .none, none)),
      (7_260_000, .presented(late.id)), (7_260_001, .presented(late.id)),
      (7_300_000, .closed(late.id, .missedNoResponse, reason: .none, none)),
    ] as [(Int64, Event)] { try timeline.add(at, event) }
    return timeline
  }

  private func export(_ layout: ExportLayout) throws -> String {
    let path = "\(directory.path)/\(layout.rawValue)"
    _ = try timeline().logbook.writeExport(to: path, profile: .safeHarbor, layout: layout)
    return path
  }

  @Test func `is from the clock of the prompt if the time is near the due time`() throws {
    let path = try export(.frictionless)
    let events = Table("\(path)/events.csv").rows
    #expect(
      events.map { "\($0["type"] ?? "") \($0["recorded_time"] ?? "")" } == [
        "alarm_created 08:00:00", "alarm_created 08:00:00", "planned 08:00:00",
        "planned 08:00:00", "due 11:00:00", "due 11:00:00", "completed 11:00:00",
        "presented 13:00:00", "presented 10:00:00", "missed 10:00:00",
      ])
    let columns = ["scheduled_time", "due_time", "closed_time", "outcome"]
    let prompts = Table("\(path)/prompts.csv").rows.map { row in
      columns.map { row[$0] ?? "?" }.joined(separator: " ")
    }
    // The second prompt ended more than two hours after its due time. Therefore the time of its end
    // is a time in the zone of the prompt.
    #expect(
      prompts == [
        "11:00:00 11:00:00 11:00:00 completed", "11:00:00 11:00:00 12:00:00 missed_no_response",
      ])
  }

  @Test func `is from the clock of the prompt in the layout cleanadh`() throws {
    let list = Table("\(try export(.cleanadh))/eventlist.csv").rows
    #expect(list.map { $0["Date"] } == ["2000-01-01 11:00:01"])
  }

  @Test func `is from the clock of the prompt in each column of m-Path`() throws {
    let text = String(
      decoding: readFile("\(try export(.mpath))/mpath_basic.csv"), as: UTF8.self)
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    }
    let start = try #require(lines.first?.firstIndex(of: "timeStampScheduled"))
    // 946724400 is 2000-01-01T11:00:00.
    #expect(
      lines.dropFirst().map { Array($0[start..<start + 4]) } == [
        ["946724400", "", "946724401", "946724401"], ["946724400", "", "", ""],
      ])
    #expect(lines.dropFirst().map { Array($0[5..<7]) } == [["1", "0"], ["2", "0"]])
  }
}
