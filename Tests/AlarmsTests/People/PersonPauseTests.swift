import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  @discardableResult
  mutating func pause(
    _ whom: PausedPeople = .one(.patient), until: String? = nil
  ) throws(Refusal) -> PauseReply {
    let reply = try handle(.command(.pausePeople(whom, until: until), Self.anna))
    guard case .paused(let paused)? = reply else { preconditionFailure("no pause came back") }
    return paused
  }

  @discardableResult
  mutating func resume(_ whom: PausedPeople = .one(.patient)) throws(Refusal) -> PauseReply {
    let reply = try handle(.command(.resumePeople(whom), Self.anna))
    guard case .paused(let paused)? = reply else { preconditionFailure("no pause came back") }
    return paused
  }
}

/// Makes a home with an alarm that is due every day at 10:00 and rings twice.
///
/// The clock shows Friday 15 January 2027, 09:00 in Berlin.
private func daily(
  _ edit: (inout AlarmForm) -> Void = { _ in }
) throws -> (CoreFixture, AlarmID) {
  var fixture = CoreFixture()
  let alarm = try fixture.add {
    $0.schedule = "every day 10:00"
    $0.rings = 2
    $0.spacingSeconds = 60
    edit(&$0)
  }
  return (fixture, alarm.id)
}

@Suite struct `Pauses of people` {
  @Test(arguments: [
    // Each case has the end of the pause as typed, the zone of the person, and the first instant
    // after the pause.
    ("2027-01-17", "", "2027-01-17T23:00:00.000Z"),
    ("2027-01-17", "UTC", "2027-01-18T00:00:00.000Z"),
    ("today", "", "2027-01-15T23:00:00.000Z"), ("tomorrow", "", "2027-01-16T23:00:00.000Z"),
    ("tomorrow 12:00", "", "2027-01-16T11:00:00.000Z"),
    ("2027-01-17 08:30", "", "2027-01-17T07:30:00.000Z"),
    ("in 3 hours", "", "2027-01-15T11:00:00.000Z"),
    // On 31 October 2027, the clocks go back at 03:00, so the day has 25 hours. The pause lasts
    // until the end of this longer day.
    ("2027-10-31", "", "2027-10-31T23:00:00.000Z"),
  ])
  func `a pause includes the whole of its last day in the zone of the person`(
    until: String, zone: String, instant: String
  ) throws {
    var (fixture, _) = try daily()
    try fixture.person { $0.zone = zone }
    let reply = try fixture.pause(until: until)
    #expect(reply.people.first?.pause?.until?.description == instant)
    #expect(fixture.replay.people[.patient]?.pause == reply.people.first?.pause)
  }

  @Test func `all alarms of a paused person are silent and recorded, and ring after the pause`()
    throws
  {
    var (fixture, id) = try daily()
    try fixture.pause(until: "2027-01-16")
    let added = try fixture.add { $0.schedule = "every day 11:00" }
    #expect(
      fixture.home.nextOccurrences(of: id, after: fixture.now.wall, count: 1).first?.nominal
        .description == "2027-01-17T10:00:00")
    fixture.pass(seconds: 86_400)
    fixture.crash(offForSeconds: 60)
    fixture.pass(seconds: 86_400 + 2 * 3_600)
    #expect(
      fixture.endings == [
        "15 suppressed_paused", "15 suppressed_paused", "16 suppressed_paused",
        "16 suppressed_paused", "17 missed_no_response",
      ])
    #expect(fixture.records.filter { $0.event.type == "ring_started" }.count >= 2)
    #expect(fixture.home.alarm(added.id) != nil)
  }

  @Test func `a pause without an end lasts until somebody ends it, and a second end is harmless`()
    throws
  {
    var (fixture, id) = try daily()
    #expect(try fixture.pause().people.first?.pause == PersonPause())
    #expect(fixture.home.nextOccurrences(of: id, after: fixture.now.wall, count: 1).isEmpty)
    fixture.pass(seconds: 30 * 86_400)
    #expect(fixture.outcomes.count == 30 && Set(fixture.outcomes) == [.suppressedPaused])
    #expect(try fixture.resume().people.first?.pause == nil)
    try fixture.resume()
    #expect(fixture.records.filter { $0.event.type == "person_resumed" }.count == 1)
    fixture.pass(seconds: 86_400)
    #expect(fixture.outcomes.last == .missedNoResponse)
  }

  @Test func `everybody is paused and resumed at once, and others can be resumed alone`() throws {
    var (fixture, _) = try daily()
    try fixture.person("anna") { _ in }
    let reply = try fixture.pause(.everybody, until: "2027-01-20")
    #expect(reply.people.map(\.id.text) == ["anna", "patient"])
    try fixture.pause(.everybody, until: "2027-01-20")
    #expect(fixture.records.filter { $0.event.type == "person_paused" }.count == 2)
    try fixture.resume(.one(PersonID("anna")))
    #expect(fixture.home.people[PersonID("anna")]?.pause == nil)
    #expect(fixture.home.people[.patient]?.pause != nil)
    try fixture.resume(.everybody)
    #expect(fixture.home.people[.patient]?.pause == nil)
  }

  @Test func `a pause finds a person by name, and a pause of everybody leaves out a ghost`() throws
  {
    var fixture = CoreFixture()
    try fixture.person("hilde") { $0.name = "Hilde" }
    try fixture.person("otto") { _ in }
    #expect(try fixture.pause(.one(PersonID("HILDE"))).people.map(\.id.text) == ["hilde"])
    #expect(throws: Refusal.self) { try fixture.pause(.one(PersonID("hulda"))) }
    // Each home has the person `patient` from the start. Nobody has used this person, so a pause of
    // everybody leaves out this person.
    #expect(try fixture.pause(.everybody).people.map(\.id.text) == ["hilde", "otto"])
    #expect(try fixture.resume(.everybody).people.map(\.id.text) == ["hilde", "otto"])
    #expect(fixture.home.people.values.allSatisfy { $0.pause == nil })
    try fixture.pause(.one(.patient))
    #expect(
      try fixture.resume(.everybody).people.map(\.id.text) == ["hilde", "otto", "patient"])
  }

  @Test func `a removed person who comes back is not paused`() throws {
    var (fixture, _) = try daily()
    try fixture.person("anna") { _ in }
    try fixture.pause(.one(PersonID("anna")))
    try fixture.handle(.command(.removePerson(PersonID("anna")), CoreFixture.anna))
    try fixture.person("anna") { _ in }
    #expect(fixture.home.people[PersonID("anna")]?.pause == nil)
  }

  @Test func `the start of a pause ends the prompts that ring, wait or are held back`() throws {
    // 10:00      10:01
    //  |  ring    |
    //       ^ 10:00:30 pause: the second ring is cancelled
    var (fixture, _) = try daily {
      $0.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 300)]
    }
    fixture.pass(seconds: 3_600 + 30)
    let reply = try fixture.pause(until: "2027-01-16")
    #expect(reply.ended.map(\.stopped) == [Stopped(pending: 1, sounding: false, sounded: 1)])
    #expect(fixture.outcomes == [.cancelledWhileRinging])
    fixture.pass(seconds: 86_400)
    #expect(fixture.notified.isEmpty)
    #expect(fixture.outcomes == [.cancelledWhileRinging, .suppressedPaused])
    #expect(fixture.records.filter { $0.event.type == "ring_started" }.count == 1)
  }

  @Test func `a prompt that quiet hours hold back ends as paused without a ring`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.quietHours = "09:30-12:00" }
    try fixture.add { $0.schedule = "every day 10:00" }
    fixture.pass(seconds: 2 * 3_600)
    #expect(fixture.states.first == "held quiet_hours")
    try fixture.pause(until: "2027-01-15 11:30")
    fixture.pass(seconds: 4 * 3_600)
    #expect(fixture.outcomes == [.suppressedPaused])
  }

  @Test func `an undone answer does not ring in a pause`() throws {
    // The answer comes at 10:00:10, the pause begins at 10:00:20, and the undo comes at 10:00:30.
    // The undo opens the prompt again, and the pause then ends the prompt at once.
    var (fixture, _) = try daily()
    fixture.pass(seconds: 3_600 + 10)
    try fixture.answer(.complete)
    fixture.pass(seconds: 10)
    try fixture.pause(until: "2027-01-16")
    fixture.pass(seconds: 10)
    try fixture.handle(.command(.undo(nil), CoreFixture.anna))
    fixture.pass(seconds: 3_600)
    #expect(fixture.outcomes == [.completed, .cancelledWhileRinging])
    #expect(fixture.records.filter { $0.event.type == "ring_started" }.count == 1)
  }

  @Test func `an early reminder is silent in a pause, and its occurrence after the pause rings`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "every day 14:00 and 3 hours before"
      $0.rings = 1
    }
    try fixture.pause(until: "2027-01-15 12:00")
    fixture.pass(seconds: 6 * 3_600)
    #expect(fixture.outcomes == [.suppressedPaused, .missedNoResponse])
  }

  @Test func `an announcement is spoken in a pause`() throws {
    var (fixture, _) = try daily()
    try fixture.pause()
    var form = AlarmForm()
    form.label = "Lunch is ready"
    form.schedule = "in 1 seconds"
    form.rings = 1
    try fixture.handle(.command(.announce(AlarmID("say"), form), CoreFixture.anna))
    fixture.pass(seconds: 10)
    #expect(fixture.records.filter { $0.event.type == "ring_started" }.count == 1)
  }

  @Test func `a paused person is not inactive, and the first ring afterwards counts anew`() throws {
    var (fixture, _) = try daily()
    try fixture.person {
      $0.inactivityHours = 2
      $0.inactivityNotifySteps = [NotifyStep(contact: "bob", afterSeconds: 0)]
    }
    fixture.pass(seconds: 2 * 3_600)
    #expect(fixture.home.people[.patient]?.inactivity != nil)
    try fixture.pause(until: "2027-01-16")
    #expect(fixture.home.people[.patient]?.inactivity == nil)
    fixture.pass(seconds: 86_400 + 86_000)
    #expect(fixture.notified.isEmpty)
    fixture.pass(seconds: 4 * 3_600)
    #expect(fixture.notified.map(\.contact) == ["bob"])
  }

  @Test func `a caretaker reads in each reply that the person is paused`() throws {
    var (fixture, id) = try daily()
    try fixture.pause(until: "2027-01-17")
    let (_, next, report) = try fixture.edit(id) { $0.label = "Pills" }
    #expect(next.first?.nominal.description == "2027-01-18T10:00:00")
    let warning = report.warnings.first { $0.kind == .personPaused }
    #expect(
      warning?.text
        == "patient is paused until the end of 2027-01-17: the first ring after the pause is on "
        + "2027-01-18 at 10:00; to end the pause now: prompter resume --person patient")
    try fixture.pause()
    let (_, none, open) = try fixture.edit(id) { $0.label = "Tea" }
    #expect(none.isEmpty)
    #expect(open.warnings.map(\.kind) == [.personPaused])
    #expect(open.warnings[0].text.contains("prompter resume --person patient"))
    let planned = try #require(fixture.home.openPrompts.first { $0.state == .planned })
    #expect(
      fixture.home.expectedSuppression(of: planned, at: fixture.now, fixture.environment)
        == ExpectedSuppression(why: .paused))
    let alarm = try #require(fixture.home.alarm(id))
    let why = forecast(
      planned.occurrence, of: alarm, at: fixture.now, in: fixture.home, fixture.environment)
    #expect(why.verdict == .willBeSilent)
    #expect(why.summary.contains("patient is paused until somebody ends the pause"))
  }

  @Test func `a wrong pause is refused and changes nothing`() throws {
    var (fixture, _) = try daily()
    fixture.pass(seconds: 3_600 + 30)
    let before = fixture.records.count
    for (text, what) in [
      ("2027-01-14", "in the past"), ("2027-01-15 09:00", "in the past"), ("someday", ""),
      ("", ""), ("every day 08:00", "expected a date"),
    ] {
      let refused = refusal { try fixture.pause(.everybody, until: text) }
      #expect(refused?.field == "until" && refused?.detail.contains(what) == true, "\(text)")
    }
    #expect(refusal { try fixture.pause(.one(PersonID("eve"))) }?.kind == .notFound)
    #expect(refusal { try fixture.resume(.one(PersonID("eve"))) }?.kind == .notFound)
    #expect(fixture.records.count == before)
    #expect(fixture.home.people[.patient]?.pause == nil)
  }
}
