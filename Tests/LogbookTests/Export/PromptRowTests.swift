import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests every column in the rows of a prompt, of its rings and of its responses.
@Suite struct `A prompt in the export` {
  private let directory = TemporaryDirectory()

  /// Records a prompt with four rings, and returns the record. The prompt is due one minute after
  /// the start.
  private func timeline() throws -> Timeline {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let due = timeline.at(60_000)
    let nominal = CivilDateTime(localSeconds: due.seconds + 3_600)
    var prompt = Prompt(
      id: PromptID(alarm: alarm.id, nominal: nominal, fold: 1), alarmVersion: 1, dueAt: due,
      zoneName: "Europe/Berlin", utcOffsetSeconds: 3_600)
    prompt.alsoNominal = [CivilDateTime(localSeconds: nominal.localSeconds + 900)]
    let id = prompt.id
    func ring(_ number: Int, _ index: Int, _ at: Int64) -> Event {
      let at = timeline.at(at)
      return .ringIntent(
        id,
        Ring(
          number: number, index: index, step: 1, gainDecibels: -6.5, toneSHA256: "ab",
          dueAt: at, intendedAt: at), deadline: at.adding(seconds: 60))
    }
    let (patient, system) = (Timeline.patient, Actor.daemon("engine"))
    let events: [(Int64, Event, Actor)] = [
      (0, .alarmCreated(alarm), Timeline.caretaker), (1, .planned(prompt), system),
      (60_004, .due(id, lateMilliseconds: 4), system), (60_005, ring(1, 0, 60_005), system),
      (60_065, .ringStarted(id, number: 1, device: "card"), system),
      (60_340, .presented(id), patient), (61_000, .presented(id), patient),
      (
        62_000,
        .ringEnded(id, number: 1, device: "card", frames: 480, xruns: 2, stopped: false), system
      ),
      (70_000, .escalated(id, position: 0, contact: "bob", reason: .noAnswer), system),
      (
        70_100,
        .notificationFailed(
          id, position: 0, contact: "bob", attempt: 1, isLast: true, reason: "no"), system
      ),
      (70_200, .escalated(id, position: 1, contact: "carl", reason: .noAnswer), system),
      (70_300, .notified(id, position: 1, contact: "carl", attempt: 1), system),
      (80_000, .delayed(id, until: timeline.at(90_000), .nothing), patient),
      (90_000, ring(2, 1, 90_000), system),
      (90_100, .ringUncertain(id, number: 2, reason: "crash"), system),
      (95_000, ring(3, 2, 95_000), system),
      (95_100, .ringFailed(id, number: 3, reason: "busy"), system),
      (98_000, ring(4, 3, 98_000), system),
      (98_100, .ringStarted(id, number: 4, device: "card"), system),
    ]
    for (at, event, actor) in events { try timeline.add(at, event, by: actor) }
    try timeline.add(
      100_000,
      .closed(id, .completed, reason: .none, Stopped(pending: 1, sounding: true, sounded: 2)),
      clock: .unsynced, errorMilliseconds: 9)
    return timeline
  }

  private func rows(_ timeline: Timeline, _ name: String) throws -> [[String: String]] {
    let path = "\(directory.path)/\(name)"
    _ = try timeline.logbook.writeExport(to: path, profile: .identified)
    return Table("\(path)/\(name).csv").rows
  }

  @Test func `has every value of its events in its row`() throws {
    let timeline = try timeline()
    let row = try #require(try rows(timeline, "prompts").first)
    let code = try #require(try timeline.logbook.code(of: PersonID("anna")))
    let expected = [
      "prompt_id": "pills@2027-01-15T09:01:00~2", "study_id": "", "person": code,
      "person_name": "anna", "phase": "", "alarm_id": "pills", "alarm_version": "1",
      "label": "Pills", "is_announcement": "false", "scheduled_local": "2027-01-15T09:01:00",
      "also_scheduled": "2027-01-15T09:16:00", "fold": "1", "tz_name": "Europe/Berlin",
      "utc_offset_s": "3600", "due_utc": "2027-01-15T08:01:00.000Z",
      "due_local": "2027-01-15T09:01:00.000", "plans": "1", "late_ms": "4",
      "rings_intended": "4", "rings_sounded": "2", "rings_failed": "1", "rings_uncertain": "1",
      "is_delivered": "true", "first_ring_utc": "2027-01-15T08:01:00.065Z",
      "first_ring_local": "2027-01-15T08:01:00.065", "first_ring_latency_ms": "65",
      "presented_ms": "340", "first_answer": "delayed", "first_answer_role": "patient",
      "first_answer_source": "screen", "answered_utc": "2027-01-15T08:01:20.000Z",
      "answered_local": "2027-01-15T08:01:20.000", "answer_latency_ms": "20000",
      "answer_after_ring_ms": "19935", "completion_latency_ms": "40000", "rings_to_answer": "1",
      "contacts_notified": "2", "contacts_reached": "1", "delays": "1", "state": "closed",
      "outcome": "completed", "reason": "none", "closed_utc": "2027-01-15T08:01:40.000Z",
      "closed_local": "2027-01-15T09:01:40.000", "closed_role": "caretaker",
      "clock_state": "unsynced", "clock_error_ms": "9", "boots": "1", "corrections": "0",
    ]
    #expect(Set(row.keys) == Set(expected.keys))
    for (column, value) in expected { #expect(row[column] == value, "\(column)") }
  }

  @Test func `has a row for each ring`() throws {
    let rings = try rows(try timeline(), "rings")
    let columns = [
      "ring_no", "step", "burst_index", "has_alert", "gain_db", "tone_sha256", "intended_utc",
      "started_utc", "start_latency_ms", "ended_utc", "frames", "xruns", "is_stopped", "result",
      "leading_prompt_id",
    ]
    func time(_ second: String) -> String { "2027-01-15T08:01:\(second)Z" }
    #expect(
      rings.map { row in columns.map { row[$0] ?? "?" }.joined(separator: " ") } == [
        "1 1 0 true -6.5 ab \(time("00.005")) \(time("00.065")) 60 \(time("02.000")) 480 2 false "
          + "sounded ",
        "2 1 1 true -6.5 ab \(time("30.000"))       uncertain ",
        "3 1 2 true -6.5 ab \(time("35.000"))       failed ",
        "4 1 3 true -6.5 ab \(time("38.000")) \(time("38.100")) 100     open ",
      ])
    #expect(
      rings.map { $0["prompt_id"] } == Array(repeating: "pills@2027-01-15T09:01:00~2", count: 4))
  }

  @Test func `has a row for each response, with the value in the column of its kind`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 0)
    try timeline.add(0, .alarmCreated(alarm))
    try timeline.add(1, .planned(prompt))
    let values: [(Response.Value, String?)] = [
      (.flag(true), nil), (.flag(false), nil), (.mood(.good), nil), (.mood(.bad), nil),
      (.choices([]), nil), (.choices(["tea", "milk"]), nil), (.number(-1.5), "kg"),
      (.text("so so"), nil),
    ]
    for (place, (value, unit)) in values.enumerated() {
      let response = Response(question: "q\(place)", number: place + 1, value: value, unit: unit)
      try timeline.add(
        Int64(place) + 2, .response(prompt.id, response), by: Timeline.patient, phase: .control)
    }
    let code = try #require(try timeline.logbook.code(of: PersonID("anna")))
    let columns = [
      "seq", "prompt_id", "person", "phase", "question", "number", "value_number", "value_word",
      "unit", "words", "answered_utc", "role",
    ]
    func row(_ place: Int, _ value: String) -> String {
      "\(place + 3) pills@2027-01-15T08:00:00 \(code) control q\(place) \(place + 1) \(value) "
        + "2027-01-15T08:00:00.00\(place + 2)Z patient"
    }
    let found = try rows(timeline, "responses").map { row in
      columns.map { row[$0] ?? "?" }.joined(separator: " ")
    }
    #expect(
      found == [
        row(0, "1.0 yes  "), row(1, "0.0 no  "), row(2, "2.0 good  "), row(3, "0.0 bad  "),
        row(4, "   "), row(5, " tea|milk  "), row(6, "-1.5  kg "), row(7, "   so so"),
      ])
  }
}
