import Alarms
import CivilTime
import EventCoding
import JSONValue
import Testing

/// Tests that the UID of a calendar event is stored as content. A UID can contain a name, and
/// Prompter can erase content.
@Suite struct `The UID of a calendar event` {
  private static let alarm = Alarm(
    id: AlarmID("k3v9"), version: 1, person: .patient, label: "Tea", instructions: "",
    schedule: .at(Instant(seconds: 1_800_000_000)), phrase: "at 2027-01-15T08:00:00.000Z",
    zoneName: "Europe/Berlin", tone: nil, burst: .standard, lateWindowSeconds: 1_800,
    delaySeconds: 300, delayLimit: 3)

  private func decoded(_ stored: StoredAlarm, content: JSON?) throws -> Alarm {
    try Alarm(
      id: Self.alarm.id, version: 1, payload: stored.payload, content: content,
      person: { _ in .patient })
  }

  @Test func `is stored with the content and read back`() throws {
    var alarm = Self.alarm
    alarm.calendarUID = "anna-visit@example.org"
    alarm.calendarRevision = "2 20260301T000000Z 0"
    let stored = StoredAlarm(alarm, pseudonym: "p1")
    #expect(!stored.payload.description.contains("anna"))
    #expect(!stored.payload.description.contains("20260301"))
    #expect(try decoded(stored, content: stored.content) == alarm)
    #expect(try decoded(stored, content: nil).calendarUID == nil)
    #expect(try decoded(stored, content: nil).calendarRevision == nil)
  }

  @Test func `an alarm of an earlier version has none`() throws {
    let stored = StoredAlarm(Self.alarm, pseudonym: "p1")
    #expect(stored.content["uid"] == nil && stored.content["uid_revision"] == nil)
    #expect(try decoded(stored, content: stored.content) == Self.alarm)
  }
}
