import API
import Alarms
import CivilTime
import Testing

@Suite struct `The summary of a day` {
  private static func task(
    _ label: String, _ time: String, _ state: DayTask.State, notified: [(String, String)] = []
  ) throws -> DayTask {
    DayTask(
      label: label, person: "hilde", at: try CivilDateTime(parsing: "2026-11-26T\(time):00"),
      state: state,
      notified: try notified.map {
        .init(contact: $0.0, at: try CivilDateTime(parsing: "2026-11-26T\($0.1):00"))
      })
  }

  private func date(_ text: String) throws -> CivilDate { try CivilDate(parsing: text) }

  @Test func `names what was done and missed, and who was notified`() throws {
    let tasks = [
      try Self.task("Morning pills", "08:00", .done), try Self.task("Walk", "10:00", .declined),
      try Self.task("Evening pills", "20:00", .missed, notified: [("anna", "20:10")]),
      try Self.task("Nap", "13:00", .suppressed), try Self.task("Tea", "15:00", .replaced),
      try Self.task("Bed", "22:00", .toCome),
    ]
    #expect(
      DaySummary.text(name: "Hilde", date: try date("2026-11-26"), tasks: tasks)
        == "Hilde did 1 of 3 tasks on Thursday 26 November 2026. 1 more task is still to come. "
        + "Missed: Evening pills at 20:00, and anna was notified at 20:10. "
        + "Declined: Walk at 10:00. Silent on purpose: Nap at 13:00.")
  }

  @Test func `says so if there were no tasks, or if none was due yet`() throws {
    let day = try date("2026-11-26")
    #expect(
      DaySummary.text(name: "the patient", date: day, tasks: [])
        == "The patient had no tasks on Thursday 26 November 2026.")
    #expect(
      DaySummary.text(
        name: "Hilde", date: day,
        tasks: [try Self.task("Bed", "22:00", .toCome), try Self.task("Read", "21:00", .toCome)])
        == "No task of Hilde was due yet on Thursday 26 November 2026. 2 more tasks are still to "
        + "come.")
  }

  @Test func `names the day of each task in a summary of several days`() throws {
    let tasks = [
      try Self.task("Pills", "08:00", .missed), try Self.task("Tea", "09:00", .putOff),
    ]
    #expect(
      DaySummary.text(
        name: "Hilde", from: try date("2026-11-20"), to: try date("2026-11-26"), tasks: tasks)
        == "Hilde did 0 of 2 tasks from Friday 20 November 2026 to Thursday 26 November 2026. "
        + "Missed: Pills on Thursday 26 November 2026 at 08:00. "
        + "Put off: Tea on Thursday 26 November 2026 at 09:00.")
  }
}
