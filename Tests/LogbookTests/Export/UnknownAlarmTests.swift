import Alarms
import StudyExport
import Testing

@testable import Logbook

/// Tests the export of a prompt if the record contains no version of its alarm.
@Suite struct `A prompt of an unknown alarm` {
  private let directory = TemporaryDirectory()

  private func lines(_ logbook: Logbook, _ layout: ExportLayout, _ file: String) throws -> [String]
  {
    let path = "\(directory.path)/\(layout.rawValue)"
    _ = try logbook.writeExport(to: path, profile: .identified, layout: layout)
    return String(decoding: readFile("\(path)/\(file).csv"), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test func `is a task of an unknown person without a label and without questions`() throws {
    var timeline = try Timeline(in: directory)
    let prompt = timeline.prompt(timeline.alarm("pills"), due: 0)
    let none = Stopped(pending: 0, sounding: false, sounded: 0)
    try timeline.add(0, .planned(prompt))
    try timeline.add(1, .closed(prompt.id, .completed, reason: .none, none))
    let logbook = timeline.logbook
    _ = try lines(logbook, .frictionless, "prompts")
    let rows = Table("\(directory.path)/frictionless/prompts.csv").rows
    #expect(rows.map { $0["prompt_id"] } == [prompt.id.description])
    for (name, cell) in [
      ("person", ""), ("person_name", ""), ("label", ""), ("is_announcement", "false"),
      ("alarm_id", "pills"), ("alarm_version", "1"), ("outcome", "completed"), ("study_id", ""),
    ] { #expect(rows.first?[name] == cell, "\(name)") }
    #expect(Table("\(directory.path)/frictionless/items.csv").rows.isEmpty)
    let mpath = try lines(logbook, .mpath, "mpath_basic")
    #expect(mpath.count == 2 && mpath.last?.hasPrefix("0;;;") == true, "\(mpath)")
    let list = try lines(logbook, .cleanadh, "eventlist")
    #expect(list.count == 2 && list.last?.hasPrefix("unknown,pills,") == true, "\(list)")
    let info = readFile("\(directory.path)/cleanadh/EMInfo.csv")
    #expect(String(decoding: info, as: UTF8.self).contains("\nunknown,pills,"))
    let row = try #require(try logbook.prompt(prompt.id))
    #expect(row.person == .patient && row.label == "" && row.instructions == "")
    #expect(row.image == nil && !row.isAnnouncement)
  }
}
