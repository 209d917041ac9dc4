import Alarms
import CivilTime
import Foundation
import Synchronization
import Testing

@testable import StudyExport

private func day(_ day: Int64) -> Instant { Instant(milliseconds: day * 86_400_000) }

/// Tests the offsets of zones, the phases of a person, and the studies of a person.
@Suite struct StudyHistoryTests {
  private static let anna = PersonID("anna")

  @Test func `a zone is looked up once, and an unknown zone has the offset of the row`() throws {
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
    let berlin = try Zone(name: "Europe/Berlin", tzif: Array(file))
    let asked = Mutex<[String]>([])
    let zones = ExportZones { name in
      asked.withLock { $0.append(name) }
      return ["Europe/Berlin": berlin, "UTC": Zone.utc][name]
    }
    // On 2027-03-28 at 01:00 UTC, the clocks in Berlin are set forward by one hour.
    let change: Int64 = 1_806_195_600_000
    for (at, zone, offset) in [
      (change - 1, "Europe/Berlin", 3_600), (change, "Europe/Berlin", 7_200), (change, "UTC", 0),
      (0, "Mars", 77), (change, "Mars", 77), (change, "UTC", 0),
    ] as [(Int64, String, Int64)] {
      #expect(zones.offset(at: at, in: zone, recorded: 77) == offset, "\(at) \(zone)")
    }
    #expect(asked.withLock { $0 } == ["Europe/Berlin", "UTC", "Mars"])
  }

  @Test func `the phase and the study of a person are those at the instant`() {
    var history = StudyHistory()
    func found(_ at: Int64, of person: String? = "P-1") -> String {
      let phase = history.phase(of: person, at: day(at), recorded: "recorded")
      return (phase ?? "none") + " " + history.study(of: person, at: day(at), recorded: "recorded")
    }
    #expect(found(1) == "recorded recorded")
    let phases = [
      StudyPhase(kind: .prompted, from: day(2), to: day(4)),
      StudyPhase(kind: .control, from: day(4), to: day(6)),
    ]
    history.take(.phaseChanged(Self.anna, phases), of: "P-1", at: day(1))
    #expect(found(1) == "none recorded" && found(2) == "prompted recorded")
    #expect(found(4) == "control recorded" && found(6) == "none recorded")
    let first = Enrolment(study: "one", pseudonym: "A-1", arm: "", from: day(2), to: day(4))
    let second = Enrolment(study: "two", pseudonym: "A-1", arm: "", from: day(5))
    history.take(.enrolled(Self.anna, first), of: "P-1", at: day(2))
    #expect(found(1) == "none " && found(2) == "prompted one" && found(4) == "control ")
    history.take(.enrolled(Self.anna, second), of: "P-1", at: day(5))
    #expect(found(3) == "prompted one" && found(5) == "control two" && found(8) == "none two")
    history.take(.withdrawn(Self.anna, Withdrawal()), of: "P-1", at: day(7))
    #expect(found(6) == "none two" && found(7) == "none ")
    #expect(found(3, of: "P-2") == "recorded recorded")
    #expect(found(3, of: nil) == "recorded recorded")
    history.take(.rekeyed, of: "P-2", at: day(7))
    #expect(found(3, of: "P-2") == "recorded recorded")
  }

  @Test func `a row of a participant has its person, its study and its local beginning`() {
    var tables = ParticipantTables()
    tables.setZone("A", of: "P-1")
    let row = StudyRow(
      sequence: 3, person: "P-1", study: "one", at: day(1), zoneName: "B", utcOffsetSeconds: 60)
    let enrolment = Enrolment(study: "one", pseudonym: "A-1", arm: "", from: day(2))
    tables.take(.enrolled(Self.anna, enrolment), row)
    let zones = ExportZones { name, _ in ["A": 3_600][name] }
    let found = tables.participants
    #expect(found.map(\.person) == ["P-1"] && found.map(\.study) == ["one"])
    #expect(found.map { $0.localBeginSeconds(zones) } == [2 * 86_400 + 3_600])
    tables.setZone(nil, of: "P-1")
    #expect(tables.participants.map { $0.localBeginSeconds(zones) } == [2 * 86_400 + 60])
    #expect(tables.phases == [])
    #expect(tables.history.study(of: "P-1", at: day(2), recorded: "") == "one")
  }
}
