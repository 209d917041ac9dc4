import Alarms
import CivilTime
import GRDB
import JSONValue
import Testing

@testable import Logbook

/// Tests which rows a purge keeps. For each age limit of `PurgeRule`, one event is exactly as old
/// as the limit, and one event is one millisecond older.
@Suite struct `The rule of a purge` {
  private let directory = TemporaryDirectory()
  private static let anna = PersonID("anna")
  private static let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
  /// The time of the newest row. All events of a test are earlier.
  private static let newest: Int64 = 30 * day

  /// Records two heartbeats: the last row of the purge, and the newest row of the record.
  ///
  /// - Returns: the sequence numbers of the rows that the purge keeps. The last row of the purge is
  ///   left out, because each purge keeps it.
  private func kept(_ timeline: inout Timeline) throws -> [Int64] {
    let through = try timeline.add(Self.newest - 1, .heartbeat)
    return try kept(&timeline, through: through).filter { $0 != through }
  }

  private func kept(_ timeline: inout Timeline, through: Int64) throws -> [Int64] {
    try timeline.add(Self.newest, .heartbeat)
    return try timeline.logbook.reading("read the kept rows") { db in
      try Int64.fetchAll(db, sql: PurgeRule(through: through).keptRows)
    }
  }

  /// Records each event twice. The first event is one millisecond older than the age limit. The
  /// second event is exactly as old as the limit.
  ///
  /// - Returns: the sequence numbers of the events that are exactly as old as the limit.
  private func addTwice(_ events: [Event], limit: Int64, _ timeline: inout Timeline) throws
    -> [Int64]
  {
    for event in events { try timeline.add(Self.newest - limit - 1, event) }
    return try events.map { try timeline.add(Self.newest - limit, $0) }
  }

  @Test func `notices and calls are kept for eleven days`() throws {
    var timeline = try Timeline(in: directory)
    let notice = Notice(number: 1, kind: .test, contact: "bob")
    let changes: [NoticeChange] = [
      .due(NoticeMessage(text: "a test"), expiresAt: timeline.at(0)), .sent(attempt: 1),
      .failed(attempt: 1, isLast: true, reason: "no network"), .dropped(.expired),
    ]
    let calls: [CallChange] = [
      .asked(reply: AlarmID("reply")), .repeated, .told(contact: "bob"), .failed(.notReached),
    ]
    let events =
      changes.map { Event.notice(notice, $0) }
      + calls.map { Event.call(Self.anna, number: 1, $0) }
    let expected = try addTwice(events, limit: 11 * Self.day, &timeline)
    #expect(try kept(&timeline) == expected)
  }

  @Test func `rings and clock steps are kept for two hours`() throws {
    var timeline = try Timeline(in: directory)
    // The record contains no `planned` event for the prompt. Therefore, no other part of the rule
    // keeps the events of the prompt.
    let prompt = timeline.prompt(timeline.alarm("pills"), due: 0)
    let ring = Ring(
      number: 1, index: 0, gainDecibels: -6, toneSHA256: nil, dueAt: prompt.dueAt,
      intendedAt: prompt.dueAt)
    let expected = try addTwice(
      [
        .ringIntent(prompt.id, ring, deadline: prompt.dueAt),
        .ringStarted(prompt.id, number: 1, device: "card"), .clockStep(milliseconds: 0),
      ], limit: 2 * Self.hour, &timeline)
    // A purge does not keep other events about a ring. This is also true for events that are newer
    // than the age limit.
    try timeline.add(
      Self.newest - 2,
      .ringEnded(prompt.id, number: 1, device: "card", frames: 1, xruns: 0, stopped: false))
    try timeline.add(Self.newest - 2, .ringFailed(prompt.id, number: 1, reason: "busy"))
    #expect(try kept(&timeline) == expected)
  }

  @Test func `prompts are kept while they are open, new, notified of, or can be undone`() throws {
    var timeline = try Timeline(in: directory)
    let (living, deleted) = (timeline.alarm("living"), timeline.alarm("deleted"))
    var keptAlarms: [Int64] = []
    for alarm in [living, deleted] { keptAlarms.append(try timeline.add(0, .alarmCreated(alarm))) }
    keptAlarms.append(try timeline.add(0, .alarmDeleted(deleted.id, version: 1)))

    /// Records a prompt. `closed` is the time at which the prompt is closed; nil for an open
    /// prompt.
    var count: Int64 = 0
    func add(
      _ alarm: Alarm, due: Int64, closed: Int64?,
      then event: (PromptID) -> (Int64, Event)? = { _ in nil }
    ) throws -> [Int64] {
      count += 1
      var prompt = timeline.prompt(alarm, due: count)
      prompt.dueAt = timeline.at(due)
      var rows = [try timeline.add(0, .planned(prompt))]
      if let closed {
        rows.append(
          try timeline.add(closed, .closed(prompt.id, .missedNoResponse, reason: .none, .nothing)))
      }
      if let (at, event) = event(prompt.id) { rows.append(try timeline.add(at, event)) }
      return rows
    }
    let undo = Self.newest - 60_000
    let twoDays = Self.newest - 1 - 2 * Self.day
    let early = Self.newest - 20 * Self.day
    let hour = Self.newest - Self.hour
    func notified(_ at: Int64) -> (PromptID) -> (Int64, Event)? {
      { (at, .escalated($0, position: 0, contact: "bob", reason: .noAnswer)) }
    }
    var expected = keptAlarms
    // One open prompt belongs to an alarm that still exists. The other open prompt belongs to a
    // deleted alarm. A purge keeps the prompts of both alarms.
    expected += try add(living, due: early, closed: nil)
    expected += try add(deleted, due: early + 1_000, closed: nil)
    // A person can undo an answer for one minute. A purge keeps the prompt for the same time.
    _ = try add(living, due: early + 2_000, closed: undo - 1)
    expected += try add(living, due: early + 3_000, closed: undo)
    // The local time of a prompt can occur a second time within two days. A purge keeps the prompt
    // for two days, but only if its alarm still exists.
    _ = try add(living, due: twoDays - 1, closed: early)
    expected += try add(living, due: twoDays, closed: early)
    _ = try add(deleted, due: twoDays, closed: early)
    // A notification can be in progress for one hour. A purge keeps the prompt for the same time.
    _ = try add(living, due: early + 4_000, closed: early, then: notified(hour - 1))
    expected += try add(living, due: early + 5_000, closed: early, then: notified(hour))
    // This prompt has an event after the last row of the purge. A purge keeps all rows of such a
    // prompt.
    var later = timeline.prompt(living, due: 99)
    later.dueAt = timeline.at(early + 6_000)
    expected.append(try timeline.add(0, .planned(later)))
    expected.append(
      try timeline.add(early, .closed(later.id, .missedNoResponse, reason: .none, .nothing)))
    let through = try timeline.add(Self.newest - 1, .heartbeat)
    try timeline.add(
      Self.newest - 1, .notified(later.id, position: 0, contact: "bob", attempt: 1))
    #expect(try kept(&timeline, through: through) == expected + [through])
  }

  @Test func `an alarm that was deleted before the purge stays only with a prompt`() throws {
    var timeline = try Timeline(in: directory)
    let (empty, used, later) = (
      timeline.alarm("empty"), timeline.alarm("used"), timeline.alarm("later")
    )
    try timeline.add(0, .alarmCreated(empty))
    try timeline.add(0, .alarmDeleted(empty.id, version: 1))
    var expected = [try timeline.add(0, .alarmCreated(used))]
    expected.append(try timeline.add(1, .planned(timeline.prompt(used, due: 0))))
    expected.append(try timeline.add(2, .alarmDeleted(used.id, version: 1)))
    expected.append(try timeline.add(3, .alarmCreated(later)))
    let through = try timeline.add(4, .heartbeat)
    var edited = later
    edited.version = 2
    try timeline.add(5, .alarmEdited(edited))
    try timeline.add(6, .alarmDeleted(later.id, version: 2))
    #expect(try kept(&timeline, through: through) == expected + [through])
  }

  @Test func `only the newest reward of a person, calibrated volumes and living pictures stay`()
    throws
  {
    var timeline = try Timeline(in: directory)
    let bob = PersonID("bob")
    func reward(_ person: PersonID, _ day: Int) -> Event {
      .rewarded(person, CivilDate(dayNumber: day), isHeard: true, hasPicture: false)
    }
    func picture(_ digit: String) -> Picture {
      Picture(
        sha256: String(repeating: digit, count: 64), mediaType: "image/png", width: 1, height: 1,
        bytes: 10)
    }
    try timeline.add(1, reward(Self.anna, 1))
    var expected = [try timeline.add(2, reward(bob, 1)), try timeline.add(3, reward(Self.anna, 2))]
    expected.append(
      try timeline.add(4, .volumeChanged(device: "card", .calibrated(percent: 70))))
    expected.append(
      try timeline.add(5, .volumeChanged(device: "card", .calibrated(percent: nil))))
    try timeline.add(
      5,
      .volumeChanged(
        device: "card", .found(percent: 5, muted: true, formerPercent: 70, formerMuted: false)))
    expected.append(try timeline.add(6, .imageAdded(picture("a"))))
    let shown = timeline.prompt(timeline.alarm("pills"), due: 0).id
    expected.append(try timeline.add(6, .photographed(shown, sha256: picture("a").sha256)))
    expected.append(try timeline.add(7, .imageAdded(picture("b"))))
    try timeline.eraseWords(of: try #require(expected.last))
    try timeline.add(7, .imageAdded(picture("c")))
    try timeline.add(7, .imageRemoved(picture("c")))
    try timeline.logbook.pool.write { db in
      try db.execute(
        sql: "DELETE FROM images WHERE sha256 = ?", arguments: [picture("c").sha256])
    }
    for event: Event in [
      .heartbeat, .audioLost(reason: "no card"),
      .denied(uid: 1, count: 1, method: "GET", path: "/"),
      .testRing(nil), .serviceStarted(version: "1"), .tzChanged(from: "UTC", to: "Europe/Berlin"),
      .gap(from: timeline.at(0), to: timeline.at(1), cause: .crash),
    ] { try timeline.add(8, event) }
    #expect(try kept(&timeline) == expected)
  }

  @Test func `clock steps are kept since the second last inactivity of each person`() throws {
    var timeline = try Timeline(in: directory)
    let rule = InactivityRule(hours: 6, notifySteps: [NotifyStep(contact: "bob", afterSeconds: 0)])
    var expected = [
      try timeline.add(0, .personAdded(Person(id: Self.anna, version: 1, inactivity: rule)))
    ]
    for at: Int64 in [10, 20, 30] {
      try timeline.add(at - 5, .clockStep(milliseconds: 0))
      expected.append(try timeline.add(at, .inactivity(Self.anna, .begun)))
      if at > 10 { expected.append(try timeline.add(at + 1, .clockStep(milliseconds: 0))) }
      expected.append(try timeline.add(at + 2, .inactivity(Self.anna, .ended(answered: nil))))
    }
    let steps = try timeline.logbook.events(after: 0, limit: 100).filter { $0.type == "clock_step" }
    #expect(steps.count == 5)
    expected.append(steps[3].sequence)
    #expect(try kept(&timeline) == expected.sorted())
  }

  @Test func `the file of a purge begins with its ends, and each row has its columns in order`()
    throws
  {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .heartbeat)
    try timeline.add(1, .audioLost(reason: "no card"))
    try timeline.add(2, .heartbeat)
    try timeline.add(3, .heartbeat)
    let rows = try timeline.logbook.events(after: 0, limit: 9)
    let archive = try timeline.logbook.rowArchive(through: 3)
    #expect(archive.rows == 3)
    let zeros = String(repeating: "0", count: 64)
    let head = try #require(try archive.next())
    #expect(
      String(decoding: head, as: UTF8.self)
        == #"{"format":"prompter-archive","version":1,"after_seq":0,"after_hash":"\#(zeros)","#
        + #""through_seq":3,"through_hash":"\#(rows[2].hash)"}"# + "\n")
    let page = try #require(try archive.next())
    #expect(try archive.next() == nil)
    let lines = try String(decoding: page, as: UTF8.self).split(separator: "\n").map {
      try JSON(parsing: Array($0.utf8))
    }
    func names(_ line: JSON) -> [String] {
      guard case .members(let members) = line else { return [] }
      return members.map(\.name)
    }
    #expect(
      lines.map(names) == [
        EventRow.columnNames, EventRow.columnNames + ["salt", "body"], EventRow.columnNames,
      ])
    #expect(lines.map { $0["seq"]?.integer } == [1, 2, 3])
    #expect(lines.map { $0["type"]?.string } == ["heartbeat", "audio_lost", "heartbeat"])
    #expect(lines.map { $0["hash"]?.string } == rows.prefix(3).map(\.hash))
    #expect(lines[1]["body"]?.string?.contains("no card") == true)
    #expect(lines[1]["salt"]?.string?.count == 32)
    for through: Int64 in [0, 5] {
      #expect(throws: LogbookError.notFound("row \(through), or it was purged")) {
        try timeline.logbook.rowArchive(through: through)
      }
    }
  }
}
