import Alarms
import CivilTime
import EventCoding
import GRDB
import Glibc
import Testing

@testable import Logbook

@Suite struct `Purging` {
  private let directory = TemporaryDirectory()

  /// The state from which the daemon continues after a start. Of the closed prompts, this state
  /// contains only the prompts whose answer can still be undone.
  private struct State: Equatable {
    let alarms: [Alarm]
    let open: [Prompt]
    let answered: [Prompt]
    let people: [PersonState]
    let tones: [Tone]
    let levels: [String: Int]
    let pictures: [Picture]
    let repetitions: [[Instant]]
  }

  private func state(_ logbook: Logbook) throws -> State {
    let snapshot = try logbook.restore()
    #expect(snapshot.mismatches.isEmpty)
    return State(
      alarms: snapshot.alarms, open: snapshot.openPrompts, answered: snapshot.answeredPrompts,
      people: snapshot.people, tones: snapshot.tones, levels: snapshot.levels,
      pictures: snapshot.pictures,
      repetitions: snapshot.people.map {
        snapshot.recentRings.repetitions(
          of: $0.id, at: snapshot.lastRecord?.reading.wall ?? Instant(seconds: 0))
      })
  }

  @Test func `after a purge of any history the remaining rows give the same state`() throws {
    var pieces = 0
    for seed in 0..<UInt64(soak(12)) {
      let directory = TemporaryDirectory()
      let logbook = try Logbook.open(directory)
      var history = History(seed: seed)
      for round in 1...3 {
        try history.playAtOnce(60, into: logbook)
        try history.export(from: logbook)
        try history.playAtOnce(20, into: logbook)
        let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
        #expect(plan.throughSequence > plan.after, "seed \(seed)")
        let place = plan.after + (plan.throughSequence - plan.after) * Int64(round) / 3
        guard let through = try logbook.end(of: plan, below: place) else { continue }
        try logbook.provePurge(through: through)
        let before = try state(logbook)
        let answers = try logbook.responses(ResponseQuery()).count
        let ends = try logbook.purge(through: through, rows: 12)
        #expect(ends.last == through && ends.allSatisfy { $0 <= through })
        pieces = max(pieces, ends.count)
        #expect(try state(logbook) == before, "seed \(seed) round \(round)")
        #expect(try logbook.responses(ResponseQuery()).count == answers)
        let found = try logbook.verify(anchor: HeadCode(logbook.head))
        #expect(found.isOK, "seed \(seed) round \(round): \(found)")
        #expect(found.purged?.throughSequence == through && found.events == logbook.head.sequence)
        try logbook.rebuild()
        #expect(try state(logbook) == before, "seed \(seed) round \(round), rebuilt")
      }
      try logbook.close()
      let again = try Logbook.open(directory)
      #expect(try again.verify().isOK)
      try again.close()
    }
    #expect(pieces > 3)
  }

  @Test func `only rows that an export of the whole record contained can be purged`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try history.playAtOnce(40, into: logbook)
    let ever = Instant(milliseconds: .max / 4)
    for (profile, layout) in [("own", "frictionless"), ("limited", "mpath")] {
      try logbook.record(
        [
          history.record(
            .exportMade(
              profile: profile, layout: layout, throughSequence: logbook.head.sequence, sha256: "00"
            ))
        ], .init())
    }
    // The random events of the history can contain an export of the first three rows. The two
    // exports above do not contain the whole record, so they permit the purge of no further rows.
    #expect(try logbook.purgePlan(before: ever).harvestedSequence <= 3)
    #expect(throws: LogbookError.self) {
      try logbook.nextPurge(through: logbook.head.sequence - 1, archive: "00")
    }
    let harvested = logbook.head.sequence
    #expect(throws: LogbookError.self) { try logbook.provePurge(through: harvested + 1) }
    try history.export(from: logbook)
    try history.playAtOnce(10, into: logbook)
    let plan = try logbook.purgePlan(before: ever)
    #expect(plan.harvestedSequence == harvested && plan.throughSequence <= harvested)
    let day = try #require(try logbook.events(after: 9, limit: 1).first?.wallMilliseconds)
    let early = try logbook.purgePlan(before: Instant(milliseconds: day))
    #expect(early.throughSequence <= 9 && early.throughSequence > 0)
  }

  @Test func `an ended prompt stays until its due time is two days in the past`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 6)
    let alarm = try history.alarm()
    var ahead = history.prompt(alarm)
    ahead.dueAt = ahead.dueAt.adding(seconds: 86_400)
    var past = history.prompt(alarm)
    past.dueAt = past.dueAt.adding(seconds: -72 * 3_600)
    // This prompt was due less than two days ago. If the home moves to a zone in the west, the
    // local time of the prompt can occur a second time.
    var recent = history.prompt(alarm)
    recent.dueAt = recent.dueAt.adding(seconds: -30 * 3_600)
    let events: [Event] =
      [.alarmCreated(alarm)]
      + [past, recent, ahead].flatMap { prompt -> [Event] in
        let nothing = Stopped(pending: 0, sounding: false, sounded: 0)
        return [.planned(prompt), .closed(prompt.id, .cancelledBeforeDue, reason: .none, nothing)]
      } + Array(repeating: .heartbeat, count: 40)
    let records = events.map { history.record($0) }
    try logbook.record(records, history.changes(by: records))
    try history.export(from: logbook)
    let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    #expect(past.dueAt < plan.throughAt! && plan.throughAt! < ahead.dueAt)
    try logbook.purge(through: plan.throughSequence)
    let closed = try logbook.restore().closedNominals[alarm.id]
    #expect(closed == [recent.id.nominalKey, ahead.id.nominalKey])
    #expect(try logbook.verify().isOK)
  }

  @Test func `a purge that differs from its decision removes nothing`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 2)
    try history.playAtOnce(80, into: logbook)
    try history.export(from: logbook)
    var purge = try #require(
      try logbook.nextPurge(through: try logbook.purgeEnd(below: 60), archive: "00"))
    purge.kept += 1
    let head = logbook.head
    let rows = try logbook.events(after: 0, limit: .max).count
    #expect(throws: LogbookError.self) {
      try logbook.record([history.record(.purged(purge))], .init())
    }
    #expect(logbook.head == head)
    #expect(try logbook.events(after: 0, limit: .max).count == rows)
    #expect(try logbook.verify().isOK)
  }

  @Test func `the head of a purged part does not count as known`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 3)
    try history.playAtOnce(60, into: logbook)
    let rows = try logbook.events(after: 0, limit: .max)
    try history.export(from: logbook)
    try history.playAtOnce(5, into: logbook)
    try logbook.purge(through: try logbook.purgeEnd(below: 60))
    let left = Set(try logbook.events(after: 0, limit: .max).map(\.sequence))
    let gone = try #require(rows.last { !left.contains($0.sequence) })
    let kept = try #require(rows.first { left.contains($0.sequence) })
    let found = try logbook.verify(anchor: HeadCode((gone.sequence, gone.hash)))
    #expect(found.problem?.contains("was purged") == true && found.firstBadSequence == nil)
    #expect(try logbook.verify(anchor: HeadCode((kept.sequence, kept.hash))).isOK)
    #expect(try !logbook.verify(anchor: HeadCode((kept.sequence, gone.hash))).isOK)
  }

  @Test func `a purge returns disk space`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 4)
    try history.playAtOnce(4_000, into: logbook)
    try history.export(from: logbook)
    try logbook.updateReplica(directory: directory.path)
    try logbook.scrub()
    let before = readFile(directory.record).count
    let copy = readFile("\(directory.path)/snapshot/record.sqlite").count
    let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    try logbook.purge(through: plan.throughSequence)
    try logbook.reclaimSpace()
    try logbook.updateReplica(directory: directory.path)
    let pages = try logbook.pragma("freelist_count")
    #expect(pages == "0")
    let after = readFile(directory.record).count
    #expect(
      Double(after) < Double(before) * Double(plan.kept + 200)
        / Double(plan.going + Int64(plan.kept)) * 1.5)
    #expect(after < before)
    try logbook.close()
    #expect(readFile("\(directory.path)/snapshot/record.sqlite").count < copy)
  }

  /// The file of a long record. An export contains all rows of the record. Each case of the next
  /// test uses a copy of this file.
  private static let exported = Result {
    let directory = TemporaryDirectory()
    let logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    try history.playAtOnce(1_500, into: logbook)
    try history.export(from: logbook)
    try logbook.close()
    return readFile(directory.record)
  }

  @Test(arguments: [1, 3, 7, 15, 30, 60, 120, 240])
  func `a purge killed at any moment is done or not begun, and can be continued`(
    milliseconds: Int
  ) async throws {
    writeFile(try Self.exported.get(), to: directory.record)
    let logbook = try Logbook.open(directory)
    let before = try state(logbook)
    let through = try logbook.purgePlan(before: Instant(milliseconds: .max / 4)).throughSequence
    try logbook.close()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        path = directory.path as String, milliseconds = milliseconds as Int,
        through = through as Int64
      ] in
      let logbook = try Logbook(directory: path)
      let killer = Thread.after(milliseconds: milliseconds)
      try logbook.purge(through: through)
      try logbook.reclaimSpace()
      killer.wait()
    }
    let opened = try Logbook.open(directory)
    let found = try opened.verify()
    #expect(found.isOK, "\(found)")
    #expect(try state(opened) == before)
    try opened.purge(through: through)
    try opened.reclaimSpace()
    #expect(try opened.verify().purged?.throughSequence == through)
    #expect(try state(opened) == before)
  }
}

extension Logbook {
  /// Returns the last row at which a purge could end. This row is row `sequence` or an earlier row.
  fileprivate func purgeEnd(below sequence: Int64) throws -> Int64 {
    let plan = PurgePlan(
      after: 0, throughSequence: sequence, harvestedSequence: sequence, going: 0, kept: 0)
    return try #require(try end(of: plan, below: sequence))
  }

  /// Purges in several parts, as the daemon does. Each `purged` event gets the time of the newest
  /// row before it.
  ///
  /// - Returns: the last row of each part.
  @discardableResult
  func purge(through: Int64, rows: Int64 = Logbook.purgedAtOnce) throws -> [Int64] {
    var ends: [Int64] = []
    while let piece = try nextPurge(through: through, archive: "ab", rows: rows) {
      ends.append(piece.throughSequence)
      let last = try #require(try events(after: head.sequence - 1, limit: 1).first)
      let event = Record(
        event: .purged(piece), actor: Alarms.Actor(role: .admin, id: "uid:0", source: "socket"),
        reading: last.reading, person: nil, alarmVersion: nil, zoneName: last.zoneName,
        utcOffsetSeconds: Int(last.utcOffsetSeconds), tzdataVersion: last.tzdataVersion)
      try record([event], .init())
    }
    return ends
  }

  /// Returns the last row at which a part of this purge could end. This row is row `sequence` or an
  /// earlier row.
  fileprivate func end(of plan: PurgePlan, below sequence: Int64) throws -> Int64? {
    let rows = try events(after: plan.after, limit: Int(sequence - plan.after) + 1)
    let place = rows.indices.dropLast().last { index in
      PurgeRule.lastTypes.contains(rows[index].type)
        && rows[index].bootNanoseconds != rows[index + 1].bootNanoseconds
    }
    return place.map { rows[$0].sequence }
  }
}

extension History {
  /// Records an export of the whole record so far.
  mutating func export(from logbook: Logbook) throws {
    let event = Event.exportMade(
      profile: "safe_harbor", layout: "frictionless", throughSequence: logbook.head.sequence,
      sha256: "00")
    try logbook.record([record(event)], .init())
  }
}

/// A thread that kills this process after some milliseconds, as a power failure would do.
private struct Thread: @unchecked Sendable {
  private var id = pthread_t()

  static func after(milliseconds: Int) -> Thread {
    var thread = Thread()
    let argument = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    argument.pointee = milliseconds
    pthread_create(
      &thread.id, nil,
      { argument in
        let milliseconds = argument?.assumingMemoryBound(to: Int.self).pointee ?? 0
        usleep(UInt32(milliseconds * 1_000))
        kill(getpid(), SIGKILL)
        return nil
      }, argument)
    return thread
  }

  func wait() { pthread_join(id, nil) }
}
