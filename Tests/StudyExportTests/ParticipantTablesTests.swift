import Alarms
import CivilTime
import Testing

@testable import StudyExport

private func day(_ day: Int, hour: Int = 0) -> Instant {
  Instant(milliseconds: Int64(day * 24 + hour) * 3_600_000)
}

private func phase(_ kind: StudyPhase.Kind, _ from: Int, _ to: Int?) -> StudyPhase {
  StudyPhase(kind: kind, from: day(from), to: to.map { day($0) })
}

/// Tests the first plan and the actual times of each phase.
///
/// The table phases.csv contains both.
@Suite struct `Planned and actual phases` {
  private func plans(_ lists: [[StudyPhase]]) -> [PhasePlans.Phase] {
    lists.reduce(into: PhasePlans()) { $0.take($1, study: "trial") }.rows
  }

  private func row(
    _ kind: StudyPhase.Kind, _ from: Int?, _ to: Int?, planned: (Int, Int?)
  ) -> PhasePlans.Phase {
    PhasePlans.Phase(
      kind: kind, study: "trial", from: from.map { day($0) }, to: to.map { day($0) },
      plannedFrom: day(planned.0),
      plannedTo: planned.1.map { day($0) })
  }

  @Test func `a withdrawal cuts a phase and removes the next ones`() {
    let found = plans([
      [phase(.prompted, 1, 15), phase(.control, 15, 29), phase(.followUp, 29, 36)],
      [phase(.prompted, 1, 9)],
    ])
    #expect(
      found == [
        row(.prompted, 1, 9, planned: (1, 15)), row(.control, nil, nil, planned: (15, 29)),
        row(.followUp, nil, nil, planned: (29, 36)),
      ])
  }

  @Test func `an open phase keeps its plan without an end when the next one ends it`() {
    let found = plans([
      [phase(.prompted, 1, nil)], [phase(.prompted, 1, 8), phase(.control, 8, nil)],
    ])
    #expect(
      found == [row(.prompted, 1, 8, planned: (1, nil)), row(.control, 8, nil, planned: (8, nil))])
  }

  @Test func `a phase that was planned again has two rows`() {
    let found = plans([
      [phase(.prompted, 1, 8), phase(.control, 8, 15)], [phase(.prompted, 1, 8)],
      [phase(.prompted, 1, 8), phase(.control, 10, 17)],
    ])
    #expect(
      found == [
        row(.prompted, 1, 8, planned: (1, 8)), row(.control, 10, 17, planned: (10, 17)),
        row(.control, nil, nil, planned: (8, 15)),
      ])
  }

  /// The plan of a removed phase must not become the plan of a phase of a different kind that
  /// begins at the same time.
  @Test func `another kind at the same time is another phase`() {
    let found = plans([[phase(.control, 8, 15)], [], [phase(.prompted, 8, 12)]])
    #expect(
      found == [
        row(.prompted, 8, 12, planned: (8, 12)), row(.control, nil, nil, planned: (8, 15)),
      ])
  }
}

@Suite struct `The monitored time of a phase` {
  @Test func `gaps count once, and the time ends with the record`() {
    // The gaps on a time line. The gap from 20 to 15 is empty, because it ends before it begins.
    // 0---10   15-20   30-----------
    //    5--12              the record ends at 50
    let time = PhaseTime(end: 50, gaps: [(30, 100), (5, 12), (0, 10), (20, 15), (15, 20)])
    for (from, to, wanted) in [
      (0, 12, 0), (0, 50, 13), (12, 15, 3), (10, 20, 3), (20, 200, 10), (20, nil, 10),
      (13, 13, 0), (60, 70, 0), (49, 45, 0), (22, 25, 3),
    ] as [(Int64, Int64?, Int64)] {
      #expect(time.milliseconds(from: from, to: to) == wanted, "\(from) to \(to ?? -1)")
    }
  }

  @Test func `another clock measures the period and the gaps`() {
    let time = PhaseTime(end: 100, gaps: [(10, 20)])
    // The other clock jumps forward by 5 at the time 15, which is in the gap, and by 7 at the time
    // 50. The monitored time is 60 without the gap of 10, plus 7.
    let found = time.milliseconds(from: 0, to: 60) { $0 + ($0 >= 15 ? 5 : 0) + ($0 >= 50 ? 7 : 0) }
    #expect(found == 57)
  }
}

/// Tests the rows of participants.csv and phases.csv, mostly in the profile `limited`.
@Suite struct `The tables about participants` {
  private struct Stored: PseudonymKey {
    var isSet: Bool { false }
    var hidesChain: Bool { false }
    func name(_ stored: String) -> String { stored }
    func document(_ stored: String) -> String { stored }
  }

  private let anna = PersonID("anna")
  private let zones = ExportZones { zone, _ in ["A": 3_600, "B": 7_200][zone] }

  private func row(_ sequence: Int64, _ person: String?, _ at: Int, study: String = "one")
    -> StudyRow
  {
    StudyRow(
      sequence: sequence, person: person, study: study, at: day(at), zoneName: "A",
      utcOffsetSeconds: 60)
  }

  private func cells(
    _ table: ExportTable, _ profile: ExportProfile = .limited,
    _ write: (inout ExportEncoder) -> Void
  ) throws -> [String: String] {
    var encoder = ExportEncoder(
      table, profile, firstDay: 0, pseudonyms: Stored(), opaque: { $1 })
    encoder.appendHeader()
    write(&encoder)
    encoder.endRow()
    let rows = try CSV.rows(encoder.bytes).map { $0.map(\.text) }
    return Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
  }

  private func participants(
    _ events: [(Event, StudyRow)], zone: String? = nil, hidden: Int64 = 0
  ) throws -> [[String: String]] {
    try tables(events, zone: zone).participants.map { row in
      try cells(.participants) { row.write(to: &$0, .limited, zones, hidden: hidden) }
    }
  }

  private func tables(_ events: [(Event, StudyRow)], zone: String? = nil) -> ParticipantTables {
    var tables = ParticipantTables()
    if let zone { tables.setZone(zone, of: "P-1") }
    for (event, row) in events { tables.take(event, row) }
    return tables
  }

  private func enrolled(
    _ study: String, _ from: Int, to: Int? = nil, code: String = "A-1"
  ) -> Event {
    .enrolled(
      anna,
      Enrolment(study: study, pseudonym: code, arm: "AB", from: day(from), to: to.map { day($0) }))
  }

  @Test func `a withdrawal ends the last enrolment, and what a person forbade stays forbidden`()
    throws
  {
    let found = try participants([
      (enrolled("one", 1, to: 3), row(1, "P-1", 1)), (enrolled("two", 5), row(2, "P-1", 5)),
      (
        .withdrawn(anna, Withdrawal(reason: "x", code: .other, dataUse: DataUse.none)),
        row(3, "P-1", 8)
      ),
      (.withdrawn(anna, Withdrawal(dataUse: .untilWithdrawal)), row(4, "P-1", 9)),
    ])
    #expect(found.map { $0["study_id"] } == ["one", "two"])
    #expect(found.map { $0["is_withdrawn"] } == ["false", "true"])
    #expect(found.map { $0["to_utc"] } == ["1970-01-04T00:00:00.000Z", "1970-01-09T00:00:00.000Z"])
    #expect(found.map { $0["withdrawn_utc"] } == ["", "1970-01-09T00:00:00.000Z"])
    #expect(found.map { $0["reason_code"] } == ["", "other"])
    #expect(found.map { $0["data_use"] } == ["", "none"])
    #expect(found.map { $0["kept"] } == ["all", "all"])
    #expect(found.allSatisfy { $0["reason"] == nil })
  }

  @Test func `a withdrawal before the enrolment begins ends it at its beginning`() throws {
    let found = try participants([
      (enrolled("one", 7), row(1, "P-1", 1)), (.withdrawn(anna, Withdrawal()), row(2, "P-1", 2)),
    ])
    #expect(found.map { $0["to_utc"] } == ["1970-01-08T00:00:00.000Z"])
    #expect(found.map { $0["withdrawn_utc"] } == ["1970-01-03T00:00:00.000Z"])
  }

  @Test func `an erasure of the identity counts more than one of the texts`() throws {
    let begin = (enrolled("one", 1), row(1, "P-1", 1))
    for (erasures, kept) in [
      ([], "all"), ([.words(anna)], "no_words"), ([.identity(anna), .words(anna)], "no_identity"),
    ] as [([Erasure], String)] {
      let events = erasures.map { (Event.erased($0), row(2, "P-1", 2)) }
      #expect(try participants([begin] + events).map { $0["kept"] } == [kept])
    }
    // An erasure of the texts of Bob changes nothing in the row of Anna.
    let other = (Event.erased(.words(PersonID("bob"))), row(2, "P-2", 2))
    #expect(try participants([begin, other]).map { $0["kept"] } == ["all"])
  }

  @Test func `the arm of a blinded enrolment is its code until the study is unblinded`() throws {
    let blinded = Event.enrolled(
      anna,
      Enrolment(
        study: "one", pseudonym: "", arm: "AB", armCode: "X", allocationSHA256: "9f", from: day(1)))
    let before = try participants([(blinded, row(1, "P-1", 1))])
    #expect(
      before.map { [$0["arm"], $0["is_blinded"], $0["allocation_sha256"]] } == [["X", "true", ""]])
    for (study, arm) in [("one", "AB"), ("two", "X")] {
      let after = try participants([
        (blinded, row(1, "P-1", 1)), (.unblinded(anna, study: study), row(2, "P-1", 2)),
      ])
      #expect(after.map { $0["arm"] } == [arm])
    }
  }

  @Test func `the code of a participant is shown if it is plain and not from before a rekey`()
    throws
  {
    let events = [
      (enrolled("one", 1), row(4, "P-1", 1)), (enrolled("two", 9, code: "Anna"), row(6, "P-1", 9)),
    ]
    #expect(try participants(events).map { $0["participant"] } == ["A-1", ""])
    #expect(try participants(events, hidden: 4).map { $0["participant"] } == ["", ""])
  }

  @Test func `people are in the order of their pseudonyms, with local times in their zones`() throws
  {
    let events = [
      (enrolled("one", 1), row(1, "P-2", 1)), (enrolled("one", 1), row(2, "P-1", 1)),
      (enrolled("two", 2), row(3, "P-2", 1)),
    ]
    let found = try participants(events, zone: "B")
    #expect(found.map { $0["person"] } == ["P-1", "P-2", "P-2"])
    #expect(
      found.map { $0["from_local"] } == [
        "1970-01-02T02:00:00.000", "1970-01-02T01:00:00.000", "1970-01-03T01:00:00.000",
      ])
    // The zone C is unknown, so the export uses the offset in the row of the event (60 s).
    let unknown = try participants(events, zone: "C")
    #expect(unknown.first?["from_local"] == "1970-01-02T00:01:00.000")
  }

  @Test func `a phase has its monitored time, its plan and its study`() throws {
    let events: [(Event, StudyRow)] = [
      (.phaseChanged(anna, [phase(.prompted, 2, 4)]), row(1, "P-1", 0, study: "")),
      (enrolled("two", 1), row(2, "P-1", 1)),
      (.phaseChanged(anna, [phase(.prompted, 2, 3), phase(.control, 3, nil)]), row(3, "P-1", 2)),
    ]
    let time = PhaseTime(
      end: day(4).milliseconds, gaps: [(day(3).milliseconds, day(3, hour: 6).milliseconds)])
    let found = try tables(events).phases.map { row in
      try cells(.phases) { row.write(to: &$0, .limited, zones, time) }
    }
    #expect(found.map { $0["phase_no"] } == ["1", "2"])
    #expect(found.map { $0["phase"] } == ["prompted", "control"])
    #expect(found.map { $0["monitored_s"] } == ["86400", "64800"])
    #expect(found.map { $0["seq"] } == ["3", "3"])
    #expect(found.map { $0["to_utc"] } == ["1970-01-04T00:00:00.000Z", ""])
    #expect(found.map { $0["planned_to_utc"] } == ["1970-01-05T00:00:00.000Z", ""])
    // The event that planned the first phase names no study. The person takes part in the study
    // "two" when this phase begins. The event that planned the second phase names the study "one".
    #expect(found.map { $0["study_id"] } == ["two", "one"])
  }

  @Test func `a removed phase has no monitored time, and safe harbor has whole hours`() throws {
    let events: [(Event, StudyRow)] = [
      (
        .phaseChanged(anna, [phase(.prompted, 2, 4), phase(.control, 4, nil)]),
        row(1, "P-1", 0, study: "")
      ),
      (.phaseChanged(anna, [phase(.prompted, 2, 4)]), row(2, "P-1", 1)),
      (enrolled("two", 1, to: 5), row(3, "P-1", 1)),
    ]
    // The phase lasts 48 hours and contains a gap of 90 minutes. At the end of the gap, the local
    // clock jumps forward by 10 minutes.
    let (from, to) = (day(3).milliseconds, day(3, hour: 1).milliseconds + 1_800_000)
    let time = PhaseTime(end: day(9).milliseconds, gaps: [(from, to)])
    let jumping = ExportZones { _, at in at >= to ? 600 : 0 }
    for (profile, monitored) in [
      (ExportProfile.limited, "167400"), (.identified, "167400"), (.safeHarbor, "165600"),
    ] {
      let found = try tables(events).phases.map { row in
        try cells(.phases, profile) { row.write(to: &$0, profile, jumping, time) }
      }
      #expect(found.map { $0["monitored_s"] } == [monitored, "0"], "\(profile)")
      #expect(found.map { $0["phase"] } == ["prompted", "control"])
      // At the planned beginning of the removed phase (day 4), the person takes part in the study
      // "two".
      #expect(found.map { $0["study_id"] } == ["two", "two"])
    }
  }

  @Test func `in safe harbor, a phase has the whole hours of the local clock`() throws {
    let event = Event.phaseChanged(anna, [phase(.prompted, 2, 4)])
    let time = PhaseTime(end: day(9).milliseconds, gaps: [])
    // The phase lasts 48 hours. During the phase, the local clock is set back by `seconds`.
    for (seconds, monitored) in [(0, "172800"), (1, "169200"), (3_600, "169200")] {
      let zones = ExportZones { _, at in at < day(3).milliseconds ? 0 : -Int64(seconds) }
      for row in tables([(event, row(1, "P-1", 0))]).phases {
        let found = try cells(.phases, .safeHarbor) { row.write(to: &$0, .safeHarbor, zones, time) }
        #expect(found["monitored_s"] == monitored, "\(seconds)")
      }
    }
  }

  @Test func `a participant has its consent and whether the phases are hidden`() throws {
    for (scope, cell) in [
      ([], ""), (ConsentScope.allCases.prefix(1), ConsentScope.allCases[0].rawValue),
      (
        ConsentScope.allCases.prefix(2),
        ConsentScope.allCases.prefix(2).map(\.rawValue).joined(separator: "|")
      ),
    ] as [(ArraySlice<ConsentScope>, String)] {
      var enrolment = Enrolment(study: "one", pseudonym: "A-1", arm: "AB", from: day(1))
      enrolment.consent = "v2"
      enrolment.consentScope = Array(scope)
      enrolment.hidesPhases = !scope.isEmpty
      let found = try participants([(.enrolled(anna, enrolment), row(7, "P-1", 1))])
      #expect(found.map { $0["consent"] } == ["v2"] && found.map { $0["seq"] } == ["7"])
      #expect(found.map { $0["consent_scope"] } == [cell])
      #expect(found.map { $0["hides_phases"] } == ["\(!scope.isEmpty)"])
    }
  }

  @Test func `rows about no person change only phases`() {
    let found = tables([
      (enrolled("one", 1), row(1, nil, 1)),
      (.phaseChanged(anna, [phase(.control, 2, nil)]), row(2, nil, 1)),
      (.phaseChanged(anna, [phase(.prompted, 2, nil)]), row(3, "P-1", 1)),
    ])
    #expect(found.participants.isEmpty)
    #expect(found.phases.map(\.row.person) == [nil, "P-1"])
  }
}
