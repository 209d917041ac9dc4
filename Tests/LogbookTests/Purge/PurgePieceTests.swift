import Alarms
import CivilTime
import MessageDigest
import Testing

@testable import Logbook

/// Tests the exact plan of a purge, and the exact parts in which the purge runs.
@Suite struct `A piece of a purge` {
  private let directory = TemporaryDirectory()
  private static let ever = Instant(milliseconds: .max / 4)

  /// Records four events, and then an export that contains them. The clock of the first event is
  /// not set.
  private func timeline() throws -> Timeline {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .heartbeat, clock: .unset)
    try timeline.add(1_000, .audioLost(reason: "no card"))
    try timeline.add(2_000, .heartbeat)
    try timeline.add(3_000, .heartbeat)
    try timeline.add(
      4_000,
      .exportMade(profile: "limited", layout: "frictionless", throughSequence: 4, sha256: "cd"))
    try timeline.add(5_000, .heartbeat)
    return timeline
  }

  @Test func `is planned up to the last row that an export contains`() throws {
    let timeline = try timeline()
    func plan(_ through: Int64, _ at: Int64?, going: Int64, kept: Int) -> PurgePlan {
      PurgePlan(
        after: 0, throughSequence: through, throughAt: at.map(timeline.at), harvestedSequence: 4,
        going: going, kept: kept)
    }
    let cases: [(Instant, PurgePlan)] = [
      (Self.ever, plan(4, 3_000, going: 3, kept: 1)),
      (timeline.at(5_000), plan(4, 3_000, going: 3, kept: 1)),
      (timeline.at(3_001), plan(4, 3_000, going: 3, kept: 1)),
      (timeline.at(3_000), plan(3, 2_000, going: 2, kept: 1)),
      (timeline.at(2_001), plan(3, 2_000, going: 2, kept: 1)),
      // A purge cannot end with row 2, because row 2 is not of one of the permitted types. The time
      // of row 1 does not count, because its clock is not set.
      (timeline.at(2_000), plan(1, 0, going: 0, kept: 1)),
      (timeline.at(0), plan(1, 0, going: 0, kept: 1)),
    ]
    for (before, plan) in cases {
      #expect(try timeline.logbook.purgePlan(before: before) == plan, "\(before)")
    }
  }

  @Test func `ends with the first possible row after the wanted number of rows`() throws {
    var timeline = try timeline()
    let logbook = timeline.logbook
    let rows = try logbook.events(after: 0, limit: 9)
    func piece(_ through: Int64, _ at: Int64, first: Int64?) -> Purge {
      Purge(
        throughSequence: through, throughAt: timeline.at(at), firstAt: first.map(timeline.at),
        firstOffsetSeconds: 0, kept: 1,
        keptDigest: SHA256Digest.hex(Array(rows[Int(through) - 1].hash.utf8)), archiveSHA256: "ab")
    }
    let pieces: [(Int64, Purge)] = [
      (1, piece(1, 0, first: nil)), (2, piece(3, 2_000, first: 1_000)),
      (3, piece(3, 2_000, first: 1_000)), (4, piece(4, 3_000, first: 1_000)),
      (5, piece(4, 3_000, first: 1_000)), (2_000, piece(4, 3_000, first: 1_000)),
    ]
    for (count, piece) in pieces {
      #expect(
        try logbook.nextPurge(through: 4, archive: "ab", rows: count) == piece, "\(count) rows")
    }
    #expect(try logbook.nextPurge(through: 3, archive: "ab")?.throughSequence == 3)
    #expect(try logbook.nextPurge(through: 0, archive: "ab") == nil)
    #expect(
      throws: LogbookError.invalid(
        doing: "purge the record",
        reason: "no export in the default layout contains row 5; export the record first")
    ) { try logbook.nextPurge(through: 5, archive: "ab") }
    for prove in [false, true] {
      #expect(
        throws: LogbookError.invalid(
          doing: "purge the record",
          reason: "a purge cannot end with row 2; request the plan and use its last row")
      ) {
        if prove { try logbook.provePurge(through: 2) }
        _ = try logbook.nextPurge(through: 2, archive: "ab")
      }
    }
    try logbook.provePurge(through: 4)
    #expect(try logbook.purges() == [])
    try timeline.add(6_000, .purged(piece(3, 2_000, first: 1_000)))
    #expect(try logbook.events(after: 0, limit: 9).map(\.sequence) == [3, 4, 5, 6, 7])
    var second = try #require(try logbook.nextPurge(through: 4, archive: "ef"))
    #expect(second.throughSequence == 4 && second.firstAt == timeline.at(1_000))
    // The second purge keeps two rows: the last row of the first purge, and its own last row.
    #expect(second.kept == 2)
    #expect(
      second.keptDigest == SHA256Digest.hex(Array((rows[2].hash + rows[3].hash).utf8)))
    second.closedBefore = timeline.at(3_500)
    try timeline.add(7_000, .purged(second))
    #expect(try logbook.purges() == [second, piece(3, 2_000, first: 1_000)])
    #expect(try logbook.nextPurge(through: 4, archive: "ef") == nil)
    #expect(
      try logbook.purgePlan(before: Self.ever)
        == PurgePlan(
          after: 4, throughSequence: 4, throughAt: nil, harvestedSequence: 4, going: 0, kept: 0))
    let found = try logbook.verify()
    #expect(found.isOK && found.events == 8, "\(found)")
    #expect(found.watch.elapsedMilliseconds == 4_000 && found.watch.gapMilliseconds == 0)
  }
}
