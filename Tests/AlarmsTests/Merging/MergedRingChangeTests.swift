import CivilTime
import Testing

@testable import Alarms

/// Tests of a merged ring that fails, or that sounds while a caretaker makes a change.
@Suite struct `A merged ring that is interrupted` {
  private let merging = MergingFixture()

  // MARK: Failures

  @Test func `a ring that fails fails for each prompt`() throws {
    var fixture = try merging.home(rings: 1)
    fixture.isSpeakerBroken = true
    fixture.pass(seconds: 20)
    #expect(fixture.played.count == 1 && merging.events(fixture, "ring_failed") == 3)
    fixture.pass(seconds: 1_000)
    #expect(fixture.outcomes == [.missedAudioFailed, .missedAudioFailed, .missedAudioFailed])
  }

  @Test func `a player that hangs frees the speaker after 45 s for each prompt`() throws {
    var fixture = try merging.home(rings: 1)
    fixture.isPlayerSilent = true
    fixture.pass(seconds: 59)
    #expect(merging.events(fixture, "ring_failed") == 0)
    fixture.pass(seconds: 2)
    #expect(merging.events(fixture, "ring_failed") == 3 && fixture.home.sounding == nil)
  }

  @Test func `a crash in the ring lets each burst continue, again in one ring`() throws {
    var fixture = try merging.home()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    fixture.crash(newBoot: true)
    #expect(merging.events(fixture, "ring_uncertain") == 3)
    fixture.pass(seconds: 60)
    #expect(merging.sounds(fixture).last == ["Three things:", "Pills", "Flowers", "Drops"])
    #expect(fixture.played.count == 2)
  }

  @Test func `a crash after an answer lets the other prompts continue`() throws {
    var fixture = try merging.home()
    fixture.isPlayerSilent = true
    fixture.pass(seconds: 20)
    try fixture.answer(.complete, to: merging.id(fixture, "Pills"))
    fixture.isPlayerSilent = false
    fixture.crash()
    fixture.pass(seconds: 10)
    #expect(merging.sounds(fixture).last == ["Two things:", "Flowers", "Drops"])
    #expect(fixture.home.openPromptCount == fixture.home.openPrompts.count)
  }

  // MARK: Changes by caretakers

  @Test(arguments: ["Pills", "Flowers"])
  func `the removal of an alarm stops the ring, and the others ring again`(label: String) throws {
    var fixture = try merging.home()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    let alarm = try merging.id(fixture, label).alarm
    try fixture.handle(.command(.remove(alarm, ifVersion: nil), CoreFixture.anna))
    #expect(fixture.sounding == nil)
    fixture.pass(seconds: 300)
    #expect(!merging.sounds(fixture).dropFirst().joined().contains(label))
    #expect(merging.sounds(fixture)[1].count == 3 && merging.sounds(fixture)[1][0] == "Two things:")
  }

  @Test func `an edit that ends a prompt stops the ring, and an edit of words does not`() throws {
    var fixture = try merging.home()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    let alarm = try merging.id(fixture, "Flowers").alarm
    var words = AlarmForm()
    words.label = "Water the flowers"
    try fixture.handle(.command(.edit(alarm, ifVersion: nil, words), CoreFixture.anna))
    #expect(fixture.sounding != nil)
    fixture.pass(seconds: 60)
    #expect(
      merging.sounds(fixture).last == ["Three things:", "Pills", "Water the flowers", "Drops"])
    var time = AlarmForm()
    time.schedule = "every day 12:00"
    time.endsPrompt = true
    try fixture.handle(.command(.edit(alarm, ifVersion: nil, time), CoreFixture.anna))
    #expect(fixture.sounding == nil)
    fixture.pass(seconds: 61)
    #expect(merging.sounds(fixture).last == ["Two things:", "Pills", "Drops"])
  }

  @Test func `a pause of the person ends all prompts of the ring with one stop`() throws {
    var fixture = try merging.home()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    try fixture.handle(.command(.pausePeople(.one(.patient), until: nil), CoreFixture.anna))
    #expect(fixture.sounding == nil)
    #expect(
      fixture.outcomes == [Outcome](repeating: .cancelledWhileRinging, count: 3))
    fixture.pass(seconds: 600)
    #expect(fixture.played.count == 1)
  }
}
