import Alarms
import CivilTime
import ICalendar
import Testing

/// Returns a file in vCalendar 1.0, as mobile phones of about the year 2005 write it.
private func old(_ lines: String, _ head: String = "") -> String {
  "BEGIN:VCALENDAR\nVERSION:1.0\n\(head)BEGIN:VEVENT\nSUMMARY:Pills\n\(lines)\nEND:VEVENT\n"
    + "END:VCALENDAR\n"
}

@Suite struct `Entries of vCalendar 1.0` {
  @Test(arguments: [
    // The entry repeats on every second day. The alarm is a quarter of an hour before the start.
    (
      "DTSTART:20270302T090000\nRRULE:D2 #3\nAALARM;TYPE=X-EPOCSOUND:20270302T084500;;0;",
      ["03-02 08:45", "03-02 09:00", "03-04 08:45", "03-04 09:00", "03-06 08:45", "03-06 09:00"]
    ),
    (
      "DTSTART:20270301T080000Z\nRRULE:W2 MO WE 20270320T000000Z\nDALARM:20270301T074500Z",
      [
        "03-01 08:45", "03-01 09:00", "03-03 08:45", "03-03 09:00", "03-15 08:45", "03-15 09:00",
        "03-17 08:45", "03-17 09:00",
      ]
    ),
    // In the next case, the start is in UTC, and the alarm is in local time. In the case after it,
    // the start is in local time, and the alarm is in UTC.
    (
      "DTSTART:20270302T080000Z\nRRULE:D1 #2\nDALARM:20270302T083000",
      ["03-02 08:30", "03-02 09:00", "03-03 08:30", "03-03 09:00"]
    ),
    (
      "DTSTART:20270302T090000\nRRULE:D1 #2\nDALARM:20270302T073000Z",
      ["03-02 08:30", "03-02 09:00", "03-03 08:30", "03-03 09:00"]
    ),
    // The phone wrote the alarm of the next occurrence instead of the alarm of the first
    // occurrence.
    (
      "DTSTART:20200107T090000\nRRULE:W1 #0\nAALARM:20270309T084500\nEXDATE:20270330T090000",
      [
        "02-23 08:45", "02-23 09:00", "03-02 08:45", "03-02 09:00", "03-09 08:45", "03-09 09:00",
        "03-16 08:45", "03-16 09:00", "03-23 08:45", "03-23 09:00", "04-06 08:45", "04-06 09:00",
      ]
    ),
    // A birthday begins at midnight. Its alarm is in the morning after this midnight.
    (
      "DTSTART:20260310T000000\nRRULE:YD1 #0\nAALARM:20260310T080000;;0;",
      ["03-10 00:00", "03-10 08:00"]
    ),
    // The entry has two alarms. The second alarm repeats.
    (
      "DTSTART:20270302T090000\nRRULE:D1 #2\nDALARM:20270301T090000\nAALARM:20270302T085000;PT5M;2",
      [
        "03-01 09:00", "03-02 08:50", "03-02 09:00", "03-03 08:50", "03-03 09:00",
      ]
    ),
    // The alarm repeats after two hours. The repetition becomes a due time of its own.
    (
      "DTSTART:20270302T090000\nRRULE:D2 #2\nDALARM:20270302T050000;PT2H;1;x",
      [
        "03-02 05:00", "03-02 07:00", "03-02 09:00", "03-04 05:00", "03-04 07:00", "03-04 09:00",
      ]
    ),
    // If an entry does not repeat, its alarm keeps its fixed time.
    ("DTSTART:20270302T090000\nDALARM:20270228T120000", ["02-28 12:00", "03-02 09:00"]),
    (
      "DTSTART:20270302T080000Z\nRRULE:M30 #4",
      [
        "03-02 09:00", "03-02 09:30", "03-02 10:00", "03-02 10:30",
      ]
    ),
    (
      "DTSTART:20270302T080000\nRRULE:D1 #2 M20 #3",
      [
        "03-02 08:00", "03-02 08:20", "03-02 08:40", "03-03 08:00", "03-03 08:20", "03-03 08:40",
      ]
    ),
    (
      "DTSTART:20270302T080000\nRRULE:D1 #8\nEXRULE:W1 SA SU #0",
      [
        "03-02 08:00", "03-03 08:00", "03-04 08:00", "03-05 08:00", "03-08 08:00", "03-09 08:00",
      ]
    ),
  ])
  func `alarms ring at each occurrence`(lines: String, times: [String]) throws {
    let found = try importing(old(lines))
    #expect(try rings(found) == times, "\(found.notes)")
  }

  @Test(arguments: [
    ("TZ:-05\n", "20270310T080000", "03-10 14:00"),
    ("TZ:-0500\n", "20270310T080000", "03-10 14:00"),
    ("TZ:-05:00\n", "20270310T080000Z", "03-10 09:00"),
    ("TZ:+05:30\n", "20270310T080000", "03-10 03:30"),
    // The home zone has the offset +01 in winter and +02 in summer. Such a TZ means the home zone.
    ("TZ:+01\n", "20270405T080000", "04-05 08:00"), ("TZ:+02\n", "20270310T080000", "03-10 08:00"),
    (
      "TZ:-05\nDAYLIGHT:TRUE;-04;20270314T020000;20271107T020000;EST;EDT\n", "20270310T080000",
      "03-10 14:00"
    ),
    (
      "TZ:-05\nDAYLIGHT:TRUE;-04;20270314T020000;20271107T020000;EST;EDT\n", "20270320T080000",
      "03-20 13:00"
    ),
    (
      "TZ:-05\nDAYLIGHT:TRUE;-04;20270314T070000Z;20271107T060000Z;EST;EDT\n", "20270320T080000",
      "03-20 13:00"
    ),
    ("TZ:-05\nDAYLIGHT:FALSE\n", "20270320T080000", "03-20 14:00"),
    ("TZ:nonsense\n", "20270310T080000", "03-10 08:00"),
  ])
  func `the zone of the file counts`(head: String, start: String, time: String) throws {
    for rule in ["", "\nRRULE:YD1 #0"] {
      let found = try importing(old("DTSTART:\(start)\(rule)", head))
      #expect(try rings(found) == [time], "\(found.notes)")
    }
  }
}
