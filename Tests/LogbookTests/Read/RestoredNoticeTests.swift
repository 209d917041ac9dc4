import Alarms
import CivilTime
import Testing

@testable import Logbook

/// Tests that a daemon restores the notices that it must still send.
@Suite struct `Notices from the record` {
  private static let patient = Actor(role: .patient, id: "uid:1002", source: "socket")

  /// Records events, and applies the same events to a notice book. After each event, the restored
  /// notice book must equal this notice book.
  @Test func `are the notices that have no final result`() throws {
    let directory = TemporaryDirectory()
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 60)
    let stopped = Stopped(pending: 0, sounding: false, sounded: 1)
    func notice(_ number: Int64, _ kind: NoticeKind, _ contact: String) -> Notice {
      Notice(number: number, kind: kind, contact: contact)
    }
    func due(_ number: Int64, _ kind: NoticeKind, _ contact: String, day: CivilDate? = nil) -> Event
    {
      var notice = notice(number, kind, contact)
      notice.day = day
      let message = NoticeMessage(text: "Text \(number).", label: "Pills", personName: "Anna")
      return .notice(notice, .due(message, expiresAt: timeline.at(number * 3_600_000)))
    }
    let day = try CivilDate(parsing: "2027-01-15")
    let events: [(Event, Actor)] = [
      (.alarmCreated(alarm), Timeline.caretaker), (.planned(prompt), Timeline.caretaker),
      (.escalated(prompt.id, position: 0, contact: "bob", reason: .noAnswer), Timeline.caretaker),
      (.notified(prompt.id, position: 0, contact: "bob", attempt: 1), Timeline.caretaker),
      (.closed(prompt.id, .completed, reason: .none, stopped), Self.patient),
      (due(7, .supplyLow, "anna"), Timeline.caretaker), (due(8, .test, "bob"), Timeline.caretaker),
      (due(9, .summary, "bob", day: day), Timeline.caretaker),
      (
        .notice(notice(7, .supplyLow, "anna"), .failed(attempt: 1, isLast: false, reason: "busy")),
        Timeline.caretaker
      ),
      (
        .notice(notice(8, .test, "bob"), .failed(attempt: 3, isLast: true, reason: "no network")),
        Timeline.caretaker
      ),
      (.notice(notice(9, .summary, "bob"), .sent(attempt: 1)), Timeline.caretaker),
      (.notice(notice(7, .supplyLow, "anna"), .dropped(.outdated)), Timeline.caretaker),
      (due(10, .answerUndone, "bob"), Timeline.caretaker),
    ]
    var expected = NoticeBook()
    for (index, (event, actor)) in events.enumerated() {
      let milliseconds = Int64(index) * 1_000
      try timeline.add(milliseconds, event, by: actor)
      expected.apply(event, at: timeline.at(milliseconds), by: actor.role)
      #expect(try timeline.logbook.restore().notices == expected, "\(index): \(event.type)")
    }
    #expect(expected.waiting.map(\.notice.number) == [10])
    #expect(expected.testResult(8)?.failure == "no network")
  }
}
