import Alarms
import CivilTime
import GRDB
import JSONValue
import Testing

@testable import Logbook

/// Tests the exact state that a daemon restores, and the rows that leave the device.
@Suite struct `A state from the record` {
  private let directory = TemporaryDirectory()
  private static let anna = PersonID("anna")

  private func ring(_ number: Int, at instant: Instant, isRepetition: Bool = false) -> Ring {
    Ring(
      number: number, index: number - 1, gainDecibels: -6, toneSHA256: nil,
      isRepetition: isRepetition, dueAt: instant, intendedAt: instant)
  }

  @Test func `recent rings have the time of their start, moved by later clock steps`() throws {
    var timeline = try Timeline(in: directory)
    let (pills, walk) = (timeline.alarm("pills"), timeline.alarm("walk", of: "bob"))
    var lunch = timeline.alarm("lunch")
    lunch.isAnnouncement = true
    for alarm in [pills, walk, lunch] { try timeline.add(0, .alarmCreated(alarm)) }
    func sound(
      _ alarm: Alarm, _ number: Int, at: Int64, isRepetition: Bool = false, starts: Bool = true
    ) throws {
      let prompt = timeline.prompt(alarm, due: 0)
      let ring = ring(number, at: timeline.at(at), isRepetition: isRepetition)
      try timeline.add(at, .ringIntent(prompt.id, ring, deadline: timeline.at(at + 45_000)))
      if starts {
        try timeline.add(at + 7, .ringStarted(prompt.id, number: number, device: "card"))
      }
    }
    try sound(pills, 1, at: 1_000)
    try sound(walk, 1, at: 2_000)
    try timeline.add(3_000, .clockStep(milliseconds: 500))
    try sound(pills, 2, at: 4_000, isRepetition: true)
    try sound(pills, 3, at: 5_000, isRepetition: true, starts: false)
    try timeline.add(6_000, .clockStep(milliseconds: -2_000))
    try sound(lunch, 1, at: 7_000)
    var expected = RecentRings()
    func add(_ at: Int64, _ person: String, isRepetition: Bool = false, isTask: Bool = true) {
      expected.add(
        RecentRing(at: timeline.at(at), isRepetition: isRepetition, isTask: isTask),
        of: PersonID(person))
    }
    add(1_007 - 1_500, "anna")
    add(2_007 - 1_500, "bob")
    add(4_007 - 2_000, "anna", isRepetition: true)
    add(7_007, "anna", isTask: false)
    #expect(try timeline.logbook.restore().recentRings == expected)
  }

  @Test func `answers can be undone for a minute after the newest row`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    var prompts: [PromptID] = []
    for (place, closed) in [0, 1, 2].enumerated() {
      let prompt = timeline.prompt(alarm, due: Int64(place))
      prompts.append(prompt.id)
      try timeline.add(0, .planned(prompt))
      try timeline.add(0, .due(prompt.id, lateMilliseconds: 0))
      try timeline.add(Int64(closed), .closed(prompt.id, .completed, reason: .none, .nothing))
    }
    try timeline.add(60_001, .heartbeat)
    #expect(try timeline.logbook.restore().answeredPrompts.map(\.id) == Array(prompts[1...]))
  }

  @Test func `each version of an alarm has its author and its time`() throws {
    var timeline = try Timeline(in: directory)
    var alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm), by: Timeline.caretaker)
    let first = alarm
    (alarm.version, alarm.label) = (2, "Morning pills")
    try timeline.add(5, .alarmEdited(alarm), by: Timeline.patient)
    try timeline.add(6, .alarmCreated(timeline.alarm("walk")))
    #expect(
      try timeline.logbook.alarmHistory(alarm.id) == [
        .init(alarm: first, actor: Timeline.caretaker, at: timeline.at(0)),
        .init(alarm: alarm, actor: Timeline.patient, at: timeline.at(5)),
      ])
    #expect(try timeline.logbook.alarmHistory(AlarmID("nobody")) == [])
  }

  @Test func `an erasure finds the pictures of an alarm and of a person`() throws {
    var timeline = try Timeline(in: directory)
    func digest(_ digit: String) -> String { String(repeating: digit, count: 64) }
    func picture(_ digit: String) -> Event {
      .imageAdded(
        Picture(
          sha256: digest(digit), mediaType: "image/png", width: 1, height: 1, bytes: 10))
    }
    for digit in ["a", "b", "c", "d", "e", "f"] { try timeline.add(0, picture(digit)) }
    var pills = timeline.alarm("pills")
    pills.image = digest("a")
    var walk = timeline.alarm("walk", of: "bob")
    walk.image = digest("b")
    try timeline.add(
      1, .personAdded(Person(id: Self.anna, version: 1, rewardImage: digest("c"))))
    try timeline.add(2, .personAdded(Person(id: PersonID("bob"), version: 1)))
    try timeline.add(3, .alarmCreated(pills))
    (pills.version, pills.image) = (2, digest("d"))
    try timeline.add(4, .alarmEdited(pills))
    try timeline.add(5, .alarmCreated(walk))
    let prompt = timeline.prompt(pills, due: 0)
    try timeline.add(6, .planned(prompt))
    try timeline.add(7, .photographed(prompt.id, sha256: digest("e")))
    func found(_ erasure: Erasure) throws -> [String] {
      try timeline.logbook.pictures(of: erasure).map { String($0.prefix(1)) }.sorted()
    }
    #expect(try found(.words(Self.anna)) == ["a", "c", "d", "e"])
    #expect(try found(.identity(Self.anna)) == ["a", "c", "d", "e"])
    #expect(try found(.words(PersonID("bob"))) == ["b"])
    #expect(try found(.words(PersonID("carl"))) == [])
    #expect(try found(.alarm(walk.id)) == ["b"])
    #expect(try found(.alarm(pills.id)).contains("a"))
    #expect(try !found(.alarm(pills.id)).contains("c"))
  }

  @Test func `only recordings that no tone uses are removed`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    func tone(_ name: String, _ digit: String) -> Tone {
      Tone(
        name: name, sha256: String(repeating: digit, count: 64), durationMilliseconds: 1_000,
        loudnessLUFS: -16)
    }
    for event: Event in [
      .toneAdded(tone("dad", "a")), .toneAdded(tone("mum", "a")), .toneAdded(tone("sis", "b")),
      .toneAdded(tone("son", "c")), .toneRemoved(tone("dad", "a")), .toneRemoved(tone("sis", "b")),
    ] { try history.write(event, into: logbook) }
    #expect(try logbook.removedTones() == [tone("sis", "b").sha256])
    try history.write(.toneRemoved(tone("mum", "a")), into: logbook)
    #expect(try logbook.removedTones() == [tone("sis", "b").sha256, tone("mum", "a").sha256])
    try history.write(.toneAdded(tone("new", "b")), into: logbook)
    #expect(try logbook.removedTones() == [tone("mum", "a").sha256])
  }

  @Test func `rows for an archive are whole in their study, and sealed outside of it`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 2)
    func write(_ event: Event, study: String?, person: PersonID? = nil) throws {
      var record = history.record(event)
      (record.study, record.person) = (study, person ?? record.person)
      try logbook.record([record], history.changes(by: [record]))
    }
    let bob = PersonID("bob")
    func enrol(_ study: String, _ code: String) -> Enrolment {
      Enrolment(study: study, pseudonym: code, from: Instant(milliseconds: 1_796_000_000_000))
    }
    try write(.heartbeat, study: nil)
    try write(.personAdded(Person(id: Self.anna, version: 1)), study: nil)
    try write(.enrolled(Self.anna, enrol("one", "P-1")), study: "one")
    try write(.enrolled(bob, enrol("two", "P-2")), study: "two")
    try write(.audioLost(reason: "no card"), study: nil)
    let rows = try logbook.events(after: 0, limit: 9)
    func sealed(_ row: EventRow) -> JSON {
      .object([
        ("seq", .integer(row.sequence)), ("prev_hash", .string(row.previousHash)),
        ("hash", .string(row.hash)),
      ])
    }
    let cases: [(study: String?, open: Set<Int64>)] = [
      ("one", [1, 3, 5]), ("two", [1, 4, 5]), (nil, [1, 3, 4, 5]), ("three", [1, 5]),
    ]
    for (study, open) in cases {
      let expected = rows.map { open.contains($0.sequence) ? $0.archived : sealed($0) }
      #expect(
        try logbook.studyRows(after: 0, limit: 9, study: study) == expected, "\(study ?? "all")")
    }
    let part = try logbook.studyRows(after: 2, limit: 2, study: "one")
    #expect(part == [rows[2].archived, sealed(rows[3])])
    try write(.rekeyed, study: nil)
    #expect(try logbook.studyRows(after: 0, limit: 9, study: "one") == nil)
  }

  @Test func `stored replies have all their parts, and are kept for seven days`() throws {
    let logbook = try Logbook.open(directory)
    let start = Instant(milliseconds: 1_800_000_000_000)
    let week: Int64 = 7 * 86_400_000
    func reply(_ key: String, actor: String = "uid:1", at milliseconds: Int64 = 0)
      -> IdempotencyRecord
    {
      IdempotencyRecord(
        actor: actor, key: key, requestDigest: "digest \(key)", status: 201,
        contentType: "application/json", headers: ["etag": "\"2\"", "a": "b"],
        body: Array("{\"key\":\"\(key)\"}".utf8), at: start.adding(milliseconds: milliseconds))
    }
    func headers() throws -> Set<String> {
      try logbook.pool.read { try String.fetchSet($0, sql: "SELECT headers FROM receipts") }
    }
    func found(_ key: String, _ actor: String = "uid:1") throws -> IdempotencyRecord? {
      try logbook.idempotencyRecord(actor: actor, key: key)
    }
    try logbook.keep(reply("a"))
    try logbook.keep(reply("b", at: 1))
    try logbook.keep(reply("a", actor: "uid:2", at: week))
    #expect(try found("a") == reply("a"))
    #expect(try headers() == [#"{"a":"b","etag":"\"2\""}"#])
    #expect(try found("a", "uid:2") == reply("a", actor: "uid:2", at: week))
    #expect(try found("a", "uid:3") == nil && found("c") == nil)
    // The logbook stores the next reply one millisecond after the previous reply. The first reply
    // is then older than seven days, so the logbook removes the first reply.
    try logbook.keep(reply("c", at: week + 1))
    #expect(try found("a") == nil)
    #expect(try found("b") == reply("b", at: 1))
    // If two replies have the same key, the second reply replaces the first reply.
    var other = reply("c", at: week + 2)
    (other.status, other.headers) = (409, [:])
    try logbook.keep(other)
    #expect(try found("c") == other)
    #expect(logbook.head.sequence == 0)
  }

  @Test func `verify finds the newest event of an export by its manifest`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 3)
    for sha256 in ["aa", "bb", "aa"] {
      try history.write(
        .exportMade(
          profile: "limited", layout: "frictionless", throughSequence: 0, sha256: sha256),
        into: logbook)
    }
    #expect(try logbook.verify(manifest: "aa").export?.sequence == 3)
    #expect(try logbook.verify(manifest: "bb").export?.sequence == 2)
    #expect(try logbook.verify(manifest: "cc").export == ExportSearch(sequence: nil))
    #expect(try logbook.verify().export == nil)
  }
}
