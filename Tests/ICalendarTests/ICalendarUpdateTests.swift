import Alarms
import CivilTime
import Foundation
import ICalendar
import Testing

/// Returns the alarm that the daemon would make from an entry of a calendar file.
private func stored(_ entry: ICalendarImport.Entry, id: String, uid: String?) throws -> Alarm {
  let form = entry.form
  let zone = try #require(systemZone(form.zone ?? "Europe/Berlin"))
  let parsed = try SchedulePhrase(form.schedule ?? "", now: now, zone: zone).parsed()
  var alarm = Alarm(
    id: AlarmID(id), version: 1, person: .patient, label: form.label ?? "",
    instructions: form.instructions ?? "", schedule: parsed.schedule, phrase: parsed.phrase,
    zoneName: zone.name, tone: nil, burst: .standard, lateWindowSeconds: 1_800, delaySeconds: 300,
    delayLimit: 3,
    earlyReminders: try (form.earlyReminders ?? []).map { try EarlyReminder(words: $0) })
  alarm.calendarUID = uid
  alarm.calendarRevision = uid == nil ? nil : entry.event?.text(now: now)
  return alarm
}

/// Imports a file into a home that has these alarms. Returns the actions of the import as words.
private func update(_ text: String, _ alarms: [Alarm], at instant: Instant = now) throws -> [String]
{
  let file = try importing(text)
  return ICalendarUpdate(
    file, entries: file.entries, alarms: alarms, now: instant, zone: systemZone
  ).actions.map {
    switch $0 {
    case .set(let entry): "set \(entry.form.label ?? "") \(entry.form.calendarUID ?? "-")"
    case .change(let id, _, _, let fields): "\(id) \(fields.joined(separator: ","))"
    case .remove(let id, let reason, _): "remove \(id): \(reason)"
    }
  }
}

@Suite struct `Importing a file again` {
  private let series =
    "DTSTART;TZID=Europe/Berlin:20261201T080000\nRRULE:FREQ=DAILY;COUNT=10\n"
    + "BEGIN:VALARM\nTRIGGER:-PT1H\nEND:VALARM"

  private func alarms(_ text: String, uid: String? = "1") throws -> [Alarm] {
    try importing(text).entries.enumerated().map { index, entry in
      try stored(entry, id: "a\(index)", uid: uid)
    }
  }

  @Test func `the same file changes nothing`() throws {
    let text = vevent(series)
    #expect(try update(text, []) == ["set Dentist 1"])
    #expect(try update(text, alarms(text)) == ["a0 "])
  }

  @Test func `an alarm that was set before is marked with the event and not set again`() throws {
    let text = vevent(series)
    #expect(try update(text, alarms(text, uid: nil)) == ["a0 uid,uid_revision"])
  }

  @Test(arguments: [
    ("SUMMARY:Dentist", "SUMMARY:Doctor", "a0 label"),
    ("COUNT=10", "COUNT=11", "a0 schedule"), ("-PT1H", "-PT2H", "a0 leads"),
    ("RRULE", "DESCRIPTION:Take the card\nRRULE", "a0 instructions"),
    ("SUMMARY", "STATUS:CANCELLED\nSUMMARY", "remove a0: it is cancelled"),
    ("UID:1", "UID:2", "set Dentist 2"),
  ])
  func `a changed event changes its alarm`(old: String, new: String, action: String) throws {
    let text = vevent(series)
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(try update(changed, alarms(text)) == [action])
  }

  @Test func `an event that needs several alarms keeps them`() throws {
    let text = vevent(
      "DTSTART;VALUE=DATE:20261202\nRRULE:FREQ=WEEKLY\nBEGIN:VALARM\nTRIGGER:PT9H\nEND:VALARM\n"
        + "BEGIN:VALARM\nTRIGGER:PT18H\nEND:VALARM")
    #expect(try update(text, []).count == 2)
    #expect(try Set(update(text, alarms(text))) == ["a0 ", "a1 "])
    let less = text.replacingOccurrences(of: "TRIGGER:PT18H", with: "TRIGGER:PT9H")
    #expect(
      try Set(update(less, alarms(text))) == [
        "a1 ", "remove a0: its event does not need it any more",
      ])
  }

  @Test func `a file with one changed occurrence does not replace the series`() throws {
    let text = vevent(series)
    func change(_ more: String) -> String {
      vevent(
        "RECURRENCE-ID;TZID=Europe/Berlin:20261203T080000\nDTSTART:20261203T130000Z\n\(more)")
    }
    #expect(
      try update(change(""), alarms(text)) == [
        "set Dentist 1;RECURRENCE-ID=20261203T080000", "a0 schedule,uid_revision",
      ])
    #expect(try update(change("STATUS:CANCELLED"), alarms(text)) == ["a0 schedule,uid_revision"])
    let own = try alarms(change(""), uid: "1;RECURRENCE-ID=20261203T080000")
    #expect(try update(change(""), own) == ["a0 "])
    #expect(
      try update(change("STATUS:CANCELLED"), own) == ["remove a0: it is cancelled"])
  }

  @Test func `the alarms of other events and people stay`() throws {
    let text = vevent(series)
    let other = try alarms(text, uid: "other")
    #expect(try update(text.replacingOccurrences(of: "08", with: "09"), other).count == 1)
  }

  @Test func `past times do not make a difference`() throws {
    let text = vevent(series)
    let alarms = try alarms(text)
    let later = try Instant(parsing: "2026-12-05T12:00:00Z")
    let shorter = vevent(
      series.replacingOccurrences(
        of: "COUNT=10", with: "COUNT=10\nEXDATE;TZID=Europe/Berlin:20261202T080000"))
    #expect(try update(shorter, alarms, at: later) == ["a0 "])
    #expect(try update(shorter, alarms) == ["a0 schedule"])
  }
}
