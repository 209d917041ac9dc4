import CivilTime
import Testing

@testable import Alarms

@Test func `a new number of hours applies to inactivity that has already begun`() throws {
  var fixture = try called()
  fixture.pass(seconds: 3 * 3_600)
  var ended = fixture
  try fixture.person { $0.inactivityHours = 2 }
  fixture.pass(seconds: 1)
  #expect(fixture.notified.map(\.contact) == ["anna"])
  try ended.person { $0.inactivityHours = 0 }
  #expect(ended.home.people[.patient]?.person?.inactivity == nil && ended.inactivity == nil)
  ended.pass(seconds: 20 * 3_600)
  #expect(ended.notified.isEmpty)
  ended.expectReplayed()
}

@Test(
  arguments: [
    ("inactivity_hours", nil, ["anna"]), ("inactivity_tell", 12, nil), ("inactivity_tell", 12, []),
    ("inactivity_hours", 169, ["anna"]), ("inactivity_hours", -1, ["anna"]),
    ("inactivity_hours", 0, ["anna"]), ("inactivity_tell", 12, ["carl"]),
  ] as [(String, Int?, [String]?)])
func `an inactivity rule without contacts or without an end is refused`(
  field: String, hours: Int?, notifySteps: [String]?
) throws {
  var fixture = CoreFixture()
  let count = fixture.records.count
  let refused = refusal {
    try fixture.person {
      $0.inactivityHours = hours
      $0.inactivityNotifySteps = notifySteps?.map { NotifyStep(contact: $0, afterSeconds: 0) }
    }
  }
  #expect(refused?.field == field && fixture.records.count == count)
}

@Test func `the inactivity of one person does not affect another person`() throws {
  var fixture = try called()
  try fixture.person("anna") {
    $0.inactivityHours = 3
    $0.inactivityNotifySteps = [NotifyStep(contact: "bob", afterSeconds: 0)]
  }
  try fixture.add("Tea") {
    $0.schedule = "in 1 hours"
    $0.person = "anna"
    $0.rings = 1
    $0.lateWindowSeconds = 43_200
  }
  fixture.pass(seconds: 2 * 3_600)
  let pills = try #require(fixture.home.alarms.first { $0.label == "Pills" })
  let id = try #require(fixture.home.openPrompts.first { $0.id.alarm == pills.id }?.id)
  try fixture.answer(.complete, to: id)
  fixture.pass(seconds: 20 * 3_600)
  #expect(fixture.inactivityTold == ["bob 2027-01-15T13:00:00"])
}

@Test(
  arguments: [
    // Each case has the number of hours to count, the quiet hours, the start and the end. The zone
    // is Berlin. In some cases, the clocks change in the night, so the night is one hour shorter or
    // longer than usual.
    (24, "22:00-07:00", "2027-06-01T10:00:00Z", "2027-06-02T19:00:00.000Z"),
    (5, "22:00-07:00", "2027-03-27T18:00:00Z", "2027-03-28T07:00:00.000Z"),
    (5, "22:00-07:00", "2027-10-30T17:00:00Z", "2027-10-31T08:00:00.000Z"),
    (1, "22:00-07:00", "2027-06-01T22:00:00Z", "2027-06-02T06:00:00.000Z"),
    (168, "07:01-07:00", "2027-06-01T05:00:00Z", "2055-01-04T06:01:00.000Z"),
  ] as [(Int, String, String, String)])
func `the rule computes the end of the hours`(
  _ hours: Int, _ quiet: String, _ since: String, _ end: String
) throws {
  let rule = InactivityRule(
    hours: hours, notifySteps: [NotifyStep(contact: "anna", afterSeconds: 0)])
  let found = rule.end(
    since: try Instant(parsing: since), quiet: try QuietHours(parsing: quiet), phases: [],
    zone: CoreFixture.berlin)
  #expect(found?.description == end)
}
