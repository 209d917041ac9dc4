import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests the lists that the logbook reads from the record. The rows, the values and the order must
/// be exactly right.
@Suite struct `A list from the record` {
  private let directory = TemporaryDirectory()
  private static let anna = PersonID("anna")
  private static let nothing = Stopped.nothing

  @Test func `holidays are in the order of the names, as they were imported last`() throws {
    var timeline = try Timeline(in: directory)
    func list(_ name: String, _ day: Int) -> HolidayList {
      HolidayList(name: name, days: [Holiday(date: CivilDate(dayNumber: day), label: "Day \(day)")])
    }
    let names = ["gb", "de", "us", "at", "fr", "ch", "nl"]
    for (day, name) in names.enumerated() {
      try timeline.add(Int64(day), .holidays(.imported(list(name, day))))
    }
    try timeline.add(10, .holidays(.imported(list("de", 20_000))))
    try timeline.add(11, .holidays(.removed("us")))
    let unknown = try timeline.add(12, .holidays(.imported(list("xx", 9))))
    try timeline.eraseWords(of: unknown)
    let found = try timeline.logbook.reading("read the holidays") {
      try timeline.logbook.holidays(in: $0)
    }
    #expect(
      found == [
        list("at", 3), list("ch", 5), list("de", 20_000), list("fr", 4), list("gb", 0),
        list("nl", 6),
      ])
  }

  @Test func `responses are found by prompt, person, question and time`() throws {
    var timeline = try Timeline(in: directory)
    let (pills, walk) = (timeline.alarm("pills"), timeline.alarm("walk", of: "bob"))
    let (first, second) = (timeline.prompt(pills, due: 0), timeline.prompt(walk, due: 60))
    for event: Event in [
      .alarmCreated(pills), .alarmCreated(walk), .planned(first), .planned(second),
    ] { try timeline.add(0, event) }
    func respond(
      _ at: Int64, _ prompt: Prompt, _ response: Response, by actor: Actor = Timeline.patient
    ) throws -> GivenResponse {
      let sequence = try timeline.add(at, .response(prompt.id, response), by: actor)
      return GivenResponse(
        sequence: sequence, prompt: prompt.id, response: response, role: actor.role,
        at: timeline.at(at))
    }
    let pain = try respond(
      1_000, first, Response(question: "pain", number: 1, value: .number(7)))
    let other = try respond(
      2_000, second, Response(question: "pain", number: 1, value: .number(3)))
    let weight = try respond(
      3_000, first, Response(question: "weight", number: 1, value: .number(61.5), unit: "kg"))
    let again = try respond(
      4_000, first, Response(question: "pain", number: 2, value: .number(8)),
      by: Timeline.caretaker)
    let code = try #require(try timeline.logbook.code(of: Self.anna))
    let (two, four) = (timeline.at(2_000), timeline.at(4_000))
    let cases: [(ResponseQuery, [GivenResponse])] = [
      (ResponseQuery(), [pain, other, weight, again]),
      (ResponseQuery(prompt: first.id), [pain, weight, again]),
      (ResponseQuery(prompt: second.id), [other]),
      (ResponseQuery(person: Self.anna), [pain, weight, again]),
      (ResponseQuery(person: PersonID("bob")), [other]),
      (ResponseQuery(person: PersonID(code)), [pain, weight, again]),
      (ResponseQuery(person: PersonID("carl")), []),
      (ResponseQuery(question: "pain"), [pain, other, again]),
      (ResponseQuery(person: Self.anna, question: "pain"), [pain, again]),
      (ResponseQuery(prompt: second.id, question: "weight"), []),
      (ResponseQuery(given: two..<four), [other, weight]),
      (
        ResponseQuery(
          prompt: first.id, person: Self.anna, question: "pain",
          given: two..<four.adding(milliseconds: 1)), [again]
      ),
    ]
    for (query, expected) in cases {
      #expect(try timeline.logbook.responses(query) == expected, "\(query)")
    }
  }

  @Test func `a response and a diary entry without their words are still listed`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 0)
    try timeline.add(0, .alarmCreated(alarm))
    try timeline.add(0, .planned(prompt))
    let said = Response(question: "note", number: 1, value: .text("tired"))
    let response = try timeline.add(1, .response(prompt.id, said))
    func entry(_ day: Int, _ note: String) -> DiaryEntry {
      DiaryEntry(
        person: Self.anna, subject: .day(CivilDate(dayNumber: day)), completion: 2, burden: 4,
        note: note, number: 1)
    }
    try timeline.add(2, .diary(entry(1, "well")))
    try timeline.add(3, .diary(entry(2, "")))
    let erased = try timeline.add(4, .diary(entry(3, "secret")))
    #expect(try timeline.logbook.responses(ResponseQuery()).map(\.response) == [said])
    try timeline.eraseWords(of: response)
    try timeline.eraseWords(of: erased)
    #expect(
      try timeline.logbook.responses(ResponseQuery()).map(\.response)
        == [Response(question: "note", number: 1, value: .text(""))])
    let diary = try timeline.logbook.diary()
    #expect(diary.map(\.entry) == [entry(1, "well"), entry(2, ""), entry(3, "")])
    #expect(diary.map(\.isNoteErased) == [false, false, true])
  }

  @Test func `the results of a contact are the newest of all kinds of notifications`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 0)
    let rule = InactivityRule(hours: 6, notifySteps: [NotifyStep(contact: "bob", afterSeconds: 0)])
    func notice(_ contact: String) -> Notice { Notice(number: 7, kind: .test, contact: contact) }
    let results: [(Int64, Event)] = [
      (1, .personAdded(Person(id: Self.anna, version: 1, inactivity: rule))),
      (2, .alarmCreated(alarm)), (3, .planned(prompt)),
      (4, .escalated(prompt.id, position: 0, contact: "waiting", reason: .noAnswer)),
      (10, .notified(prompt.id, position: 0, contact: "prompt", attempt: 1)),
      (11, .notified(prompt.id, position: 0, contact: "prompt", attempt: 2)),
      (
        12,
        .notificationFailed(
          prompt.id, position: 0, contact: "prompt", attempt: 1, isLast: false, reason: "first")
      ),
      (
        13,
        .notificationFailed(
          prompt.id, position: 0, contact: "prompt", attempt: 2, isLast: true, reason: "second")
      ),
      (20, .inactivity(Self.anna, .begun)),
      (
        21,
        .inactivity(
          Self.anna, .notifying(position: 0, contact: "bob", since: timeline.at(20), hours: 6))
      ),
      (
        22,
        .inactivity(
          Self.anna,
          .failed(position: 0, contact: "bob", attempt: 1, isLast: false, reason: "no network"))
      ),
      (23, .inactivity(Self.anna, .notified(position: 0, contact: "bob", attempt: 2))),
      (
        30,
        .notice(
          notice("carl"), .due(NoticeMessage(text: "a test"), expiresAt: timeline.at(600_000)))
      ),
      (31, .notice(notice("carl"), .failed(attempt: 1, isLast: false, reason: "exit status 1"))),
      (32, .notice(notice("dora"), .sent(attempt: 1))),
    ]
    for (at, event) in results { try timeline.add(at, event) }
    let gone = try timeline.add(40, .notice(notice("erased"), .sent(attempt: 1)))
    try timeline.eraseWords(of: gone)
    let expected: [String: Logbook.NotifyResults] = [
      "prompt": .init(reachedAt: timeline.at(11), failedAt: timeline.at(13), failure: "second"),
      "bob": .init(reachedAt: timeline.at(23), failedAt: timeline.at(22), failure: "no network"),
      "carl": .init(failedAt: timeline.at(31), failure: "exit status 1"),
      "dora": .init(reachedAt: timeline.at(32)),
    ]
    #expect(try timeline.logbook.contactResults() == expected)
  }

  @Test func `the last answer of a patient is the newest of four kinds`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 0)
    #expect(try timeline.logbook.lastPatientAnswer() == nil)
    let later = timeline.at(900_000)
    let events: [(Event, Actor, isAnswer: Bool)] = [
      (.alarmCreated(alarm), Timeline.patient, false), (.planned(prompt), Timeline.patient, false),
      (.due(prompt.id, lateMilliseconds: 0), .daemon("timer"), false),
      (.presented(prompt.id), Timeline.patient, false),
      (.delayed(prompt.id, until: later, Self.nothing), Timeline.patient, true),
      (.acknowledged(prompt.id, until: later, Self.nothing), Timeline.caretaker, false),
      (.acknowledged(prompt.id, until: later, Self.nothing), Timeline.patient, true),
      (
        .closed(prompt.id, .completed, reason: .none, Self.nothing), Timeline.caretaker, false
      ),
    ]
    var last: Instant?
    for (place, (event, actor, isAnswer)) in events.enumerated() {
      let at = Int64(place) * 1_000
      try timeline.add(at, event, by: actor)
      if isAnswer { last = timeline.at(at) }
      #expect(try timeline.logbook.lastPatientAnswer() == last, "\(event.type)")
    }
    for (place, outcome) in [Outcome.completed, .declined].enumerated() {
      let next = timeline.prompt(alarm, due: 60 + Int64(place))
      let at = 100_000 + Int64(place)
      try timeline.add(at, .planned(next))
      try timeline.add(
        at, .closed(next.id, outcome, reason: .away, Self.nothing), by: Timeline.patient)
      #expect(try timeline.logbook.lastPatientAnswer() == timeline.at(at), "\(outcome)")
    }
  }

  @Test func `outcomes are counted, in the order of their names`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    let outcomes: [Outcome] = [
      .missedNoResponse, .completed, .unknownCrash, .declined, .completed, .cancelledBeforeDue,
    ]
    for (place, outcome) in outcomes.enumerated() {
      let prompt = timeline.prompt(alarm, due: Int64(place))
      try timeline.add(1, .planned(prompt))
      try timeline.add(2, .closed(prompt.id, outcome, reason: .none, Self.nothing))
    }
    try timeline.add(3, .planned(timeline.prompt(alarm, due: 99)))
    let found = try timeline.logbook.outcomes()
    #expect(
      found.map(\.outcome)
        == [.cancelledBeforeDue, .completed, .declined, .missedNoResponse, .unknownCrash])
    #expect(found.map(\.count) == [1, 2, 1, 1, 1])
  }

  @Test func `the events during a prompt are those between its first and its last event`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 0)
    let start = timeline.start
    let device: [Event] = [
      .boot(previousBootID: "b"), .serviceStarted(version: "1"),
      .gap(from: start, to: start, cause: .crash), .clockStep(milliseconds: 5),
      .clockSync(gained: true), .clockSync(gained: false), .audioLost(reason: "no card"),
      .audioRestored(device: "card"), .tzChanged(from: "UTC", to: "Europe/Berlin"),
      .tzdataChanged(from: "2026b", to: "2026c"), .serviceStopped(reason: "update"),
    ]
    let others: [Event] = [.heartbeat, .denied(uid: 1, count: 1, method: "GET", path: "/")]
    try timeline.add(0, .alarmCreated(alarm))
    try timeline.add(0, .audioLost(reason: "before"))
    try timeline.add(0, .planned(prompt))
    var expected: [HistoryEvent] = []
    for (place, event) in (device + others).enumerated() {
      let at = 1_000 + Int64(place)
      let sequence = try timeline.add(at, event)
      guard place < device.count else { continue }
      expected.append(
        HistoryEvent(
          sequence: sequence, event: event, actor: Timeline.caretaker, at: timeline.at(at)))
    }
    #expect(try timeline.logbook.interruptions(during: prompt.id) == expected)
    try timeline.add(5_000, .closed(prompt.id, .cancelledBeforeDue, reason: .none, Self.nothing))
    try timeline.add(6_000, .audioLost(reason: "after"))
    #expect(try timeline.logbook.interruptions(during: prompt.id) == expected)
    let history = try timeline.logbook.history(of: prompt.id)
    #expect(history.map(\.event.type) == ["planned", "cancelled"])
    #expect(history.map(\.at) == [timeline.at(0), timeline.at(5_000)])

    let next = timeline.prompt(alarm, due: 60)
    try timeline.add(7_000, .planned(next))
    for place in 0..<201 { try timeline.add(8_000 + Int64(place), .audioLost(reason: "again")) }
    let many = try timeline.logbook.interruptions(during: next.id)
    #expect(many.map(\.at) == (1..<201).map { timeline.at(8_000 + $0) })
  }

  @Test func `only a deleted alarm has a removal`() throws {
    var timeline = try Timeline(in: directory)
    let (pills, walk) = (timeline.alarm("pills"), timeline.alarm("walk"))
    try timeline.add(0, .alarmCreated(pills))
    try timeline.add(1, .alarmCreated(walk))
    let sequence = try timeline.add(2, .alarmDeleted(pills.id, version: 1), by: Timeline.patient)
    #expect(
      try timeline.logbook.removal(of: pills.id)
        == HistoryEvent(
          sequence: sequence, event: .alarmDeleted(pills.id, version: 1), actor: Timeline.patient,
          at: timeline.at(2)))
    #expect(try timeline.logbook.removal(of: walk.id) == nil)
    #expect(try timeline.logbook.removal(of: AlarmID("nobody")) == nil)
  }

  @Test func `prompts are found by their due time, person, label and kind`() throws {
    var timeline = try Timeline(in: directory)
    let pills = timeline.alarm("a", label: "Blue PILLS")
    let walk = timeline.alarm("b", of: "bob", label: "Walk")
    var lunch = timeline.alarm("c", label: "Lunch")
    lunch.isAnnouncement = true
    for alarm in [pills, walk, lunch] { try timeline.add(0, .alarmCreated(alarm)) }
    let (one, two) = (timeline.prompt(pills, due: 1), timeline.prompt(walk, due: 2))
    let (tie, three) = (timeline.prompt(pills, due: 2), timeline.prompt(lunch, due: 3))
    for prompt in [three, tie, one, two] { try timeline.add(0, .planned(prompt)) }
    try timeline.add(0, .closed(one.id, .completed, reason: .none, Self.nothing))
    try timeline.add(0, .closed(two.id, .missedNoResponse, reason: .none, Self.nothing))
    func ids(_ change: (inout PromptQuery) -> Void) throws -> [PromptID] {
      var query = PromptQuery()
      change(&query)
      return try timeline.logbook.prompts(query).map(\.prompt.id)
    }
    let code = try #require(try timeline.logbook.code(of: Self.anna))
    let (first, second, third) = (one.dueAt, two.dueAt, three.dueAt)
    #expect(try ids { _ in } == [three.id, two.id, tie.id, one.id])
    #expect(try ids { $0.dueAfter = first } == [three.id, two.id, tie.id])
    #expect(try ids { $0.dueAfter = first.adding(milliseconds: -1) }.count == 4)
    #expect(try ids { $0.dueThrough = second } == [two.id, tie.id, one.id])
    #expect(try ids { $0.dueThrough = second.adding(milliseconds: -1) } == [one.id])
    #expect(try ids { $0.due = first..<third } == [two.id, tie.id, one.id])
    #expect(try ids { $0.due = second..<third.adding(milliseconds: 1) }.count == 3)
    #expect(try ids { $0.person = Self.anna } == [three.id, tie.id, one.id])
    #expect(try ids { $0.person = PersonID(code) } == [three.id, tie.id, one.id])
    #expect(try ids { $0.person = PersonID("carl") } == [])
    #expect(try ids { $0.label = "pill" } == [tie.id, one.id])
    #expect(try ids { $0.label = "E p" } == [tie.id, one.id])
    #expect(try ids { $0.tasksOnly = true } == [two.id, tie.id, one.id])
    #expect(try ids { $0.outcomes = [.completed] } == [one.id])
    #expect(try ids { ($0.outcomes, $0.includesOpen) = ([.completed], true) }.count == 3)
    #expect(try ids { $0.before = two.id } == [tie.id, one.id])
    #expect(try ids { $0.before = tie.id } == [one.id])
    #expect(try ids { ($0.before, $0.limit) = (three.id, 1) } == [two.id])
    let rows = try timeline.logbook.prompts(PromptQuery())
    #expect(rows.map(\.isAnnouncement) == [true, false, false, false])
    #expect(rows.map(\.person.text) == ["anna", "bob", "anna", "anna"])
  }
}
