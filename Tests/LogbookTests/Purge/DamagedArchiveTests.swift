import Alarms
import GRDB
import Testing

@testable import Logbook

/// Tests that an archive contains no damaged row.
@Suite struct `An archive of a damaged record` {
  private let directory = TemporaryDirectory()

  /// Each case changes a record with four rows. Row 2 has a text.
  @Test(arguments: [
    (
      "UPDATE events SET prev_hash = 'x' WHERE seq = 3",
      "row 3 does not continue the hash chain after row 2"
    ),
    ("DELETE FROM events WHERE seq = 1", "row 2 does not continue the hash chain after row 0"),
    ("DELETE FROM events WHERE seq = 3", "row 4 does not continue the hash chain after row 2"),
    ("DELETE FROM events WHERE seq >= 3", "row 3 is missing"),
    ("DELETE FROM contents; DELETE FROM events", "row 1 is missing"),
    ("UPDATE events SET source = 'x' WHERE seq = 3", "row 3 was changed after it was written"),
    ("UPDATE events SET hash = 'x' WHERE seq = 4", "row 4 was changed after it was written"),
    ("UPDATE contents SET body = '{}'", "the free text of row 2 was changed after it was written"),
    ("UPDATE contents SET salt = '00'", "the free text of row 2 was changed after it was written"),
    ("UPDATE contents SET salt = 'x'", "the free text of row 2 was changed after it was written"),
    (
      "INSERT INTO contents VALUES (3, '00', '{}')",
      "the free text of row 3 was changed after it was written"
    ),
    ("DELETE FROM contents", nil),
  ])
  func `ends with the first damaged row`(sql: String, reason: String?) throws {
    var timeline = try Timeline(in: directory)
    let events: [Event] = [.heartbeat, .audioLost(reason: "no card"), .heartbeat, .heartbeat]
    for (place, event) in events.enumerated() { try timeline.add(Int64(place), event) }
    let archive = try timeline.logbook.rowArchive(through: 4)
    try tamper(directory.record) { try $0.execute(sql: sql) }
    guard let reason else {
      #expect(try archive.digest().count == 64)
      return
    }
    #expect(throws: LogbookError.corrupt(doing: "archive the record", reason: reason)) {
      try archive.digest()
    }
  }
}
