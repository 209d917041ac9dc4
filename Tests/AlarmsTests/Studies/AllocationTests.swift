import Testing

@testable import Alarms

@Suite struct `The allocation list and the consent` {
  private static let list = String(repeating: "0a", count: 32)
  private static let other = String(repeating: "0b", count: 32)

  /// Makes a home with two people.
  private func home() throws -> (CoreFixture, anna: PersonID) {
    var fixture = CoreFixture()
    let anna = PersonID("anna")
    try fixture.handle(.command(.addPerson(anna, PersonForm()), CoreFixture.researcher))
    return (fixture, anna)
  }

  @Test func `all enrolments of a study in a home come from the same list`() throws {
    var (fixture, anna) = try home()
    let first = try fixture.enrol("P-1") {
      $0.arm = "loud"
      $0.allocationSHA256 = Self.list.uppercased()
    }
    #expect(first.enrolments.last?.allocationSHA256 == Self.list)
    for wrong in [Self.other, nil] {
      let refusal = try #require(throws: Refusal.self) {
        try fixture.enrol("P-2", person: anna) {
          $0.arm = "quiet"
          $0.allocationSHA256 = wrong
        }
      }
      #expect(refusal.kind == .conflict && refusal.field == "allocation_sha256")
      #expect(refusal.detail.contains(Self.list))
    }
    // In a different study, an enrolment can name a different list.
    let free = try fixture.enrol("P-2", person: anna) {
      $0.study = "other"
      $0.arm = "quiet"
      $0.allocationSHA256 = Self.other
    }
    #expect(free.enrolments.last?.allocationSHA256 == Self.other)
  }

  @Test func `people without a list do not keep later people from a list`() throws {
    var (fixture, anna) = try home()
    try fixture.enrol("P-1") { $0.arm = "loud" }
    let later = try fixture.enrol("P-2", person: anna) {
      $0.arm = "quiet"
      $0.allocationSHA256 = Self.list
    }
    #expect(later.enrolments.last?.allocationSHA256 == Self.list)
  }

  @Test func `a list needs a SHA-256 and an arm`() throws {
    for (text, arm, field) in [
      ("", "loud", "allocation_sha256"), (Self.list + "0", "loud", "allocation_sha256"),
      (String(Self.list.dropLast()), "loud", "allocation_sha256"),
      (Self.list.dropLast() + "g", "loud", "allocation_sha256"), (Self.list, nil, "arm"),
    ] as [(String, String?, String)] {
      var fixture = CoreFixture()
      let refusal = try #require(throws: Refusal.self) {
        try fixture.enrol {
          $0.arm = arm
          $0.allocationSHA256 = text
        }
      }
      #expect(refusal.kind == .invalidField && refusal.field == field, "\(text)")
      #expect(fixture.home.people[.patient]?.enrolments == [])
    }
  }

  @Test func `the scope of a consent is a list of codes in a fixed order`() throws {
    for (text, scope) in [
      ("photos, this_study", [.thisStudy, .photos]), ("data_sharing", [.dataSharing]),
      ("this_study,this_study", [.thisStudy]),
    ] as [(String, [ConsentScope])] {
      var fixture = CoreFixture()
      let state = try fixture.enrol { $0.consentScope = text }
      #expect(state.enrolments.last?.consentScope == scope, "\(text)")
    }
    for text in ["", "photos,", "Photos", "photos;this_study", "all"] {
      var fixture = CoreFixture()
      let refusal = try #require(throws: Refusal.self) {
        try fixture.enrol { $0.consentScope = text }
      }
      #expect(refusal.field == "consent_scope", "\(text)")
    }
  }

  @Test func `a withdrawal says what the study may still use`() throws {
    var fixture = CoreFixture()
    try fixture.enrol()
    let withdrawal = Withdrawal(reason: "", code: .bySubject, dataUse: DataUse.none)
    let command = Command.withdraw(.patient, withdrawal, erasing: nil)
    try fixture.handle(.command(command, CoreFixture.researcher))
    #expect(fixture.records.last?.event == .withdrawn(.patient, withdrawal))
  }

  @Test func `the study that is still open is the first by the id of its person`() throws {
    var fixture = CoreFixture()
    let admin = CoreFixture.researcher
    for name in ["berta", "zoe", "carl"] {
      try fixture.handle(.command(.addPerson(PersonID(name), PersonForm()), admin))
      let form = EnrolmentForm(study: "trial", pseudonym: "P-\(name)")
      try fixture.handle(.command(.enrol(PersonID(name), form), admin))
    }
    let now = fixture.now.wall
    #expect(fixture.home.openStudy(at: now)?.hasPrefix("\"berta\" takes part") == true)
  }

  @Test func `a withdrawal before the start ends the enrolment at once`() throws {
    var fixture = CoreFixture()
    try fixture.enrol {
      $0.from = "2030-12-05"
      $0.hidesPhases = true
    }
    let left = try fixture.withdraw()
    let now = fixture.now.wall
    #expect(left.enrolments.last?.isOpen(at: now) == false && !left.hidesPhases(at: now))
    #expect(fixture.home.openStudy(at: now) == nil)
    // After the withdrawal, the person can take part in a study again. This study can be different
    // from the first study.
    #expect(try fixture.enrol { $0.study = "other" }.enrolments.last?.isOpen(at: now) == true)
  }

  @Test func `a person can forbid the use of the data after the end`() throws {
    let none = Command.withdraw(
      .patient, Withdrawal(reason: "", dataUse: DataUse.none), erasing: nil)
    let until = Command.withdraw(
      .patient, Withdrawal(reason: "x", dataUse: .untilWithdrawal), erasing: nil)
    for isWithdrawn in [true, false] {
      var fixture = CoreFixture()
      let enrolled = try fixture.enrol { $0.to = isWithdrawn ? nil : "2027-01-31" }
      if isWithdrawn { try fixture.withdraw() }
      fixture.pass(seconds: 900 * 86_400)
      // After the end of the enrolment, the daemon refuses two withdrawals: `until`, which still
      // permits a use of the data, and a withdrawal that does not say how the data may be used.
      for command in [until, Command.withdraw(.patient, Withdrawal(reason: ""), erasing: nil)] {
        let refusal = try #require(throws: Refusal.self) {
          try fixture.handle(.command(command, CoreFixture.researcher))
        }
        #expect(refusal.kind == .conflict && refusal.detail.contains("no longer takes part"))
      }
      let before = fixture.home.people[.patient]
      try fixture.handle(.command(none, CoreFixture.researcher))
      let record = try #require(fixture.records.last)
      #expect(record.event == .withdrawn(.patient, Withdrawal(reason: "", dataUse: DataUse.none)))
      #expect(record.study == "trial" && fixture.home.people[.patient] == before)
      #expect(before?.enrolments.last?.isWithdrawn == isWithdrawn && enrolled.enrolments.count == 1)
    }
  }

  @Test func `a withdrawal of an unknown person says that there is no such person`() throws {
    var fixture = CoreFixture()
    let command = Command.withdraw(PersonID("ana"), Withdrawal(reason: ""), erasing: nil)
    let refusal = try #require(throws: Refusal.self) {
      try fixture.handle(.command(command, CoreFixture.researcher))
    }
    #expect(refusal.kind == .notFound)
  }
}
