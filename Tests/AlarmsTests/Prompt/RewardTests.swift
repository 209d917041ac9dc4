import CivilTime
import Testing

@testable import Alarms

/// The reward for a person who completed all planned tasks of a day.
@Suite struct `A reward` {
  /// Asks for the reward of a day, and returns the content of the event and of the reply.
  ///
  /// The first character is `h` if the reward is heard, the second character is `p` if the reward
  /// has a picture. Otherwise the character is `-`. The result is nil if the daemon records no
  /// event.
  private func reward(
    _ fixture: inout CoreFixture, on day: String = "2027-01-15", sounds: Bool = true
  )
    throws -> String?
  {
    let count = fixture.records.count
    let date = try CivilDate(parsing: day)
    let reply = try fixture.handle(
      .command(.reward(.patient, on: date, isSounding: sounds), .daemon("progress")))
    guard fixture.records.count > count else {
      #expect(reply == .reward(isHeard: false))
      return nil
    }
    guard case .rewarded(.patient, date, let isHeard, let hasPicture)? = fixture.records.last?.event
    else {
      Issue.record("another event was recorded")
      return nil
    }
    #expect(reply == .reward(isHeard: isHeard) && fixture.records.count == count + 1)
    return (isHeard ? "h" : "-") + (hasPicture ? "p" : "-")
  }

  @Test func `is recorded once for each day, and never for an earlier day`() throws {
    var fixture = CoreFixture()
    #expect(try reward(&fixture) == "h-")
    #expect(try reward(&fixture) == nil)
    #expect(try reward(&fixture, on: "2027-01-14") == nil)
    fixture.crash()
    #expect(try reward(&fixture) == nil)
    #expect(try reward(&fixture, on: "2027-01-16") == "h-")
  }

  @Test func `is silent if the home, quiet hours or a control phase says so`() throws {
    var silent = CoreFixture()
    #expect(try reward(&silent, sounds: false) == "--")
    // The clock shows 09:00 in Berlin.
    for (hours, expected) in [
      ("08:00-10:00", "--"), ("10:00-08:00", "h-"), ("08:00-09:00", "h-"), ("09:00-09:01", "--"),
    ] {
      var fixture = CoreFixture()
      try fixture.person { ($0.quietHours, $0.quietPolicy) = (hours, .hold) }
      #expect(try reward(&fixture) == expected, "\(hours)")
    }
    for kind in StudyPhase.Kind.allCases {
      var fixture = CoreFixture()
      let researcher = Actor(role: .researcher, id: "uid:1", source: "socket")
      try fixture.handle(.command(.setPhase(.patient, PhaseForm(kind: kind)), researcher))
      #expect(try reward(&fixture) == (kind == .control ? "--" : "h-"), "\(kind)")
    }
  }

  @Test func `has the picture of the person, except in a control phase`() throws {
    let picture = Picture(
      sha256: String(repeating: "a", count: 64), mediaType: "image/png", width: 1, height: 1,
      bytes: 1)
    var fixture = CoreFixture()
    try fixture.handle(.command(.addPicture(picture), CoreFixture.anna))
    try fixture.person { $0.rewardImage = picture.sha256 }
    #expect(try reward(&fixture) == "hp")
    let researcher = Actor(role: .researcher, id: "uid:1", source: "socket")
    try fixture.handle(.command(.setPhase(.patient, PhaseForm(kind: .control)), researcher))
    #expect(try reward(&fixture, on: "2027-01-16") == "--")
  }

  @Test func `waits for no other sound, except after the last answer of a ring`() throws {
    var fixture = try pills()
    _ = try fixture.timeline("-")
    fixture.pass(seconds: 6)
    #expect(fixture.sounding != nil)
    #expect(try reward(&fixture) == "--")
    try fixture.answer(.complete)
    #expect(try reward(&fixture, on: "2027-01-16") == "h-")
  }
}
