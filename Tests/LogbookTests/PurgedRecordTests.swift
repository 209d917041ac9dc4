import Alarms
import CivilTime
import EventCoding
import GRDB
import Glibc
import JSONValue
import MessageDigest
import StudyExport
import Testing

@testable import Logbook

@Suite struct `A record that was purged` {
  private let directory = TemporaryDirectory()
  private static let now: Int64 = 1_800_000_000_000

  /// Makes an open record with a purge. Some events are older than the purge, and other events are
  /// newer.
  private func purged(_ history: inout History, copied: Bool = true) throws -> Logbook {
    let logbook = try Logbook.open(directory)
    try history.playAtOnce(150, into: logbook)
    try history.export(from: logbook)
    if copied { try logbook.updateReplica(directory: directory.path) }
    let through = try logbook.purgePlan(before: Instant(milliseconds: .max / 4)).throughSequence
    try logbook.purge(through: through)
    try history.playAtOnce(30, into: logbook)
    return logbook
  }

  private func copyRows() throws -> Int {
    try looking(into: Replica.path(in: directory.path)) { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM events") ?? 0
    }
  }

  @Test(arguments: [true, false]) func `has a replica that was purged, too`(
    isOld: Bool
  ) throws {
    var history = History(seed: 11)
    let logbook = try purged(&history, copied: isOld)
    try logbook.updateReplica(directory: directory.path)
    let rows = try logbook.events(after: 0, limit: .max).count
    #expect(try copyRows() == rows)
    try history.playAtOnce(10, into: logbook)
    try logbook.updateReplica(directory: directory.path)
    #expect(try copyRows() > rows)
    #expect(Replica.head(in: directory.path)! == logbook.head)
  }

  @Test func `gets a new replica if the old one ended within the purged part`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 12)
    try history.playAtOnce(20, into: logbook)
    try logbook.updateReplica(directory: directory.path)
    try logbook.close()
    let again = try purged(&history, copied: false)
    try again.updateReplica(directory: directory.path)
    #expect(try copyRows() == (try again.events(after: 0, limit: .max).count))
  }

  @Test(arguments: ["before", "after", "none"])
  func `is recovered completely from the remaining files`(
    copy: String
  ) throws {
    var history = History(seed: 13)
    let logbook = try purged(&history, copied: copy == "before")
    if copy == "after" { try logbook.updateReplica(directory: directory.path) }
    let head = logbook.head
    try logbook.close()
    try Logbook.markDamaged(directory: directory.path, because: "a test says so")
    let opened = try Logbook.opening(directory: directory.path, refuge: nil, now: Self.now)
    #expect(opened.logbook.head == head)
    let found = try opened.logbook.verify(anchor: HeadCode(head))
    #expect(found.isOK, "\(found)")
    // If the replica is older than the purge, the recovery adds the purged rows to the record
    // again. The next purge can delete these rows.
    #expect((found.purged == nil) == (copy == "before"))
    let open = history.replay.prompts.filter(\.value.state.isOpen)
    let openNow = Dictionary(
      uniqueKeysWithValues: opened.snapshot.openPrompts.map { ($0.id, $0) })
    #expect(openNow == open)
    try history.export(from: opened.logbook)
    let plan = try opened.logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    try opened.logbook.purge(through: plan.throughSequence)
    #expect(try opened.logbook.verify().isOK)
  }

  @Test func `can be backed up, and the backup is verified`() async throws {
    var history = History(seed: 14)
    let logbook = try purged(&history)
    let work = TemporaryDirectory()
    let backup = try await logbook.backup(
      state: directory.path, workDirectory: work.path, version: "test")
    #expect(backup.head == logbook.head && backup.bytes > 0)
  }

  @Test func `is exported with the remaining rows, and the export names the missing ones`() throws {
    let whole = TemporaryDirectory()
    var history = History(seed: 15)
    let logbook = try Logbook.open(directory)
    try history.playAtOnce(200, into: logbook)
    _ = try logbook.writeExport(to: whole.path + "/out", profile: .limited)
    try history.export(from: logbook)
    let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    try logbook.purge(through: plan.throughSequence)
    let rest = TemporaryDirectory()
    let summary = try logbook.writeExport(to: rest.path + "/out", profile: .limited)
    #expect(summary.firstBadSequence == nil)
    func table(_ directory: TemporaryDirectory, _ name: String) -> Table {
      Table("\(directory.path)/out/\(name).csv")
    }
    let prompts = Set(table(rest, "prompts").rows.map { $0["prompt_id"] ?? "" })
    let before = table(whole, "prompts").rows
    #expect(!prompts.isEmpty && prompts.count < before.count)
    for row in before where row["state"] == "open" { #expect(prompts.contains(row["prompt_id"]!)) }
    for name in ["rings", "responses", "diary"] {
      for row in table(rest, name).rows where row["prompt_id"] != "" {
        #expect(prompts.contains(row["prompt_id"]!), "\(name)")
      }
    }
    let gap = try #require(table(rest, "gaps").rows.last)
    #expect(gap["cause"] == "purged")
    let first = try #require(table(whole, "events").rows.first)
    #expect(gap["from_utc"] == first["recorded_utc"] || gap["from_utc"]?.isEmpty == false)
    let manifest = try JSON(parsing: readFile(rest.path + "/out/MANIFEST.json"))
    #expect(manifest["record"]?["purged_events"]?.integer == plan.going)
    #expect(manifest["record"]?["missing_events"]?.integer == 0)
    // A purge does not change the number of a study day. No prompt is on day 0.
    let safe = (TemporaryDirectory(), TemporaryDirectory())
    _ = try logbook.writeExport(to: safe.0.path + "/out", profile: .safeHarbor)
    #expect(table(safe.0, "prompts").rows.allSatisfy { $0["due_day"] != "0" })
  }

  @Test func `is in its archive row by row, and the next archive continues after it`() throws {
    var history = History(seed: 16)
    let logbook = try Logbook.open(directory)
    var last = HeadCode(sequence: 0, hash: EventRow.genesis)
    for _ in 1...2 {
      try history.playAtOnce(150, into: logbook)
      try history.export(from: logbook)
      let rows = try logbook.events(after: 0, limit: .max)
      let through = try logbook.purgePlan(before: Instant(milliseconds: .max / 4)).throughSequence
      let archive = try logbook.rowArchive(through: through)
      var bytes: [UInt8] = []
      while let piece = try archive.next() { bytes += piece }
      #expect(try logbook.rowArchive(through: through).digest() == SHA256Digest.hex(bytes))
      let lines = try bytes.split(separator: UInt8(ascii: "\n")).map {
        try JSON(parsing: Array($0))
      }
      let first = try #require(lines.first)
      #expect(first["after_seq"]?.integer == last.sequence)
      #expect(last.matches(hash: first["after_hash"]?.string ?? ""))
      let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.sequence, $0) })
      for line in lines.dropFirst() {
        let row = try #require(known[line["seq"]?.integer ?? 0])
        #expect(line["hash"]?.string == row.hash && line["payload"]?.string == row.payload)
      }
      #expect(Int64(lines.count - 1) == through - last.sequence)
      last = HeadCode(sequence: through, hash: try #require(known[through]).hash)
      try logbook.purge(through: through)
    }
    #expect(try logbook.verify().isOK)
    #expect(throws: LogbookError.self) { try logbook.rowArchive(through: 3) }
  }

  @Test func `knows until when its prompts were closed, if the clock could be trusted`() throws {
    var history = History(seed: 17)
    let logbook = try Logbook.open(directory)
    try history.playAtOnce(150, into: logbook)
    try history.export(from: logbook)
    let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    var purge = try #require(
      try logbook.nextPurge(through: plan.throughSequence, archive: "00"))
    #expect(try logbook.restore().purged.isEmpty)
    purge.closedBefore = purge.throughAt
    try logbook.record([history.record(.purged(purge))], .init())
    let found = try logbook.restore()
    #expect(Set(found.purged.keys).isSubset(of: Set(found.alarms.map(\.id))))
    #expect(!found.purged.isEmpty)
    #expect(found.purged.values.allSatisfy { $0.upperBound == purge.throughAt })
  }
}
