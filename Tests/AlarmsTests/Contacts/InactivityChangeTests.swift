import CivilTime
import Testing

@testable import Alarms

private let anna = NotifyStep(contact: "anna", afterSeconds: 0)
private let bob = NotifyStep(contact: "bob", afterSeconds: 3_600)

/// A change that a caretaker makes during inactivity.
struct Change: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// The contacts that the daemon would notify without the change.
  var before = [anna, bob]
  var schedule = "in 15 seconds"
  /// The time from the ring at 09:00 to the change, in seconds.
  var after: Int64 = 6 * 3_600 + 1_800
  /// All contacts who are notified, each with the local time of the notification.
  var notified: [String]
  /// Whether the change ends the inactivity.
  var isOver = false
  var make: @Sendable (inout CoreFixture) throws -> Void
}

extension Change {
  static func chain(_ notifySteps: NotifyStep...) -> @Sendable (inout CoreFixture) throws -> Void {
    { fixture in try fixture.person { $0.inactivityNotifySteps = notifySteps } }
  }

  static func hours(_ hours: Int) -> @Sendable (inout CoreFixture) throws -> Void {
    { fixture in try fixture.person { $0.inactivityHours = hours } }
  }

  static func quiet(_ hours: String) -> @Sendable (inout CoreFixture) throws -> Void {
    { fixture in try fixture.person { $0.quietHours = hours } }
  }
}

private let changes: [Change] = [
  // Anna is notified at 15:00. If a case gives no other time, the change comes at 15:30, half an
  // hour before bob would be notified.
  Change(testDescription: "shortened", notified: ["anna 15:00:15"], make: Change.chain(anna)),
  Change(
    testDescription: "shortened to somebody else", notified: ["anna 15:00:15"],
    make: Change.chain(bob)),
  Change(
    testDescription: "emptied", notified: ["anna 15:00:15"], isOver: true, make: Change.hours(0)),
  Change(
    testDescription: "lengthened", before: [anna], notified: ["anna 15:00:15", "bob 16:00:15"],
    make: Change.chain(anna, bob)),
  Change(
    testDescription: "lengthened when it is late", before: [anna], after: 10 * 3_600,
    notified: ["anna 15:00:15", "bob 19:00:15"], make: Change.chain(anna, bob)),
  Change(
    testDescription: "shortened and lengthened", notified: ["anna 15:00:15", "bob 16:00:15"],
    make: { fixture in
      try Change.chain(anna)(&fixture)
      try Change.chain(anna, bob)(&fixture)
    }),
  Change(
    testDescription: "shortened after the last was told", after: 8 * 3_600,
    notified: ["anna 15:00:15", "bob 16:00:15"], make: Change.chain(anna)),
  Change(
    testDescription: "bob sooner", notified: ["anna 15:00:15", "bob 15:30:15"],
    make: Change.chain(anna, NotifyStep(contact: "bob", afterSeconds: 60))),
  Change(
    testDescription: "bob later", notified: ["anna 15:00:15", "bob 17:00:15"],
    make: Change.chain(anna, NotifyStep(contact: "bob", afterSeconds: 7_200))),
  // These changes come before any contact is notified.
  Change(
    testDescription: "shortened before", after: 3_600, notified: ["anna 15:00:15"],
    make: Change.chain(anna)),
  Change(
    testDescription: "emptied before", after: 3_600, notified: [], isOver: true,
    make: Change.hours(0)),
  Change(
    testDescription: "more hours", after: 3_600, notified: ["anna 21:00:15", "bob 22:00:15"],
    make: Change.hours(12)),
  Change(
    testDescription: "fewer hours, of which more are over", after: 3 * 3_600,
    notified: ["anna 12:00:15", "bob 13:00:15"], make: Change.hours(2)),
  Change(
    testDescription: "other hours when anna knows", notified: ["anna 15:00:15", "bob 16:00:15"],
    make: Change.hours(48)),
  Change(
    testDescription: "quiet hours", after: 3_600, notified: ["anna 19:00:15", "bob 20:00:15"],
    make: Change.quiet("10:00-14:00")),
  Change(
    testDescription: "quiet hours when anna knows", notified: ["anna 15:00:15", "bob 16:00:15"],
    make: Change.quiet("10:00-20:00")),
  Change(
    testDescription: "paused", schedule: "every day 09:00:15", notified: ["anna 15:00:15"],
    isOver: true,
    make: { fixture in
      guard let alarm = fixture.home.alarms.first else { return }
      var form = AlarmForm()
      form.pausedUntil = "2027-03-01 00:00"
      try fixture.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
    }),
  Change(
    testDescription: "the alarm removed", notified: ["anna 15:00:15"], isOver: true,
    make: { fixture in
      guard let alarm = fixture.home.alarms.first else { return }
      try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
    }),
  Change(
    testDescription: "the person removed", notified: ["anna 15:00:15"], isOver: true,
    make: { fixture in
      guard let alarm = fixture.home.alarms.first else { return }
      try fixture.handle(.command(.remove(alarm.id, ifVersion: nil), CoreFixture.anna))
      try fixture.person("guest") { $0.name = "Guest" }
      try fixture.handle(.command(.removePerson(.patient), CoreFixture.anna))
    }),
  Change(
    testDescription: "a control phase for good", after: 3_600, notified: [],
    make: { fixture in try fixture.phase(.control) }),
  // The home moves to UTC, one hour behind Berlin. The daemon notifies the contacts at the same
  // instants as without the move. The times below are in Berlin time.
  Change(
    testDescription: "moved", after: 3_600, notified: ["anna 15:00:15", "bob 16:00:15"],
    make: { fixture in
      fixture.environment.homeZone = .utc
      try fixture.handle(.zonesChanged)
    }),
]

@Test(arguments: changes, [false, true])
func `a change during inactivity notifies each contact once, and the inactivity ends`(
  change: Change, isKilled: Bool
) throws {
  var fixture = try called {
    $0.inactivityNotifySteps = change.before
  } _: {
    $0.schedule = change.schedule
  }
  fixture.pass(seconds: 15 + change.after)
  try change.make(&fixture)
  if isKilled { fixture.crash() }
  fixture.pass(seconds: 10 * 3_600)
  fixture.expectReplayed()
  fixture.pass(seconds: 40 * 86_400)
  #expect(fixture.inactivityTold == change.notified.map { $0.replacing(" ", with: " 2027-01-15T") })
  #expect(fixture.notified.count == change.notified.count)
  #expect((fixture.inactivity == nil) == change.isOver)
  #expect(fixture.home.inactivitySteps.isEmpty)
}

@Test func `a zone change that is not reported yet leaves no inactivity due for ever`() throws {
  var fixture = try called(hours: 2, "2027-01-15 22:30")
  try fixture.pass(to: "2027-01-15T22:40:00")
  try fixture.person { $0.quietHours = "22:00-07:00" }
  try fixture.pass(to: "2027-01-16T08:59:59")
  // UTC is one hour behind Berlin, so the quiet hours now last from 23:00 to 08:00 in Berlin time.
  // The daemon counts the time from 22:30 to 23:00 and from 08:00 to 09:00. Half an hour of the two
  // hours is left.
  fixture.environment.homeZone = .utc
  fixture.move(to: fixture.now.wall.adding(seconds: 1))
  #expect(fixture.home.nextWake == fixture.now.wall)
  try fixture.handle(.woke)
  #expect(fixture.notified.isEmpty)
  #expect(fixture.home.nextWake == fixture.now.wall.adding(seconds: 1_800))
  try fixture.handle(.zonesChanged)
  try fixture.pass(to: "2027-01-17T00:00:00")
  #expect(fixture.inactivityTold.first == "anna 2027-01-16T09:30:00")
}
