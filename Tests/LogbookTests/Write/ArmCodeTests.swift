import Alarms
import EventCoding
import GRDB
import JSONValue
import Testing

@testable import Logbook

/// Tests the exact payloads of enrolments in blinded studies.
@Suite struct `The code of an arm` {
  private let directory = TemporaryDirectory()
  private static let (anna, bob) = (PersonID("anna"), PersonID("bob"))

  private func enrolment(_ study: String, _ code: String?, _ timeline: Timeline) -> Enrolment {
    Enrolment(
      study: study, pseudonym: "P-1", arm: "AB", armCode: code,
      allocationSHA256: code.map { _ in "ab" }, from: timeline.start)
  }

  private func blinding(_ timeline: Timeline) throws -> Blinding {
    try timeline.logbook.reading("read the arms") { try Blinding($0) }
  }

  private func payload(_ study: String) -> String {
    #"{"study":"\#(study)","arm":"AB","arm_code":"X","allocation_sha256":"ab","consent":"1"}"#
  }

  @Test func `replaces the arm until its study is unblinded`() throws {
    var timeline = try Timeline(in: directory)
    for id in [Self.anna, Self.bob] {
      try timeline.add(0, .personAdded(Person(id: id, version: 1)))
    }
    try timeline.add(1, .enrolled(Self.anna, enrolment("open", nil, timeline)), study: "open")
    var found = try blinding(timeline)
    #expect(!found.isInForce && found.document(payload("one")) == payload("one"))
    try timeline.add(2, .enrolled(Self.anna, enrolment("one", "X", timeline)), study: "one")
    try timeline.add(3, .enrolled(Self.bob, enrolment("two", "X", timeline)), study: "two")
    func hidden(_ study: String) -> String {
      #"{"study":"\#(study)","arm":"X","arm_code":"X","consent":"1"}"#
    }
    found = try blinding(timeline)
    #expect(found.isInForce)
    #expect(found.document(payload("one")) == hidden("one"))
    #expect(found.document(payload("two")) == hidden("two"))
    // A payload that contains no code does not change. A payload that cannot be read becomes empty.
    for text in [#"{"arm":"AB"}"#, "{}", "", #"{"note":"arm_code"}"#] {
      #expect(found.document(text) == text)
    }
    for text in [#"{"arm_code":"X","arm":"AB"}"#, #"{"arm_code":"#, #"[{"arm_code":"X"}]"#] {
      #expect(found.document(text) == "{}", "\(text)")
    }
    try timeline.add(4, .unblinded(Self.anna, study: "one"), study: "one")
    found = try blinding(timeline)
    #expect(found.isInForce)
    #expect(found.document(payload("one")) == payload("one"))
    #expect(found.document(payload("two")) == hidden("two"))
    try timeline.add(5, .unblinded(Self.bob, study: "two"), study: "two")
    found = try blinding(timeline)
    #expect(!found.isInForce && found.document(payload("two")) == payload("two"))
  }

  @Test func `hides the hash chain and the id of its row, and of no other row`() throws {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .personAdded(Person(id: Self.anna, version: 1)))
    try timeline.add(1, .enrolled(Self.anna, enrolment("one", "X", timeline)), study: "one")
    let (rows, listed) = (
      try timeline.logbook.events(after: 0, limit: 9),
      try timeline.logbook.listedEvents(after: 0, limit: 9)
    )
    #expect(listed.map(\.eventID) == [rows[0].eventID, ""])
    #expect(listed.map(\.hash) == ["", ""] && listed.map(\.previousHash) == ["", ""])
    #expect(listed[0].payload == rows[0].payload)
    #expect(try JSON(stored: listed[1].payload)["arm"] == .string("X"))
    #expect(
      listed.map(\.person) == rows.map(\.person) && listed.map(\.device) == rows.map(\.device))
    try timeline.add(2, .rekeyed)
    let renamed = try timeline.logbook.listedEvents(after: 0, limit: 9)
    #expect(renamed.map(\.eventID) == [rows[0].eventID, "", ""].prefix(2) + [renamed[2].eventID])
    #expect(renamed.allSatisfy { $0.device != rows[0].device && $0.device.hasPrefix("D-") })
    #expect(renamed[0].person != rows[0].person && renamed[2].person == nil)
    #expect(renamed[0].payload.contains("identity") == false)
  }

  @Test func `hides the row of its enrolment in the archive until the study is unblinded`()
    throws
  {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .personAdded(Person(id: Self.anna, version: 1)), study: "one")
    try timeline.add(1, .enrolled(Self.anna, enrolment("one", "X", timeline)), study: "one")
    try timeline.add(2, .enrolled(Self.bob, enrolment("one", nil, timeline)), study: "one")
    let logbook = timeline.logbook
    func expected(sealing sealed: Set<Int64>) throws -> [JSON] {
      try logbook.events(after: 0, limit: 9).map { row in
        guard sealed.contains(row.sequence) else { return row.archived }
        return .object([
          ("seq", .integer(row.sequence)), ("prev_hash", .string(row.previousHash)),
          ("hash", .string(row.hash)),
        ])
      }
    }
    for study in ["one", nil] {
      #expect(
        try logbook.studyRows(after: 0, limit: 9, study: study) == expected(sealing: [2]))
    }
    try timeline.add(3, .unblinded(Self.anna, study: "one"), study: "one")
    #expect(
      try logbook.studyRows(after: 0, limit: 9, study: "one") == expected(sealing: []))
  }
}
