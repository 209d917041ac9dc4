import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests a day with three prompts, and the values that the export contains for these prompts.
@Suite struct `A day in the export` {
  private let directory = TemporaryDirectory()
  /// The instant 2026-11-30T08:00:00 in Berlin.
  private let eight = Instant(milliseconds: 1_796_022_000_000)

  private func prompt(_ alarm: Alarm, minute: Int64) -> Prompt {
    let due = eight.adding(seconds: minute * 60)
    return Prompt(
      id: PromptID(
        alarm: alarm.id, nominal: CivilDateTime(localSeconds: due.seconds + 3600), fold: 0),
      alarmVersion: 1, dueAt: due, zoneName: "Europe/Berlin", utcOffsetSeconds: 3600)
  }

  private func ring(_ number: Int, at milliseconds: Int64) -> Ring {
    Ring(
      number: number, index: number - 1, gainDecibels: -12, toneSHA256: nil,
      dueAt: eight.adding(milliseconds: milliseconds),
      intendedAt: eight.adding(milliseconds: milliseconds))
  }

  /// Returns the events of the day. The number is the time of an event in milliseconds after 08:00.
  /// The role is the role that caused the event.
  private func recordedHistory() throws -> [(Int64, Event, Role)] {
    var history = History(seed: 1)
    let alarm = try history.alarm()
    let (pills, walk, tea) = (
      prompt(alarm, minute: 0), prompt(alarm, minute: 10), prompt(alarm, minute: 20)
    )
    let later = eight.adding(seconds: 3600)
    var merged = ring(1, at: 600_001)
    merged.leadingPrompt = pills.id
    return [
      (-60_000, .alarmCreated(alarm), .caretaker), (-60_000, .planned(pills), .caretaker),
      (-60_000, .planned(walk), .caretaker), (-60_000, .planned(tea), .caretaker),
      // The prompt of "Pills" rings twice, is delayed once, and is completed during the third ring.
      (4, .due(pills.id, lateMilliseconds: 4), .system),
      (5, .ringIntent(pills.id, ring(1, at: 5), deadline: later), .system),
      (65, .ringStarted(pills.id, number: 1, device: "hw:0"), .system),
      (
        9_065,
        .ringEnded(pills.id, number: 1, device: "hw:0", frames: 432_000, xruns: 0, stopped: false),
        .system
      ),
      (340, .presented(pills.id), .patient), (12_000, .presented(pills.id), .patient),
      (60_005, .ringIntent(pills.id, ring(2, at: 60_005), deadline: later), .system),
      (60_050, .ringFailed(pills.id, number: 2, reason: "busy"), .system),
      (90_065, .delayed(pills.id, until: later, .nothing), .patient),
      (390_065, .ringIntent(pills.id, ring(3, at: 390_065), deadline: later), .system),
      (390_165, .ringStarted(pills.id, number: 3, device: "hw:0"), .system),
      (
        392_000,
        .closed(
          pills.id, .completed, reason: .none, Stopped(pending: 4, sounding: true, sounded: 2)),
        .patient
      ),
      (
        392_100,
        .ringEnded(pills.id, number: 3, device: "hw:0", frames: 91_200, xruns: 1, stopped: true),
        .system
      ),
      // The prompt of "Walk" does not sound, because the home has no sound device.
      (600_000, .due(walk.id, lateMilliseconds: 0), .system),
      (600_001, .ringIntent(walk.id, merged, deadline: later), .system),
      (600_010, .ringFailed(walk.id, number: 1, reason: "no device"), .system),
      (700_000, .closed(walk.id, .missedAudioFailed, reason: .none, .nothing), .system),
      // The prompt of "Tea" is still planned when the export is made.
    ]
  }

  private func tables() throws -> (prompts: [[String: String]], rings: [[String: String]]) {
    let logbook = try Logbook.open(directory)
    var replay = Replay()
    let records = try recordedHistory().map { milliseconds, event, role in
      let reading = ClockReading(
        wall: eight.adding(milliseconds: milliseconds),
        bootNanoseconds: (milliseconds + 1_000_000) * 1_000_000, bootID: "b",
        clockState: milliseconds == 60_005 ? .unsynced : .synced)
      replay.apply(event, at: reading)
      let source = milliseconds == 90_065 ? "button" : "socket"
      return Alarms.Record(
        event: event, actor: Actor(role: role, id: "x", source: source), reading: reading,
        person: .patient, alarmVersion: 1, zoneName: "Europe/Berlin", utcOffsetSeconds: 3600,
        tzdataVersion: "2026c")
    }
    var changes = StateDelta()
    (changes.alarms, changes.prompts) = (replay.alarms, replay.prompts)
    try logbook.record(records, changes)
    #expect(try logbook.verify().isOK)
    _ = try logbook.writeExport(to: directory.path + "/out", profile: .safeHarbor)
    return (
      Table(directory.path + "/out/prompts.csv").rows, Table(directory.path + "/out/rings.csv").rows
    )
  }

  @Test func `each prompt row has its plan, delivery, answer and outcome`() throws {
    let prompts = try tables().prompts.sorted {
      $0["rings_intended"] ?? "" > $1["rings_intended"] ?? ""
    }
    let expected: [[String: String]] = [
      [
        "scheduled_day": "1", "scheduled_time": "08:00:00", "due_time": "08:00:00",
        "late_ms": "4", "rings_intended": "3", "rings_sounded": "2", "rings_failed": "1",
        "rings_uncertain": "0", "is_delivered": "true", "first_ring_time": "08:00:00",
        "first_ring_latency_ms": "65", "presented_ms": "340", "first_answer": "delayed",
        "first_answer_role": "patient", "first_answer_source": "button",
        "answered_time": "08:00:00", "answer_latency_ms": "91000",
        "answer_after_ring_ms": "90000", "rings_to_answer": "1", "delays": "1",
        "state": "closed", "outcome": "completed", "reason": "none", "closed_time": "08:00:00",
        "closed_role": "patient", "clock_state": "unsynced", "boots": "1", "plans": "1",
      ],
      [
        "scheduled_time": "08:00:00", "rings_intended": "1", "rings_sounded": "0",
        "rings_failed": "1", "is_delivered": "false", "first_ring_day": "", "first_ring_time": "",
        "first_ring_latency_ms": "", "presented_ms": "", "first_answer": "",
        "first_answer_source": "", "answered_time": "",
        "answer_latency_ms": "", "rings_to_answer": "", "outcome": "missed_audio_failed",
        "closed_role": "system", "clock_state": "synced",
      ],
      [
        "scheduled_time": "08:15:00", "late_ms": "", "rings_intended": "0",
        "is_delivered": "false", "state": "open", "outcome": "", "reason": "", "closed_day": "",
        "closed_role": "",
      ],
    ]
    #expect(prompts.count == expected.count)
    for (row, wanted) in zip(prompts, expected) {
      for (column, value) in wanted { #expect(row[column] == value, "\(column)") }
    }
  }

  @Test func `each ring row says whether it sounded and how long`() throws {
    let rings = try tables().rings
    let columns = [
      "ring_no", "burst_index", "gain_db", "start_latency_ms", "frames", "xruns", "is_stopped",
      "result",
    ]
    #expect(
      rings.map { row in columns.map { row[$0]! } } == [
        ["1", "0", "-12.0", "60", "440000", "0", "false", "sounded"],
        ["2", "1", "-12.0", "", "", "", "", "failed"],
        ["3", "2", "-12.0", "100", "92000", "1", "true", "sounded"],
        ["1", "0", "-12.0", "", "", "", "", "failed"],
      ])
  }

  @Test func `each row of a merged ring names the leading prompt by its opaque id`() throws {
    let (prompts, rings) = try tables()
    let pills = prompts.first { $0["scheduled_time"] == "08:00:00" }?["prompt_id"]
    #expect(pills?.isEmpty == false)
    #expect(rings.map { $0["leading_prompt_id"] } == ["", "", "", pills])
  }
}
