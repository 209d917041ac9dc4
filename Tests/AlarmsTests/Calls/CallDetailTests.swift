import CivilTime
import Testing

@testable import Alarms

/// Checks the announcement of a call, and the times after which a call is a new call.
@Suite struct `A call for a contact` {
  private static let caller = Actor(role: .patient, id: "uid:1002", source: "socket")
  private static let bert = PersonID("bert")

  private func home() throws -> CoreFixture {
    var fixture = CoreFixture()
    fixture.environment.callContacts = ["anna"]
    try fixture.person { $0.name = "Hilde" }
    try fixture.person("bert") { _ in }
    return fixture
  }

  @discardableResult
  private func call(
    _ id: String, by name: String = "patient", _ fixture: inout CoreFixture
  ) throws -> String {
    let command = Command.call(AlarmID(id), by: name)
    guard case .call(let call, let isRepeated)? = try fixture.handle(.command(command, Self.caller))
    else { return "no call" }
    return "\(call.state)\(isRepeated ? " again" : "")"
  }

  private func announced(_ fixture: CoreFixture) -> [Alarm] {
    fixture.records.compactMap {
      if case .alarmCreated(let alarm) = $0.event { alarm } else { nil }
    }
  }

  @Test func `is announced once, one second later, for two minutes`() throws {
    var fixture = try home()
    fixture.pass(seconds: 67)
    let wall = fixture.now.wall
    try call("reply", &fixture)
    var alarm = Alarm(
      id: AlarmID("reply"), version: 1, person: .patient, label: "Anna was told.",
      instructions: "", schedule: .at(wall.adding(seconds: 1)), phrase: "in 1 seconds",
      zoneName: "Europe/Berlin", tone: nil,
      burst: Burst(rings: 1, spacingSeconds: 60, gainsDecibels: [0]), lateWindowSeconds: 120,
      delaySeconds: 300, delayLimit: 3, quiet: .ring)
    alarm.isAnnouncement = true
    alarm.message = .callResult
    #expect(announced(fixture) == [alarm])
    #expect(
      fixture.sentNotices.map(\.text) == [
        "Hilde asks you to call back. The request is from 09:01. This is not an emergency call."
      ])
    #expect(fixture.rehearsed.last == SpokenWords("Anna was told.", language: nil))
  }

  @Test(
    arguments: [
      (299, "told(contact: \"anna\") again"), (300, "waiting"), (301, "waiting"),
    ] as [(Int64, String)])
  func `counts as a repeated call for less than five minutes`(seconds: Int64, reply: String) throws
  {
    var fixture = try home()
    try call("first", &fixture)
    fixture.pass(seconds: seconds)
    #expect(try call("second", &fixture) == reply)
  }

  @Test func `counts as a repeated call for less than five minutes, also if the clock is set`()
    throws
  {
    for step in [-3_600, 3_600] as [Int64] {
      var fixture = try home()
      try call("first", &fixture)
      fixture.pass(seconds: 30)
      fixture.stepClock(seconds: step)
      #expect(try call("second", &fixture) == "told(contact: \"anna\") again", "\(step)")
      fixture.pass(seconds: 270)
      #expect(try call("third", &fixture) == "waiting", "\(step)")
    }
  }

  @Test(arguments: [(599, .ring), (600, .hold), (601, .hold)] as [(Int64, QuietOverride)])
  func `has a result that quiet hours hold back after ten minutes`(
    seconds: Int64, quiet: QuietOverride
  ) throws {
    var fixture = try home()
    fixture.isNotifierSilent = true
    try call("reply", &fixture)
    let notice = try #require(fixture.home.noticeBook.waiting.first?.notice)
    fixture.pass(seconds: seconds)
    try fixture.handle(
      .notifyResult(
        NotifyResult(
          subject: .notice(notice.number), position: 0, contact: "anna", attempt: 1,
          reason: .askedFor, result: .notified)))
    #expect(announced(fixture).map(\.quiet) == [quiet])
  }

  @Test func `has a number that is larger than the number of each earlier call`() throws {
    var fixture = try home()
    let first = fixture.now.wall.milliseconds
    func number(_ person: PersonID) -> Int64? {
      fixture.home.noticeBook.calls.newest[person]?.number
    }
    try call("first", by: "bert", &fixture)
    try call("second", &fixture)
    #expect(number(Self.bert) == first && number(.patient) == first + 1)
    fixture.stepClock(seconds: -3_600)
    fixture.pass(seconds: 400)
    try call("third", by: "bert", &fixture)
    #expect(number(Self.bert) == first + 2 && number(.patient) == first + 1)
  }

  @Test(arguments: ["words", "person", "task", "same"])
  func `is announced again unless the same announcement is due`(other: String) throws {
    var fixture = try home()
    try call("first", &fixture)
    fixture.pass(seconds: 200)
    #expect(fixture.home.waitingPromptCount == 0 && fixture.home.openPrompts.isEmpty)
    let words = other == "words" ? "Lunch is ready" : "Anna was told."
    let person = other == "person" ? "bert" : "patient"
    if other == "task" {
      try fixture.add(words) {
        ($0.schedule, $0.person, $0.rings) = ("in 1 seconds", person, 1)
      }
    } else {
      try fixture.say { ($0.label, $0.person) = (words, person) }
    }
    fixture.pass(seconds: 10)
    #expect(try call("again", &fixture) == "told(contact: \"anna\") again")
    #expect((fixture.home.alarm(AlarmID("again")) != nil) == (other != "same"))
  }

  @Test func `says a name with a dash or an underscore as several words`() {
    for (name, words) in [
      ("anna-maria", "Anna Maria was told."), ("anna_maria-b", "Anna Maria B was told."),
      ("_anna", "Anna was told."), ("Anna", "Anna was told."),
    ] {
      #expect(CallWords.told(name).text(in: ["en"]) == words)
    }
  }

  @Test func `an answered announcement is removed after the time for an undo`() throws {
    var fixture = try home()
    let id = try fixture.say { $0.person = "patient" }
    fixture.pass(seconds: 10)
    let prompt = try #require(fixture.home.openPrompts.first?.id)
    try fixture.answer(.complete, to: prompt)
    let end = fixture.now.wall.adding(milliseconds: 60_001)
    #expect(fixture.home.nextAnnouncementEnd == end && fixture.home.nextWake == end)
    fixture.pass(seconds: 60)
    #expect(fixture.home.alarm(id) != nil)
    fixture.pass(seconds: 1)
    #expect(fixture.home.alarm(id) == nil && fixture.home.nextAnnouncementEnd == nil)
  }
}
