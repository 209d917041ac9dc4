import Alarms
import GRDB
import JSONValue
import StudyExport
import Testing

@testable import Logbook

/// Tests which faults of the record the manifest of an export contains.
@Suite struct `A fault in an export` {
  private let directory = TemporaryDirectory()

  @Test(
    arguments: [
      ("UPDATE settings SET value = value", 0, 0, nil),
      ("DELETE FROM events WHERE seq IN (3, 4)", 2, 0, 3),
      ("DELETE FROM events WHERE seq = 1", 1, 0, 1),
      ("UPDATE events SET prev_hash = 'x' WHERE seq = 7", 0, 1, 7),
      ("UPDATE events SET prev_hash = upper(prev_hash) WHERE seq = 7", 0, 1, 7),
      ("UPDATE events SET hash = 'x' WHERE seq = 5", 0, 1, 6),
      ("UPDATE events SET hash = '' WHERE seq = 5", 0, 1, 6),
      (
        """
        UPDATE events SET hash = 'x' WHERE seq = 5; UPDATE events SET prev_hash = 'x' WHERE seq = 6
        """, 0, 0, nil
      ),
      (
        """
        DELETE FROM events WHERE seq IN (3, 4, 9);
        UPDATE events SET prev_hash = '' WHERE seq IN (1, 7)
        """, 3, 2, 1
      ),
    ] as [(String, Int64, Int64, Int64?)])
  func `is counted, and the first one is named`(
    sql: String, missing: Int64, breaks: Int64, first: Int64?
  ) throws {
    var timeline = try Timeline(in: directory)
    for place in 0..<12 { try timeline.add(Int64(place), .heartbeat) }
    try timeline.logbook.close()
    try tamper(directory.record) { try $0.execute(sql: sql) }
    let logbook = try Logbook.open(directory)
    func record(_ profile: ExportProfile) throws -> String? {
      let path = "\(directory.path)/\(profile)"
      let summary = try logbook.writeExport(to: path, profile: profile)
      #expect(summary.firstBadSequence == first)
      return try JSON(parsing: readFile("\(path)/MANIFEST.json"))["record"]?.description
    }
    #expect(
      try record(.limited)
        == #"{"missing_events":\#(missing),"broken_links":\#(breaks),"first_bad_seq":"#
        + #"\#(first.map { "\($0)" } ?? "null"),"purged_through_seq":null,"purged_events":0}"#)
    #expect(
      try record(.safeHarbor)
        == #"{"missing_events":\#(missing),"broken_links":\#(breaks),"purged_events":0}"#)
  }

  @Test func `is rounded in safe harbor, and the head is only in the other profiles`() throws {
    var timeline = try Timeline(in: directory)
    for place in 0..<130 { try timeline.add(Int64(place), .heartbeat) }
    try timeline.logbook.close()
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM events WHERE seq < 123") }
    let logbook = try Logbook.open(directory)
    func manifest(_ profile: ExportProfile) throws -> JSON {
      _ = try logbook.writeExport(to: "\(directory.path)/\(profile)", profile: profile)
      return try JSON(parsing: readFile("\(directory.path)/\(profile)/MANIFEST.json"))
    }
    let (safe, limited) = (try manifest(.safeHarbor), try manifest(.limited))
    #expect(limited["record"]?["missing_events"] == .integer(122))
    #expect(safe["record"]?["missing_events"] == .integer(130))
    #expect(safe["head"] == nil && limited["head"]?["seq"] == .integer(130))
    #expect(limited["head"]?["hash"] == .string(logbook.head.hash))
  }
}
