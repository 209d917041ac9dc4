import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import Testing

@testable import Logbook

/// Tests the exact parts of the state that the daemon reads when it starts.
@Suite struct `A start of the daemon` {
  private let directory = TemporaryDirectory()

  @Test func `knows which closed prompts can be planned again`() throws {
    var timeline = try Timeline(in: directory)
    let daily = timeline.alarm("daily")
    var hourly = timeline.alarm("hourly")
    hourly.schedule = .every(seconds: 3_600, from: timeline.at(0))
    let gone = timeline.alarm("gone")
    for alarm in [daily, hourly, gone] { try timeline.add(0, .alarmCreated(alarm)) }
    let outcomes: [(Outcome, canBePlannedAgain: Bool)] = [
      (.completed, false), (.supersededByEdit, true), (.missedDeviceOff, true),
      (.missedSuspended, true), (.missedClockInvalid, true), (.missedNoResponse, false),
      (.cancelledBeforeDue, false),
    ]
    var (closed, unheard): ([PromptID], [PromptID]) = ([], [])
    for alarm in [daily, hourly, gone] {
      for (place, (outcome, canBePlannedAgain)) in outcomes.enumerated() {
        let prompt = timeline.prompt(alarm, due: Int64(place) * 60)
        try timeline.add(1, .planned(prompt))
        try timeline.add(2, .closed(prompt.id, outcome, reason: .none, .nothing))
        if canBePlannedAgain { unheard.append(prompt.id) } else { closed.append(prompt.id) }
      }
      // A prompt that already rang cannot be planned again.
      let rang = timeline.prompt(alarm, due: 9_000)
      let ring = Ring(
        number: 1, index: 0, gainDecibels: -6, toneSHA256: nil, dueAt: rang.dueAt,
        intendedAt: rang.dueAt)
      try timeline.add(3, .planned(rang))
      try timeline.add(4, .due(rang.id, lateMilliseconds: 0))
      try timeline.add(5, .ringIntent(rang.id, ring, deadline: rang.dueAt))
      try timeline.add(6, .closed(rang.id, .missedDeviceOff, reason: .none, .nothing))
      closed.append(rang.id)
      try timeline.add(7, .planned(timeline.prompt(alarm, due: 10_000)))
    }
    try timeline.add(8, .alarmDeleted(gone.id, version: 1))
    let snapshot = try timeline.logbook.restore()
    func nominals(_ ids: [PromptID]) -> [AlarmID: Set<Int64>] {
      Dictionary(grouping: ids.filter { $0.alarm != gone.id }, by: \.alarm)
        .mapValues { Set($0.map(\.nominalKey)) }
    }
    func instants(_ ids: [PromptID]) -> [AlarmID: Set<Instant>] {
      [
        hourly.id: Set(
          ids.filter { $0.alarm == hourly.id }.map { Instant(seconds: $0.nominalKey >> 1) })
      ]
    }
    #expect(snapshot.closedNominals == nominals(closed))
    #expect(snapshot.unheardNominals == nominals(unheard))
    #expect(snapshot.closedInstants == instants(closed))
    #expect(snapshot.unheardInstants == instants(unheard))
    #expect(snapshot.openPrompts.map(\.id.alarm.text) == ["daily", "gone", "hourly"])
    #expect(snapshot.mismatches.isEmpty && !snapshot.isPatientForgotten)
  }

  @Test func `finds the last row, and whether the daemon stopped normally`() throws {
    var timeline = try Timeline(in: directory)
    #expect(try timeline.logbook.restore().lastRecord == nil)
    for (place, event) in [
      Event.serviceStopped(reason: "update"), .heartbeat, .serviceStopped(reason: "update"),
    ].enumerated() {
      try timeline.add(Int64(place), event, clock: .unsynced, errorMilliseconds: 7)
      let last = try #require(try timeline.logbook.restore().lastRecord)
      #expect(last.isServiceStop == (place != 1))
      #expect(
        last.reading
          == ClockReading(
            wall: timeline.at(Int64(place)),
            bootNanoseconds: timeline.at(Int64(place)).milliseconds * 1_000_000, bootID: "boot",
            clockState: .unsynced, clockErrorMilliseconds: 7))
    }
  }

  @Test func `finds the open prompts whose next step or row is wrong`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    let prompts = (0..<6).map { timeline.prompt(alarm, due: Int64($0) * 60) }
    for prompt in prompts { try timeline.add(1, .planned(prompt)) }
    try timeline.logbook.pool.write { db in
      try db.execute(
        sql: "UPDATE prompts SET next_step_ms = next_step_ms + 1 WHERE prompt_id = ?",
        arguments: [prompts[1].id.description])
      try db.execute(
        sql: "UPDATE prompts SET next_step_ms = NULL WHERE prompt_id = ?",
        arguments: [prompts[2].id.description])
      for prompt in [prompts[5], prompts[3]] {
        try db.execute(
          sql: "DELETE FROM prompts WHERE prompt_id = ?", arguments: [prompt.id.description])
      }
    }
    let snapshot = try timeline.logbook.restore()
    #expect(snapshot.openPrompts.map(\.id) == [0, 1, 2, 4].map { prompts[$0].id })
    #expect(snapshot.mismatches.map(\.prompt.id) == [1, 2, 3, 5].map { prompts[$0].id })
    #expect(
      snapshot.mismatches.map(\.defect)
        == [.stepNotStored, .stepNotStored, .promptNotStored, .promptNotStored])
  }

  @Test func `has the words, the picture and the kind of each listed prompt`() throws {
    var timeline = try Timeline(in: directory)
    var alarm = timeline.alarm("pills")
    (alarm.instructions, alarm.image) = ("with water", "ab")
    var prompt = timeline.prompt(alarm, due: 0)
    prompt.alarmVersion = 2
    let first = try timeline.add(0, .alarmCreated(alarm))
    (alarm.version, alarm.label, alarm.isAnnouncement) = (2, "Lunch", true)
    let second = try timeline.add(1, .alarmEdited(alarm))
    try timeline.add(2, .planned(prompt))
    let stored = try #require(timeline.replay.prompts[prompt.id])
    func row(_ label: String, _ instructions: String, _ image: String?) -> PromptRow {
      PromptRow(
        prompt: stored, label: label, instructions: instructions, person: PersonID("anna"),
        image: image, isAnnouncement: true)
    }
    #expect(try timeline.logbook.prompt(prompt.id) == row("Lunch", "with water", "ab"))
    try timeline.eraseWords(of: first)
    #expect(try timeline.logbook.prompt(prompt.id) == row("Lunch", "with water", "ab"))
    try timeline.eraseWords(of: second)
    #expect(try timeline.logbook.prompt(prompt.id) == row("", "", nil))
    #expect(try timeline.logbook.code(of: PersonID("bob")) == nil)
    let code = try #require(try timeline.logbook.code(of: PersonID("anna")))
    #expect(try timeline.logbook.events(after: 0, limit: 1).map(\.person) == [code])
    try timeline.add(3, .rekeyed)
    let new = try #require(try timeline.logbook.code(of: PersonID("anna")))
    #expect(new != code && new.hasPrefix("P-") && new.utf8.count == 10)
    #expect(try timeline.logbook.listedEvents(after: 0, limit: 1).map(\.person) == [new])
    try timeline.logbook.reading("read the people") { db in
      let people = try People(db)
      #expect(people.name(code) == "anna" && people.name("P-00000000") == nil)
      #expect(people.person(code) == PersonID("anna"))
      #expect(people.person("P-00000000") == PersonID("P-00000000"))
      #expect(people.pseudonym(PersonID("anna")) == code)
      #expect(people.pseudonym(PersonID("bob")) == "bob")
    }
  }

  @Test func `counts a gap that is longer than the elapsed time as no monitored time`() {
    func reading(_ at: Int64) -> ClockReading {
      ClockReading(
        wall: Instant(milliseconds: at), bootNanoseconds: at * 1_000_000, bootID: "a",
        clockState: .synced)
    }
    var watch = MonitoredTime()
    watch.begin(at: reading(1_000))
    watch.add(.heartbeat, at: reading(1_010))
    watch.add(
      .gap(from: Instant(milliseconds: 0), to: Instant(milliseconds: 15), cause: .crash),
      at: reading(1_010))
    #expect(watch.elapsedMilliseconds == 10 && watch.gapMilliseconds == 15)
    #expect(watch.monitoredMilliseconds == 0)
    var other = MonitoredTime()
    #expect(other != watch)
    other.add(.heartbeat, at: reading(5))
    #expect(other == MonitoredTime() && other.hashValue == MonitoredTime().hashValue)
    #expect(Set([watch, other, MonitoredTime()]).count == 2)
    #expect(watch.hashValue != other.hashValue)
  }

  @Test func `reads a row back as it was written, and refuses a wrong prompt id`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    try timeline.add(1, .planned(timeline.prompt(alarm, due: 0)))
    var row = try #require(try timeline.logbook.events(after: 1, limit: 1).first)
    #expect(row.computedHash() == row.hash)
    row.payload = "["
    #expect(row.json["payload"] == .string("["))
    row.promptID = "no id"
    let error = #expect(throws: EventCodingError.self) { try row.storedEvent(content: nil) }
    #expect(
      error?.description == "cannot read a stored \"planned\": \"no id\" is not the id of a prompt")
  }
}
