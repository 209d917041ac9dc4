import Alarms
import CivilTime
import EventCoding
import Foundation
import StudyExport
import Testing

@testable import Logbook

/// Tests that an export of a blinded study does not contain the arm. The arm must not leave the
/// device until the study is unblinded.
@Suite struct `Exports of a blinded study` {
  private let directory = TemporaryDirectory()
  private static let anna = PersonID("anna")
  /// The digest of a list of arms. If the list has few rows, a reader can compute the digest of
  /// each possible list, and so find the arms.
  private static let list = String(repeating: "0a", count: 32)

  private func write(_ logbook: Logbook, _ replay: inout Replay, _ events: [Event]) throws {
    for event in events {
      let wall = try Instant(parsing: "2026-12-01T08:00:00Z")
      let reading = ClockReading(
        wall: wall, bootNanoseconds: 1, bootID: "0f1e2d3c", clockState: .synced)
      replay.apply(event, at: reading)
      var changes = StateDelta()
      changes.people = replay.people
      let record = Record(
        event: event, actor: .daemon("engine"), reading: reading, person: Self.anna,
        alarmVersion: nil,
        zoneName: "Etc/UTC", utcOffsetSeconds: 0, tzdataVersion: "2026c", study: "trial")
      try logbook.record([record], changes)
    }
  }

  /// Returns all bytes of an export as text, and the rows of participants.csv and events.csv.
  private func export(
    _ logbook: Logbook, _ profile: ExportProfile, _ name: String
  ) throws -> (text: String, participants: [[String: String]], events: [[String: String]]) {
    let out = "\(directory.path)/\(name)"
    _ = try logbook.writeExport(to: out, profile: profile)
    let text = try FileManager.default.contentsOfDirectory(atPath: out).sorted().map {
      try String(contentsOfFile: "\(out)/\($0)", encoding: .utf8)
    }.joined()
    return (text, Table("\(out)/participants.csv").rows, Table("\(out)/events.csv").rows)
  }

  @Test(arguments: ExportProfile.allCases)
  func `no file contains the arm before the study is unblinded`(profile: ExportProfile) throws {
    let logbook = try Logbook.open(directory)
    var replay = Replay()
    let from = try Instant(parsing: "2026-12-01T08:00:00Z")
    let enrolment = Enrolment(
      study: "trial", pseudonym: "P-1", arm: "SECRETARM", armCode: "X",
      allocationSHA256: Self.list, consent: "2.1", consentScope: [.thisStudy, .photos], from: from)
    try write(
      logbook, &replay,
      [.personAdded(Person(id: Self.anna, version: 1)), .enrolled(Self.anna, enrolment)])
    let blind = try export(logbook, profile, "blind")
    #expect(!blind.text.contains("SECRETARM") && !blind.text.contains(Self.list))
    #expect(blind.participants.map { $0["consent_scope"] } == ["this_study|photos"])
    #expect(blind.participants.map { $0["arm"] } == ["X"])
    #expect(blind.participants.map { $0["is_blinded"] } == ["true"])
    #expect(blind.participants.map { $0["consent"] } == ["2.1"])
    // If the export contained the hash, a reader could compute the hash for each possible arm. The
    // arm for which the computed hash is equal to the exported hash is the arm of the participant.
    #expect(blind.events.allSatisfy { ($0["hash"] ?? "") == "" && ($0["prev_hash"] ?? "") == "" })
    let listed = try logbook.listedEvents(after: 0, limit: 10)
    #expect(listed.allSatisfy { !$0.payload.contains("SECRETARM") && $0.hash.isEmpty })
    #expect(listed.allSatisfy { !$0.payload.contains(Self.list) })
    // The head of the record is public. A reader who knows all columns of the event, also the
    // random id, could compute the head for each possible arm. Therefore, the list leaves the id
    // empty.
    #expect(listed.filter { $0.type == "enrolled" }.allSatisfy { $0.eventID.isEmpty })

    // After the withdrawal of the person and the erasure of the words, the arm is still blinded.
    try write(
      logbook, &replay,
      [
        .withdrawn(Self.anna, Withdrawal(reason: "moved", code: .bySubject)),
        .erased(.words(Self.anna)),
      ])
    let left = try export(logbook, profile, "left")
    #expect(!left.text.contains("SECRETARM") && !left.text.contains(Self.list))
    #expect(left.participants.map { $0["reason_code"] } == ["withdrawal_by_subject"])

    try write(logbook, &replay, [.unblinded(Self.anna, study: "trial")])
    let open = try export(logbook, profile, "open")
    #expect(open.participants.map { $0["arm"] } == ["SECRETARM"])
    #expect(open.participants.map { $0["is_blinded"] } == ["false"])
    #expect(open.participants.map { $0["allocation_sha256"] } == [Self.list])
    #expect(try logbook.listedEvents(after: 0, limit: 10).allSatisfy { !$0.hash.isEmpty })
    #expect(try logbook.verify().problem == nil)
  }
}
