import Alarms
import CivilTime
import Testing

@testable import Logbook

/// Tests that a restart keeps each value of each person.
@Suite struct `People from the record` {
  private let directory = TemporaryDirectory()
  private static let (anna, bob, carl) = (PersonID("anna"), PersonID("bob"), PersonID("carl"))

  /// Reads the people in the same way as the daemon reads the people at its start.
  private func people(_ logbook: Logbook) throws -> [PersonID: PersonState] {
    Dictionary(uniqueKeysWithValues: try logbook.restore().people.map { ($0.id, $0) })
  }

  private func enrolment(_ study: String, _ code: String, _ from: Instant) -> Enrolment {
    Enrolment(
      study: study, pseudonym: code, arm: "AB", armCode: "X", allocationSHA256: "ab",
      consent: "2.1", from: from)
  }

  /// After each event, the restored people must be equal to the people in the replay of the events.
  @Test func `have the state after their events, and the codes of all enrolments`() throws {
    var timeline = try Timeline(in: directory)
    let day = timeline.at(86_400_000)
    let first = Person(
      id: Self.anna, version: 1, name: "Anna", language: "de", zoneName: "Europe/Berlin",
      tone: "bell", ringsPerHour: 12,
      inactivity: InactivityRule(
        hours: 6, notifySteps: [NotifyStep(contact: "bob", afterSeconds: 60)]),
      rewardImage: String(repeating: "c", count: 64))
    let events: [Event] = [
      .personAdded(first), .enrolled(Self.anna, enrolment("one", "A-1", timeline.start)),
      .personAdded(Person(id: Self.bob, version: 1, name: "Bob")),
      .enrolled(Self.bob, enrolment("one", "B-1", timeline.start)),
      .withdrawn(Self.anna, Withdrawal(reason: "moved")),
      .enrolled(Self.anna, enrolment("two", "A-2", day)),
      .personChanged(Person(id: Self.anna, version: 2, name: "Anne")),
      .phaseChanged(
        Self.anna, [StudyPhase(kind: .control, from: timeline.start, to: day)]),
      .personPaused(Self.bob, PersonPause(until: day)), .personPaused(Self.anna, PersonPause()),
      .personResumed(Self.anna), .unblinded(Self.bob, study: "one"),
      .rewarded(
        Self.bob, CivilDate(dayNumber: 20_000), isHeard: true, hasPicture: false),
      .personAdded(Person(id: Self.carl, version: 1, name: "Carl")),
      .personRemoved(Self.carl, version: 1),
      // A new home contains this person without an event about the settings of the person.
      .phaseChanged(.patient, [StudyPhase(kind: .prompted, from: timeline.start, to: nil)]),
    ]
    for (place, event) in events.enumerated() {
      try timeline.add(Int64(place), event)
      #expect(
        try people(timeline.logbook) == timeline.replay.people, "\(place): \(event.type)")
    }
    let found = try people(timeline.logbook)
    #expect(found[Self.anna]?.enrolments.map(\.pseudonym) == ["A-1", "A-2"])
    #expect(found[Self.anna]?.enrolments.map(\.to) == [timeline.at(4), nil])
    #expect(found[Self.bob]?.enrolments.map(\.pseudonym) == ["B-1"])
    #expect(found[Self.anna]?.person?.name == "Anne" && found[Self.bob]?.person?.name == "Bob")
    #expect(found[Self.carl] != nil && found[Self.carl]?.person == nil)
    #expect(found[.patient]?.person == PersonState.ofNewHome.person)
  }

  @Test func `have no code for an enrolment whose content was erased`() throws {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .personAdded(Person(id: Self.anna, version: 1)))
    let rows = try ["A-1", "A-2", "A-3"].map { code in
      try timeline.add(1, .enrolled(Self.anna, enrolment(code, code, timeline.start)))
    }
    try timeline.eraseWords(of: rows[1])
    let found = try people(timeline.logbook)[Self.anna]?.enrolments
    #expect(found?.map(\.pseudonym) == ["A-1", "", "A-3"])
    #expect(found?.map(\.study) == ["A-1", "A-2", "A-3"])
  }
}
