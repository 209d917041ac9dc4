import CivilTime
import Testing

@testable import Alarms

private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

/// Tests of one enrolment, and of the list of a person's enrolments.
@Suite struct `An enrolment` {
  private func state(_ enrolments: Enrolment...) -> PersonState {
    PersonState(id: .patient, enrolments: enrolments)
  }

  private func enrolment(
    _ study: String = "S", from: Int64 = 10, to: Int64? = nil,
    _ edit: (inout Enrolment) -> Void = { _ in }
  ) -> Enrolment {
    var enrolment = Enrolment(study: study, pseudonym: "P1", from: at(from), to: to.map(at))
    edit(&enrolment)
    return enrolment
  }

  @Test func `contains its first instant, but not its end`() {
    let bound = enrolment(to: 20)
    #expect([9, 10, 19, 20].map { bound.contains(at($0)) } == [false, true, true, false])
    #expect([9, 10, 19, 20].map { bound.isOpen(at: at($0)) } == [true, true, true, false])
    let endless = enrolment()
    #expect([9, 10, 99].map { endless.contains(at($0)) } == [false, true, true])
    #expect(endless.isOpen(at: at(99)))
    let over = enrolment { $0.isWithdrawn = true }
    #expect(!over.isOpen(at: at(15)) && over.contains(at(15)))
  }

  @Test func `shows the code of a blinded arm until it is unblinded`() {
    var one = enrolment { ($0.arm, $0.armCode) = ("BA", "X") }
    #expect(one.isBlinded && one.shownArm == "X" && one.order == "BA")
    one.isUnblinded = true
    #expect(!one.isBlinded && one.shownArm == "BA")
    let open = enrolment { $0.arm = "AB" }
    #expect(!open.isBlinded && open.shownArm == "AB")
  }

  @Test func `that is newest and contains the instant counts`() {
    let person = state(
      enrolment("A", from: 10, to: 30), enrolment("B", from: 20, to: 40),
      enrolment("C", from: 50))
    #expect(
      [9, 10, 20, 39, 40, 50].map { person.enrolment(at: at($0))?.study }
        == [nil, "A", "B", "B", nil, "C"])
  }

  @Test func `that hides phases hides them only while it is open`() {
    let person = state(
      enrolment(to: 20) { $0.hidesPhases = true }, enrolment("B", from: 20))
    #expect([5, 19, 20].map { person.hidesPhases(at: at($0)) } == [true, true, false])
    #expect(!state(enrolment()).hidesPhases(at: at(15)))
  }

  @Test func `of one study is unblinded in all its parts`() {
    var person = state(enrolment("A"), enrolment("B"), enrolment("A"))
    person.unblind("A")
    #expect(person.enrolments.map(\.isUnblinded) == [true, false, true])
  }

  @Test func `ends at the withdrawal, but never before it begins or after its end`() {
    for (to, now, end) in [
      (nil, 15, 15), (20, 15, 15), (nil, 5, 10), (20, 5, 10), (20, 10, 10),
    ] as [(Int64?, Int64, Int64)] {
      var person = state(enrolment("A", from: 1, to: 9), enrolment("B", from: 10, to: to))
      person.withdraw(at: at(now))
      #expect(person.enrolments[1].to == at(end) && person.enrolments[1].isWithdrawn)
      #expect(person.enrolments[0] == enrolment("A", from: 1, to: 9))
    }
    for last in [enrolment("B", to: 20), enrolment("B") { $0.isWithdrawn = true }] {
      var person = state(last)
      person.withdraw(at: at(20))
      #expect(person == state(last))
    }
    var nobody = state()
    nobody.withdraw(at: at(20))
    #expect(nobody == state())
  }

  @Test func `does not silence a person, but a pause or a control phase does`() {
    var person = state(enrolment())
    #expect(!person.isSilenced(at: at(15)))
    person.pause = PersonPause(until: at(20))
    #expect([19, 20].map { person.isSilenced(at: at($0)) } == [true, false])
    person.pause = PersonPause()
    #expect(person.isSilenced(at: at(99)))
    person.pause = nil
    person.phases = [
      StudyPhase(kind: .control, from: at(10), to: at(20)),
      StudyPhase(kind: .prompted, from: at(20), to: at(30)),
    ]
    #expect(
      [9, 10, 19, 20, 30].map { person.isSilenced(at: at($0)) }
        == [false, true, true, false, false])
    #expect(
      [9, 10, 20, 30].map { person.phase(at: at($0))?.kind } == [nil, .control, .prompted, nil])
  }
}

/// Checks that nobody can purge the record during a study.
@Suite struct `A purge during a study` {
  private func home(_ edit: (inout [PersonState]) -> Void) -> HomeState {
    var people = [PersonState.ofNewHome, PersonState(id: PersonID("eva"))]
    edit(&people)
    let fixture = CoreFixture()
    return HomeState(
      snapshot: HomeSnapshot(people: people), limits: .standard, environment: fixture.environment)
  }

  @Test func `is refused while an enrolment or a phase is open`() {
    func why(_ at: Instant, _ edit: (inout [PersonState]) -> Void) -> String? {
      home(edit).openStudy(at: at)
    }
    #expect(why(at(15)) { _ in } == nil)
    let endless = Enrolment(study: "S", pseudonym: "P1", from: at(10))
    #expect(
      why(at(15)) { $0[0].enrolments = [endless] }
        == "\"patient\" takes part in the study \"S\", which has no end date")
    let bound = Enrolment(study: "S", pseudonym: "P1", from: at(10), to: at(20))
    #expect(
      why(at(19)) { $0[1].enrolments = [bound] }
        == "\"eva\" takes part in the study \"S\" until 1970-01-01T00:00:20.000Z")
    #expect(why(at(20)) { $0[1].enrolments = [bound] } == nil)
    // Only the last enrolment of a person counts. If several people take part in a study, the
    // result names the person whose id is first in the alphabet.
    #expect(why(at(15)) { $0[1].enrolments = [endless, Self.withdrawn(endless)] } == nil)
    #expect(
      why(at(15)) {
        $0[0].enrolments = [endless]
        $0[1].enrolments = [endless]
      } == "\"eva\" takes part in the study \"S\", which has no end date")
    let phase = StudyPhase(kind: .runIn, from: at(10), to: at(20))
    #expect(
      why(at(19)) { $0[0].phases = [phase] } == "a run_in phase of \"patient\" is not over")
    #expect(why(at(20)) { $0[0].phases = [phase] } == nil)
    #expect(
      why(at(99)) { $0[0].phases = [phase, StudyPhase(kind: .control, from: at(20))] }
        == "a control phase of \"patient\" is not over")
  }

  private static func withdrawn(_ enrolment: Enrolment) -> Enrolment {
    var enrolment = enrolment
    enrolment.isWithdrawn = true
    return enrolment
  }

  @Test func `is recorded with the time before which all prompts are closed`() throws {
    let admin = Actor(role: .admin, id: "uid:0", source: "socket")
    for (state, later, closed) in [
      (ClockState.synced, -100, -100), (.synced, 100, 0), (.unsynced, -100, nil),
      (.unset, -100, nil),
    ] as [(ClockState, Int64, Int64?)] {
      var fixture = CoreFixture()
      fixture.now.clockState = state
      let wall = fixture.now.wall
      var purge = Purge(
        throughSequence: 40, throughAt: wall.adding(seconds: later), firstAt: nil,
        firstOffsetSeconds: 3_600, kept: 3, keptDigest: "k", archiveSHA256: "a")
      #expect(purge.gone == 37)
      #expect(try fixture.handle(.command(.purge(purge), admin)) == .done)
      purge.closedBefore = closed.map { wall.adding(seconds: $0) }
      #expect(fixture.records.last?.event == .purged(purge))
    }
    var fixture = CoreFixture()
    try fixture.handle(.command(.setPhase(.patient, PhaseForm(kind: .control)), CoreFixture.anna))
    let count = fixture.records.count
    let purge = Purge(
      throughSequence: 40, throughAt: fixture.now.wall, firstAt: nil, firstOffsetSeconds: 0,
      kept: 3, keptDigest: "k", archiveSHA256: "a")
    #expect(
      throws: Refusal(
        .inUse,
        "cannot purge: a control phase of \"patient\" is not over; wait for the end of the study, "
          + "or end it first")
    ) { try fixture.handle(.command(.purge(purge), admin)) }
    #expect(fixture.records.count == count)
  }
}

@Test func `the state of a message comes from its prompt`() throws {
  var fixture = try pills()
  fixture.pass(seconds: 5)
  var prompt = try #require(fixture.home.openPrompts.first)
  func states(_ kind: MessageKind?) -> [MessageState] {
    [false, true].map { MessageState(of: prompt, kind: kind, isAnswered: $0) }
  }
  #expect(states(.heard) == [.accepted, .answered])
  let expected: [(Outcome, [MessageState])] = [
    (.completed, [.heard, .answered]), (.completedOutOfWindow, [.heard, .answered]),
    (.declined, [.declined, .declined]), (.missedNoResponse, [.expired, .answered]),
    (.unknownCrash, [.expired, .answered]), (.suppressedCap, [.suppressed, .suppressed]),
    (.cancelledBeforeDue, [.cancelled, .cancelled]),
    (.supersededByEdit, [.cancelled, .cancelled]),
  ]
  for (outcome, wanted) in expected {
    prompt.state = .closed(outcome, reason: .none, at: fixture.now.wall)
    for kind in [nil, MessageKind.heard, .yesNo, .callResult] {
      #expect(states(kind) == wanted, "\(outcome)")
    }
  }
  // The ring sounded, and nobody answered. If the message needs an answer, its state is now
  // "expired". If the message needs no answer, its state is "sounded".
  fixture.pass(seconds: 20)
  prompt = try #require(fixture.home.openPrompts.first)
  #expect(prompt.ringsSounded == 1)
  #expect(states(.yesNo) == [.sounded, .answered])
  prompt.state = .closed(.missedNoResponse, reason: .none, at: fixture.now.wall)
  #expect(states(nil) == [.sounded, .answered])
  #expect(states(.callResult) == [.sounded, .answered])
  #expect(states(.heard) == [.expired, .answered])
  #expect(states(.yesNo) == [.expired, .answered])
  #expect(MessageKind.allCases.map(\.wantsAnswer) == [true, true, false])
}
