import Testing

@testable import Report

@Suite struct `The allocation list of a trial` {
  private static let digest = String(repeating: "0a", count: 32)

  private func list(_ rows: [AllocationList.Row]) throws -> AllocationList {
    let hasCodes = rows.contains { $0.armCode != nil }
    return try AllocationList(
      rows, columns: ["participant", "arm"] + (hasCodes ? ["arm_code"] : []), sha256: Self.digest)
  }

  @Test(arguments: [
    (
      ["participant", "arm", "arm code"], "the column \"arm code\" must have the name \"arm_code\""
    ),
    (["Participant", "arm"], "the column \"Participant\" must have the name \"participant\""),
    (["participant", "arm", "arm"], "it has two columns \"arm\""),
    (
      ["participant;arm"], "it has no column \"participant\"; its first line is \"participant;arm\""
    ),
    (["participant", "arm", "arm_code"], "its column \"arm_code\" is empty"),
  ])
  func `a list with a misspelled column is refused`(columns: [String], words: String) throws {
    let error = try #require(throws: AllocationError.self) {
      try AllocationList(
        [.init(participant: "P-1", arm: "loud")], columns: columns, sha256: Self.digest)
    }
    #expect(error.description.contains(words), "\(error)")
  }

  @Test func `a person who used two rows of the list is found`() throws {
    let check = AllocationCheck(
      try list(Self.rows), [enrolment("P-1", "loud"), enrolment("P-2", "quiet")])
    #expect(check.findings.map(\.kind) == [.secondRow])
    #expect(
      AllocationCheck(try list(Self.rows), [enrolment("P-1", "loud"), enrolment("P-1", "loud")])
        .findings == [])
  }

  private static let rows: [AllocationList.Row] = [
    .init(participant: "P-1", arm: "loud", armCode: "X"),
    .init(participant: "P-2", arm: "quiet", armCode: "Y"),
    .init(participant: "P-3", arm: "loud", armCode: "X"),
    .init(participant: "P-4", arm: "quiet", armCode: "Y"),
  ]

  @Test func `a list has one row and one arm for each participant`() throws {
    #expect(try list(Self.rows).row(of: "P-3")?.arm == "loud")
    #expect(try list(Self.rows).row(of: "p-3") == nil)
    for (rows, words) in [
      ([], "no rows"),
      ([.init(participant: "P 1", arm: "loud")], "row 2: \"P 1\" contains a space"),
      ([.init(participant: "", arm: "loud")], "row 2 has no participant"),
      ([.init(participant: "P-1", arm: "")], "row 2 has no arm"),
      (
        [.init(participant: "P-1", arm: "a"), .init(participant: "p-1", arm: "b")],
        "rows 2 and 3 are about the same participant"
      ),
      (
        [.init(participant: "P-1", arm: "a", armCode: "X"), .init(participant: "P-2", arm: "b")],
        "row 3 has no arm_code"
      ),
      (
        [
          .init(participant: "P-1", arm: "a", armCode: "X"),
          .init(participant: "P-2", arm: "b", armCode: "X"),
        ], "row 3: each arm must have one arm_code"
      ),
      (
        [
          .init(participant: "P-1", arm: "a", armCode: "X"),
          .init(participant: "P-2", arm: "a", armCode: "Y"),
        ], "row 3: each arm must have one arm_code"
      ),
    ] as [([AllocationList.Row], String)] {
      let error = try #require(throws: AllocationError.self) { try list(rows) }
      #expect(error.description.contains(words), "\(error)")
    }
  }

  private func enrolment(
    _ participant: String?, _ arm: String?, blinded: Bool = false, from sha256: String? = digest,
    of person: String = "P-4k9x2m7q"
  ) -> AllocationCheck.Enrolment {
    .init(
      person: person, participant: participant, arm: arm, isBlinded: blinded,
      sha256: blinded ? nil : sha256)
  }

  @Test func `enrolments that agree with the list give no finding`() throws {
    let check = AllocationCheck(
      try list(Self.rows),
      [enrolment("P-3", "loud"), enrolment("P-1", "X", blinded: true, of: "P-7m2xk4q9")])
    #expect(check.findings == [] && check.enrolments == 2 && check.blinded == 1)
    #expect(check.unused == ["P-2", "P-4"])
    // No enrolment uses the row P-2, but an enrolment uses the later row P-3.
    #expect(check.skipped == ["P-2"])
  }

  @Test func `each difference has a kind`() throws {
    let cases: [(AllocationCheck.Enrolment, AllocationCheck.Finding.Kind)] = [
      (enrolment(nil, "loud"), .noCode),
      (enrolment("P-9", "loud"), .notInList),
      (enrolment("P-1", "quiet"), .otherArm),
      (enrolment("P-1", nil), .otherArm),
      (enrolment("P-1", "Y", blinded: true), .otherArm),
      // The export is unblinded, but this enrolment still contains the code X instead of the arm.
      (enrolment("P-1", "X"), .otherArm),
      (enrolment("P-1", "loud", from: nil), .noList),
      (enrolment("P-1", "loud", from: String(repeating: "0b", count: 32)), .otherList),
    ]
    for (one, kind) in cases {
      let check = AllocationCheck(try list(Self.rows), [one])
      #expect(check.findings.map(\.kind) == [kind], "\(kind)")
    }
    // These cases lack only the kind `secondRow`, which the test above checks.
    #expect(Set(cases.map(\.1) + [.secondRow]) == Set(AllocationCheck.Finding.Kind.allCases))
  }
}
