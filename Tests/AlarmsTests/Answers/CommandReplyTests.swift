import CivilTime
import Testing

@testable import Alarms

/// Checks the replies and events that no other test of this module checks.
@Suite struct `The reply to a command` {
  private static let picture = Picture(
    sha256: String(repeating: "a", count: 64), mediaType: "image/png", width: 3, height: 2,
    bytes: 10)

  @Test func `about a picture is the picture, also the second time`() throws {
    var fixture = CoreFixture()
    for place in 0..<2 {
      let reply = try fixture.handle(.command(.addPicture(Self.picture), CoreFixture.anna))
      #expect(reply == .picture(Self.picture), "\(place)")
    }
    #expect(fixture.home.pictures == [Self.picture.sha256: Self.picture])
    #expect(fixture.records.count { $0.event == .imageAdded(Self.picture) } == 1)
  }

  @Test func `about refused requests comes with their event`() throws {
    var fixture = CoreFixture()
    let command = Command.denied(uid: 7, count: 3, method: "PUT", path: "/v1/alarms")
    #expect(try fixture.handle(.command(command, .daemon("socket"))) == .done)
    #expect(
      fixture.records.last?.event == .denied(uid: 7, count: 3, method: "PUT", path: "/v1/alarms"))
  }

  @Test func `about a duplicate is a refusal, but not for an announcement`() throws {
    var fixture = CoreFixture()
    func add() throws(Refusal) {
      try fixture.add {
        $0.schedule = "every day 08:00"
        $0.allowsDuplicate = false
      }
    }
    try add()
    #expect(throws: Refusal.self) { try add() }
    #expect(fixture.home.alarms.count == 1)
    try fixture.say()
    try fixture.say()
    #expect(fixture.home.alarms.count == 3)
  }

  @Test func `about a tone counts the tones of its user, and not those of other users`() throws {
    var limits = HomeLimits.standard
    limits.tones = 8
    var fixture = CoreFixture(limits: limits)
    func add(_ name: String, _ user: String) throws(Refusal) {
      let tone = Tone(
        name: name, sha256: name, durationMilliseconds: 1_000, loudnessLUFS: -16)
      let actor = Actor(role: .caretaker, id: user, source: "socket")
      try fixture.handle(.command(.addTone(tone, replacing: false), actor))
    }
    for number in 0..<4 { try add("a\(number)", "uid:1") }
    #expect(throws: Refusal.self) { try add("a4", "uid:1") }
    for number in 0..<4 { try add("b\(number)", "uid:2") }
    #expect(throws: Refusal.self) { try add("b4", "uid:2") }
    #expect(fixture.home.tones.count == 8)
  }

  @Test func `of a contact who was not notified yet begins the next step only after a delay`()
    throws
  {
    var fixture = try pills { $0.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 600)] }
    _ = try fixture.timeline("--")
    let prompt = try #require(fixture.home.waitingPrompts.first)
    for delays in 0...1 {
      var replay = fixture.replay
      func apply(_ event: Event) { replay.apply(event, at: fixture.now) }
      let until = fixture.now.wall.adding(seconds: 60)
      if delays == 1 { apply(.delayed(prompt.id, until: until, .nothing)) }
      apply(.notified(prompt.id, position: 0, contact: "bob", attempt: 1))
      #expect(replay.prompts[prompt.id]?.notifyProgress.begun == delays)
    }
  }
}
