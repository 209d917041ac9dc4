import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  fileprivate mutating func sayAgain(_ id: PromptID) throws(Refusal) {
    try handle(.command(.sayAgain(id), CoreFixture.patient))
  }

  fileprivate var waitingID: PromptID {
    get throws { try #require(home.waitingPrompts.first?.id) }
  }

  fileprivate func count(_ type: String) -> Int { records.count { $0.event.type == type } }
}

@Suite struct `Saying a voice again` {
  @Test func `the burst goes on as if nothing had been said`() throws {
    var quiet = try pills()
    var asked = try pills()
    _ = try quiet.timeline("--------------")
    #expect(try asked.timeline("--+--+--+-----") == "-1+-2+-3+-----")
    #expect(asked.count("said_again") == 3 && quiet.count("said_again") == 0)
    let times = { (fixture: CoreFixture) in
      fixture.records.filter { $0.event.type == "ring_started" }.map(\.reading.wall)
    }
    #expect(times(asked) == times(quiet))
    #expect(asked.outcomes == quiet.outcomes)
    for (id, prompt) in quiet.replay.prompts { #expect(asked.replay.prompts[id] == prompt) }
    #expect(asked.home.recentRings == quiet.home.recentRings)
    #expect(asked.count("ring_ended") == 3 && asked.count("ring_intent") == 3)
  }

  @Test func `the voice sounds once, alone, without a chime and loud`() throws {
    let merging = MergingFixture()
    var fixture = try merging.home()
    fixture.pass(seconds: 20)
    #expect(fixture.played.count == 1 && fixture.played[0].others.count == 2)
    let flowers = try merging.id(fixture, "Flowers")
    try fixture.sayAgain(flowers)
    let order = try #require(fixture.played.last)
    #expect(order.prompt == flowers && order.words?.text == "Flowers" && order.others.isEmpty)
    #expect(order.isAgain && !order.hasAlert && order.lead == nil && order.gainDecibels == 0)
    #expect(order.ring < 0)
    fixture.pass(seconds: 5)
    try fixture.sayAgain(flowers)
    #expect(fixture.played.last?.ring != order.ring)
  }

  @Test func `a sound is never interrupted, and nobody waits behind a sound`() throws {
    var fixture = try pills()
    fixture.ringSeconds = 25
    fixture.pass(seconds: 20)
    let id = try fixture.waitingID
    #expect(refusal { try fixture.sayAgain(id) }?.kind == .speakerBusy)
    fixture.pass(seconds: 21)
    try fixture.sayAgain(id)
    let count = fixture.records.count
    #expect(refusal { try fixture.sayAgain(id) }?.kind == .speakerBusy)
    #expect(fixture.records.count == count)
    // The second ring was due at 45 s, but the voice sounds from 41 s to 66 s. Therefore the second
    // ring starts at 66 s.
    let due = fixture.now.wall
    fixture.pass(seconds: 30)
    let second = fixture.records.last { $0.event.type == "ring_started" }
    #expect(second?.reading.wall == due.adding(seconds: 25))
  }

  @Test(arguments: [
    Answer.complete, .acknowledge, .delay(seconds: nil), .decline(.busy), .cancel(.other),
  ])
  func `an answer stops the voice`(answer: Answer) throws {
    var fixture = try pills()
    fixture.ringSeconds = 8
    fixture.pass(seconds: 25)
    let id = try fixture.waitingID
    try fixture.sayAgain(id)
    #expect(fixture.sounding?.order.isAgain == true)
    let answered = try fixture.answer(answer)
    #expect(answered.prompt.id == id && !answered.stopped.sounding)
    #expect(fixture.sounding == nil && fixture.home.sounding == nil)
    #expect(fixture.count("ring_ended") == 1)
  }

  @Test func `the removal of the alarm and a pause stop the voice`() throws {
    for isPause in [true, false] {
      var fixture = CoreFixture()
      let alarm = try fixture.add { $0.schedule = "every day 09:10" }
      fixture.ringSeconds = 8
      fixture.pass(seconds: 620)
      try fixture.sayAgain(try fixture.waitingID)
      let command: Command =
        isPause ? .pausePeople(.one(.patient), until: nil) : .remove(alarm.id, ifVersion: nil)
      _ = try fixture.handle(.command(command, CoreFixture.anna))
      #expect(fixture.sounding == nil && fixture.home.sounding == nil)
    }
  }

  @Test func `a prompt that is not shown as due is not said again`() throws {
    for (before, kind) in [
      ("-", Refusal.Kind.notDue), ("---s", .notDue), ("---a", .notDue), ("---c", .promptOver),
      ("--------------", .promptOver),
    ] {
      var fixture = try pills()
      _ = try fixture.timeline(before)
      let id = try #require(fixture.replay.prompts.keys.first)
      let count = fixture.records.count
      #expect(refusal { try fixture.sayAgain(id) }?.kind == kind, "\(before)")
      #expect(fixture.records.count == count && fixture.sounding == nil, "\(before)")
    }
    var control = CoreFixture()
    try control.phase(.control)
    try control.add { $0.schedule = "in 15 seconds" }
    control.pass(seconds: 20)
    let id = try control.waitingID
    #expect(refusal { try control.sayAgain(id) }?.kind == .notDue)
    let unknown = PromptID(alarm: AlarmID("nobody"), nominalKey: 42)
    #expect(refusal { try control.sayAgain(unknown) }?.kind == .notFound)
    #expect(control.played.isEmpty)
  }

  @Test func `a speaker that fails or hangs does not change the prompt`() throws {
    for isSilent in [true, false] {
      var fixture = try pills()
      fixture.pass(seconds: 20)
      let prompt = try #require(fixture.home.waitingPrompts.first)
      (fixture.isPlayerSilent, fixture.isSpeakerBroken) = (isSilent, !isSilent)
      try fixture.sayAgain(prompt.id)
      (fixture.isPlayerSilent, fixture.isSpeakerBroken) = (false, false)
      #expect(fixture.home.prompt(prompt.id) == prompt)
      #expect((fixture.home.sounding != nil) == isSilent)
      fixture.pass(seconds: 50)
      #expect(fixture.home.sounding == nil)
      #expect(fixture.count("ring_failed") == 0 && fixture.count("ring_uncertain") == 0)
      #expect(fixture.count("ring_started") == 2)
    }
  }

  @Test func `a crash during the voice loses nothing`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    let id = try fixture.waitingID
    fixture.ringSeconds = 25
    try fixture.sayAgain(id)
    fixture.pass(seconds: 2)
    fixture.crash()
    #expect(fixture.home.sounding == nil && fixture.home.prompt(id) == fixture.replay.prompts[id])
    fixture.ringSeconds = 2
    fixture.pass(seconds: 70)
    #expect(fixture.count("ring_started") == 3 && fixture.count("ring_uncertain") == 0)
  }
}
