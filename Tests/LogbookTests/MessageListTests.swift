import Alarms
import CivilTime
import Testing

@testable import Logbook

/// Tests the exact rows of the list of messages and calls.
@Suite struct `The list of messages` {
  private let directory = TemporaryDirectory()
  private static let (anna, bob) = (PersonID("anna"), PersonID("bob"))

  private func announcement(
    _ id: String, of person: PersonID, _ kind: MessageKind?, _ text: String, _ timeline: Timeline
  ) -> Alarm {
    var alarm = timeline.alarm(id, of: person.text, label: text)
    (alarm.isAnnouncement, alarm.message) = (true, kind)
    return alarm
  }

  /// Returns the expected row of an announcement. The row contains the present state of the prompt.
  private func row(
    _ sequence: Int64, _ alarm: Alarm, _ prompt: Prompt, at: Int64, from sender: String,
    answer: Bool? = nil, _ timeline: Timeline
  ) throws -> MessageRow {
    MessageRow(
      sequence: sequence, at: timeline.at(at), person: alarm.person, sender: sender,
      subject: .announcement(
        text: alarm.label, alarm.message,
        try #require(timeline.replay.prompts[prompt.id]), answer: answer))
  }

  @Test func `is newest first, and each call has its newest state`() throws {
    var timeline = try Timeline(in: directory)
    let lunch = announcement("m1", of: Self.anna, nil, "Lunch", timeline)
    let visit = announcement("m2", of: Self.bob, .heard, "I come", timeline)
    let result = announcement("m3", of: Self.anna, .callResult, "Carl knows", timeline)
    let daughter = Actor(role: .caretaker, id: "uid:7", source: "socket")
    let prompts = [lunch, visit, result].map { timeline.prompt($0, due: 0) }
    try timeline.add(0, .alarmCreated(timeline.alarm("task")))
    let lunchAt = try timeline.add(1, .alarmCreated(lunch), by: daughter)
    try timeline.add(1, .planned(prompts[0]))
    let visitAt = try timeline.add(2, .alarmCreated(visit))
    try timeline.add(2, .planned(prompts[1]))
    let asked = try timeline.add(
      3, .call(Self.anna, number: 1, .asked(reply: AlarmID("r1"))), by: Timeline.patient)
    try timeline.add(4, .call(Self.anna, number: 1, .repeated))
    let failing = try timeline.add(5, .call(Self.bob, number: 2, .asked(reply: AlarmID("r2"))))
    try timeline.add(6, .call(Self.anna, number: 1, .told(contact: "carl")))
    try timeline.add(7, .call(Self.bob, number: 2, .failed(.noContact)))
    try timeline.add(8, .alarmCreated(result))
    try timeline.add(8, .planned(prompts[2]))
    let waiting = try timeline.add(9, .call(Self.anna, number: 3, .asked(reply: AlarmID("r3"))))
    func call(
      _ sequence: Int64, _ at: Int64, _ person: PersonID, _ sender: String, _ number: Int64,
      _ state: CallRequest.State
    ) -> MessageRow {
      MessageRow(
        sequence: sequence, at: timeline.at(at), person: person, sender: sender,
        subject: .call(number: number, state))
    }
    let all = [
      call(waiting, 9, Self.anna, "uid:1000", 3, .waiting),
      call(failing, 5, Self.bob, "uid:1000", 2, .failed(.noContact)),
      call(asked, 3, Self.anna, "uid:1001", 1, .told(contact: "carl")),
      try row(visitAt, visit, prompts[1], at: 2, from: "uid:1000", timeline),
      try row(lunchAt, lunch, prompts[0], at: 1, from: "uid:7", timeline),
    ]
    let logbook = timeline.logbook
    #expect(try logbook.messages(of: nil, limit: 100) == all)
    #expect(try logbook.messages(of: nil, limit: 4) == Array(all.prefix(4)))
    #expect(try logbook.messages(of: Self.anna, limit: 9) == [all[0], all[2], all[4]])
    #expect(try logbook.messages(of: Self.bob, limit: 9) == [all[1], all[3]])
    #expect(try logbook.messages(of: PersonID("carl"), limit: 9) == [])
    try timeline.eraseWords(of: lunchAt)
    let last = try logbook.messages(of: Self.anna, limit: 9).last
    #expect(last?.subject == .announcement(text: "", nil, prompts[0], answer: nil))
  }

  @Test func `has the newest answer, until somebody undoes the completion after it`() throws {
    var timeline = try Timeline(in: directory)
    let visit = announcement("m1", of: Self.bob, .yesNo, "Shall I come?", timeline)
    let prompt = timeline.prompt(visit, due: 60)
    let created = try timeline.add(0, .alarmCreated(visit))
    try timeline.add(0, .planned(prompt))
    func flag(_ number: Int, _ flag: Bool) -> Event {
      .response(prompt.id, Response(question: "answer", number: number, value: .flag(flag)))
    }
    let undone = Correction(
      undone: .completed, answeredAt: timeline.at(60_003),
      state: .waiting(ring: 0, at: timeline.at(60_004)))
    let events: [(Event, answer: Bool?)] = [
      (.due(prompt.id, lateMilliseconds: 0), nil), (flag(1, true), true), (flag(2, false), false),
      (.closed(prompt.id, .completed, reason: .none, .nothing), false),
      (.corrected(prompt.id, undone), nil), (flag(3, true), true),
    ]
    for (place, (event, answer)) in events.enumerated() {
      try timeline.add(60_000 + Int64(place), event, by: Timeline.patient)
      #expect(
        try timeline.logbook.messages(of: Self.bob, limit: 9) == [
          row(created, visit, prompt, at: 0, from: "uid:1000", answer: answer, timeline)
        ], "\(place): \(event.type)")
    }
  }
}
