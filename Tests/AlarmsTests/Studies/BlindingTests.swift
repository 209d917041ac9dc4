import Testing

@testable import Alarms

@Suite struct BlindingTests {
  private static let admin = Actor(role: .admin, id: "uid:0", source: "socket")

  private func enrol(
    _ fixture: inout CoreFixture, _ person: PersonID, arm: String?, code: String?, pseudonym: String
  ) throws -> Enrolment? {
    let form = EnrolmentForm(
      study: "trial", pseudonym: pseudonym, arm: arm, armCode: code, consent: "2.1")
    try fixture.handle(.command(.enrol(person, form), Self.admin))
    return fixture.home.people[person]?.enrolments.last
  }

  @Test func `a blinded enrolment shows the code until the study is unblinded`() throws {
    var fixture = CoreFixture()
    let first = try enrol(&fixture, .patient, arm: "reminders", code: "X", pseudonym: "P-1")
    #expect(first?.isBlinded == true && first?.shownArm == "X" && first?.consent == "2.1")
    try fixture.handle(.command(.unblind(study: "trial"), Self.admin))
    let event = try #require(fixture.records.last)
    #expect(event.event == .unblinded(.patient, study: "trial") && event.study == "trial")
    let after = fixture.home.people[.patient]?.enrolments.last
    #expect(after?.isBlinded == false && after?.shownArm == "reminders")
    // Nobody can undo the unblinding, and a study can be unblinded only once. The daemon also
    // refuses to unblind a study in which nobody takes part.
    #expect(throws: Refusal.self) {
      try fixture.handle(.command(.unblind(study: "trial"), Self.admin))
    }
    #expect(throws: Refusal.self) {
      try fixture.handle(.command(.unblind(study: "other"), Self.admin))
    }
  }

  @Test func `each arm has one code, and each code has one arm`() throws {
    var fixture = CoreFixture()
    let anna = PersonID("anna")
    try fixture.handle(.command(.addPerson(anna, PersonForm()), Self.admin))
    _ = try enrol(&fixture, .patient, arm: "reminders", code: "X", pseudonym: "P-1")
    let wrong: [(String?, String?)] = [
      ("reminders", "Y"), ("usual", "X"), ("usual", nil), (nil, "Y"), ("y", "Y"),
    ]
    for (arm, code) in wrong {
      #expect(throws: Refusal.self, "\(arm ?? "-") \(code ?? "-")") {
        _ = try enrol(&fixture, anna, arm: arm, code: code, pseudonym: "P-2")
      }
    }
    #expect(fixture.home.people[anna]?.enrolments == [])
    #expect(try enrol(&fixture, anna, arm: "usual", code: "Y", pseudonym: "P-2")?.shownArm == "Y")
  }

  @Test func `a crossover has a run-in, wash-outs and a follow-up`() throws {
    var fixture = CoreFixture()
    let form = CrossoverForm(
      start: nil, days: 7, order: "ABA", runInDays: 2, washoutDays: 3, followUpDays: 4)
    try fixture.handle(.command(.crossover(.patient, form), CoreFixture.researcher))
    let phases = fixture.home.people[.patient]?.phases ?? []
    #expect(
      phases.map(\.kind) == [
        .runIn, .prompted, .washout, .control, .washout, .prompted, .followUp,
      ])
    for (one, next) in zip(phases, phases.dropFirst()) { #expect(one.to == next.from) }
    let wrong = CrossoverForm(days: 7, order: "AB", washoutDays: 0)
    #expect(throws: Refusal.self) { _ = try wrong.phases(of: [.prompted, .control]) }
  }

  @Test func `a note needs a study, and only an adverse event is serious`() throws {
    var fixture = CoreFixture()
    let note = StudyNote(kind: .adverseEvent, text: "fell", isSerious: true)
    #expect(throws: Refusal.self) {
      try fixture.handle(.command(.noteStudy(.patient, note), CoreFixture.researcher))
    }
    _ = try enrol(&fixture, .patient, arm: nil, code: nil, pseudonym: "P-1")
    try fixture.handle(.command(.noteStudy(.patient, note), CoreFixture.researcher))
    #expect(fixture.records.last?.event == .studyNoted(.patient, note))
    #expect(fixture.records.last?.event.type == "adverse_event")
    for wrong in [
      StudyNote(kind: .deviation, text: "late", isSerious: true),
      StudyNote(kind: .deviation, text: ""),
    ] {
      #expect(throws: Refusal.self) {
        try fixture.handle(.command(.noteStudy(.patient, wrong), CoreFixture.researcher))
      }
    }
  }
}
