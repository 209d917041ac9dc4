import CivilTime
import Testing

@testable import Alarms

@Suite struct `The code of a participant` {
  @Test(arguments: [
    "all", "ALL", "unknown", "NA", "na", "NaN", "null", "None", "TRUE", "true", "T", "f", "Inf",
    "1e5", "1E5", "1.5e3", "1e-5", "1d5", "0x1F", "3-4", "1-2-2026", "2026-12-01", "12.5", "1.2.3",
    "-5", "-P1", "5-", ".5", "MAR-1", "Sept2", "1dec2026", "3.okt", "1-mai", "1234567890123456",
  ])
  func `that a spreadsheet or R reads as another value is refused, with the reason`(
    code: String
  ) throws {
    var fixture = CoreFixture()
    let count = fixture.records.count
    let refusal = refusal { try fixture.enrol(code) }
    #expect(refusal?.kind == .invalidField && refusal?.field == "pseudonym", "\(code)")
    #expect(refusal?.detail.contains("\"\(code)\"") == true, "\(code)")
    #expect(refusal?.detail.contains("P-017") == true, "\(code)")
    #expect(fixture.records.count == count)
    #expect(fixture.home.people[.patient]?.enrolments ?? [] == [])
  }

  @Test(arguments: [
    "P-017", "P1", "17", "017", "101", "e5", "A1e5", "E-1", "x1F", "P.1", "1_2", "march", "MARS1",
    "a-mar-1", "allan", "TF", "nana", "S01-003", "12ab", "3a",
  ])
  func `that other programs keep is accepted`(code: String) throws {
    var fixture = CoreFixture()
    let state = try fixture.enrol(code)
    #expect(state.enrolments.map(\.pseudonym) == [code])
  }

  @Test(arguments: [
    ("017", "17"), ("17", "017"), ("17", "00017"), ("0", "00"), ("P-1", "p-1"), ("p017", "P017"),
  ])
  func `that differs only in case or leading zeros belongs to one participant`(
    first: String, second: String
  ) throws {
    var fixture = CoreFixture()
    try fixture.person("anna") { _ in }
    try fixture.enrol(first)
    let refusal = refusal { try fixture.enrol(second, person: PersonID("anna")) }
    #expect(refusal?.kind == .conflict && refusal?.field == "pseudonym")
    #expect(refusal?.detail.contains("\"\(first)\"") == true, "\(refusal?.detail ?? "")")
    #expect(refusal?.detail.contains("\"\(second)\"") == true, "\(refusal?.detail ?? "")")
    #expect(fixture.home.people[PersonID("anna")]?.enrolments == [])
    try fixture.enrol("P-2", person: PersonID("anna"))
  }

  @Test func `is independent of the codes of another study`() throws {
    var fixture = CoreFixture()
    try fixture.person("anna") { _ in }
    try fixture.enrol("017")
    try fixture.enrol("17", person: PersonID("anna")) { $0.study = "other" }
  }

  @Test func `of an earlier record stays as it is`() {
    let enrolment = Enrolment(study: "trial", pseudonym: "NA", from: Instant(milliseconds: 0))
    var replay = Replay()
    replay.apply(.enrolled(.patient, enrolment), at: CoreFixture().now)
    #expect(replay.people[.patient]?.enrolments == [enrolment])
  }
}
