import Alarms
import CivilTime
import Foundation
import ICalendar
import Testing

@Suite struct `An older file` {
  @Test(arguments: [
    // In the second file, SEQUENCE is lower, or DTSTAMP or LAST-MODIFIED is older, than in the
    // first file.
    ([single(Version(2, 1), "0310T0800"), single(Version(1, 1), "0310T1000")], ["03-10 08:00"]),
    ([single(Version(0, 9), "0310T0800"), single(Version(0, 1), "0310T1000")], ["03-10 08:00"]),
    ([single(Version(2, 1), "0310T0800"), single(Version(1, 9), "0310T1000")], ["03-10 08:00"]),
    (
      [
        single(nil, "0310T0800", "LAST-MODIFIED:20260901T000000Z"),
        single(nil, "0310T1000", "LAST-MODIFIED:20260801T000000Z"),
      ], ["03-10 08:00"]
    ),
    ([single(Version(1, 1), "0310T0800"), single(nil, "0310T1000")], ["03-10 08:00"]),
    // The second file has the same version as the first file or a newer version, or the versions
    // cannot be compared.
    ([single(Version(1, 1), "0310T0800"), single(Version(1, 1), "0310T1000")], ["03-10 10:00"]),
    ([single(Version(1, 1), "0310T0800"), single(Version(1, 2), "0310T1000")], ["03-10 10:00"]),
    ([single(Version(1, 3), "0310T0800"), single(Version(2, 1), "0310T1000")], ["03-10 10:00"]),
    ([single(nil, "0310T0800"), single(nil, "0310T1000")], ["03-10 10:00"]),
    (
      [
        single(Version(3, 1), "0310T0800"), single(nil, "0310T1000", "DTSTAMP:20260301T000000Z"),
      ], ["03-10 10:00"]
    ),
    // A DTSTAMP in the future is wrong. The import ignores such a DTSTAMP.
    (
      [
        single(nil, "0310T0800", "DTSTAMP:20990101T000000Z"), single(Version(0, 1), "0310T1000"),
      ], ["03-10 10:00"]
    ),
    (
      [
        single(Version(0, 1), "0310T0800"), single(Version(0, 2), "0310T0900"),
        single(Version(0, 1), "0310T0800"),
      ], ["03-10 09:00"]
    ),
  ])
  func `changes no alarm back`(events: [String], rings: [String]) throws {
    var home = ImportingHome()
    for event in events { try home.imports(message([event])) }
    #expect(try home.rings() == rings)
    let isLeft = home.notes.contains { $0.contains("older than the alarm that is set") }
    #expect(isLeft == !events.last!.contains(rings[0].suffix(5).filter { $0 != ":" }))
    #expect(home.actions.isEmpty == isLeft)
    try home.imports(message([events.last!]), older: true)
    #expect(try home.rings().count == 1)
    #expect(events.last!.contains(try home.rings()[0].suffix(5).filter { $0 != ":" }))
  }

  @Test func `leaves the other events of the file in place`() throws {
    var home = ImportingHome()
    try home.imports(message([single(Version(2, 1), "0310T0800")]))
    let other = single(Version(0, 1), "0311T0700").replacingOccurrences(of: "u1", with: "u2")
    try home.imports(message([single(Version(1, 1), "0310T1000"), other]))
    #expect(try home.rings() == ["03-10 08:00", "03-11 07:00"])
    #expect(home.actions == ["set G"])
  }

  @Test func `an import that changes nothing keeps the alarm as it is`() throws {
    var home = ImportingHome()
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    let before = home.alarms
    try home.imports(message([single(Version(0, 5), "0310T0800")]))
    #expect(home.actions == ["unchanged"])
    #expect(home.alarms == before)
    try home.imports(message([single(Version(1, 5), "0310T0800")]))
    #expect(home.actions == ["changed uid_revision"])
  }

  @Test func `an alarm of an earlier version of Prompter gets the revision`() throws {
    var home = ImportingHome()
    try home.imports(
      message([single(nil, "0310T0800")]).replacingOccurrences(of: "UID:u1\n", with: ""))
    #expect(home.alarms[0].calendarRevision == nil)
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    #expect(home.actions == ["changed uid,uid_revision"])
    #expect(home.alarms[0].calendarRevision == "0 20260101T000000Z 0")
  }

  @Test(arguments: ["STATUS:CANCELLED", "METHOD"])
  func `does not set a cancelled event again`(way: String) throws {
    var home = ImportingHome()
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    try home.imports(
      way == "METHOD"
        ? message([component(Version(1, 2), [])], method: "CANCEL")
        : message([single(Version(1, 2), "0310T0800", way)]))
    #expect(home.actions == ["removed G"])
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    #expect(home.actions.isEmpty)
    #expect(
      home.notes.contains { $0.hasPrefix("a newer file cancelled it") && $0.contains("--older") })
    var forced = home
    try forced.imports(message([single(Version(0, 1), "0310T0800")]), older: true)
    #expect(try forced.rings() == ["03-10 08:00"])
    // A newer version sets the event again. The old cancellation does not cancel this version.
    try home.imports(message([single(Version(2, 3), "0310T0900")]))
    #expect(try home.rings() == ["03-10 09:00"])
    try home.imports(message([component(Version(1, 2), [])], method: "CANCEL"))
    #expect(try home.rings() == ["03-10 09:00"])
  }

  @Test func `sets another event that has the UID of a cancelled one`() throws {
    var home = ImportingHome()
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    try home.imports(message([component(Version(1, 2), [])], method: "CANCEL"))
    try home.imports(message([single(Version(0, 1), "0310T1000")]))
    #expect(try home.rings() == ["03-10 10:00"])
    #expect(home.notes.contains { $0.contains("with other words or times; it is set") })
    // A caretaker removes the alarm. After that, the cancellation no longer applies.
    home.removeAll()
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    #expect(try home.rings() == ["03-10 08:00"])
  }

  @Test func `sets an alarm again that a caretaker removed by hand`() throws {
    var home = ImportingHome()
    try home.imports(message([single(Version(5, 5), "0310T0800")]))
    home.removeAll()
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    #expect(try home.rings() == ["03-10 08:00"])
  }
}

@Suite struct `A later file with one occurrence` {
  private static let allTuesdays = ["03-02 09:00", "03-09 09:00", "03-16 09:00", "03-23 09:00"]

  @Test(arguments: [
    // The occurrence moves once, or moves twice, or moves and is then cancelled.
    (
      [changed(Version(1, 2), "0309T0900", "0310T1200")],
      ["03-02 09:00", "03-10 12:00", "03-16 09:00", "03-23 09:00"]
    ),
    (
      [
        changed(Version(1, 2), "0309T0900", "0310T1200"),
        changed(Version(2, 3), "0309T0900", "0311T1300"),
      ],
      ["03-02 09:00", "03-11 13:00", "03-16 09:00", "03-23 09:00"]
    ),
    (
      [changed(Version(1, 2), "0309T0900", "0310T1200"), changed(Version(2, 3), "0309T0900", nil)],
      ["03-02 09:00", "03-16 09:00", "03-23 09:00"]
    ),
    // The import ignores an older change of the same occurrence, but not an older change of a
    // different occurrence.
    (
      [
        changed(Version(2, 3), "0309T0900", "0310T1200"),
        changed(Version(1, 2), "0309T0900", "0311T1300"),
        changed(Version(1, 2), "0316T0900", nil),
      ], ["03-02 09:00", "03-10 12:00", "03-23 09:00"]
    ),
    (
      [changed(Version(2, 3), "0309T0900", nil), changed(Version(1, 2), "0309T0900", "0311T1300")],
      ["03-02 09:00", "03-16 09:00", "03-23 09:00"]
    ),
    // An old file of the series does not undo newer changes of its occurrences.
    (
      [
        changed(Version(1, 2), "0309T0900", "0310T1200"), changed(Version(2, 3), "0316T0900", nil),
        tuesdays(Version(0, 1)),
      ], ["03-02 09:00", "03-10 12:00", "03-23 09:00"]
    ),
    // The series has a newer version than the change of its second occurrence. The change is undone.
    ([changed(Version(1, 2), "0309T0900", "0310T1200"), tuesdays(Version(2, 3))], allTuesdays),
    // The second file names the same occurrence as the first file, but in UTC.
    (
      [
        changed(Version(1, 2), "0309T0900", "0310T1200"),
        changed(Version(2, 3), "0309T0800", nil).replacingOccurrences(
          of: "RECURRENCE-ID;TZID=Europe/Berlin:20270309T080000",
          with: "RECURRENCE-ID:20270309T080000Z"),
      ], ["03-02 09:00", "03-16 09:00", "03-23 09:00"]
    ),
    // The change applies to this occurrence and to all later occurrences.
    (
      [changed(Version(1, 2), "0316T0900", "0316T1000", range: ";RANGE=THISANDFUTURE")],
      ["03-02 09:00", "03-09 09:00", "03-16 10:00", "03-23 10:00"]
    ),
    (
      [changed(Version(1, 2), "0316T0900", nil, range: ";RANGE=THISANDFUTURE")],
      ["03-02 09:00", "03-09 09:00"]
    ),
    (
      [
        changed(Version(1, 2), "0316T0900", "0316T1000", range: ";RANGE=THISANDFUTURE"),
        changed(Version(2, 3), "0316T0900", "0317T0800", range: ";RANGE=THISANDFUTURE"),
        tuesdays(Version(0, 1)),
      ], ["03-02 09:00", "03-09 09:00", "03-17 08:00", "03-24 08:00"]
    ),
    (
      [
        changed(
          Version(1, 2), "0316T0900", "0316T1000", reminder(":-PT10M"),
          range: ";RANGE=THISANDFUTURE")
      ],
      [
        "03-02 09:00", "03-09 09:00", "03-16 09:50", "03-16 10:00", "03-23 09:50", "03-23 10:00",
      ]
    ),
    (
      [
        changed(Version(1, 2), "0323T0900", "0324T1200"),
        changed(Version(2, 3), "0316T0900", nil, range: ";RANGE=THISANDFUTURE"),
      ], ["03-02 09:00", "03-09 09:00"]
    ),
    // The change is for a time that is not an occurrence of the series. The import ignores this
    // change.
    ([changed(Version(1, 2), "0310T0900", nil)], allTuesdays),
  ])
  func `changes this occurrence and leaves the others`(
    changes: [String], rings: [String]
  ) throws {
    var home = ImportingHome()
    try home.imports(message([tuesdays(Version(0, 1))]))
    for change in changes { try home.imports(message([change])) }
    #expect(try home.rings() == rings)
    // If the last file is imported again, nothing changes.
    try home.imports(message([changes.last!]))
    #expect(try home.rings() == rings)
  }

  @Test func `is changed in each alarm of the event`() throws {
    var home = ImportingHome()
    try home.imports(message([tuesdays(Version(0, 1), reminder(":PT1H"))]))
    #expect(home.alarms.count == 2)
    var moved = home
    try moved.imports(
      message([changed(Version(1, 2), "0309T0900", "0310T1200", reminder(":PT1H"))]))
    #expect(
      try moved.rings() == [
        "03-02 09:00", "03-02 10:00", "03-10 12:00", "03-10 13:00", "03-16 09:00", "03-16 10:00",
        "03-23 09:00", "03-23 10:00",
      ])
    var later = home
    try later.imports(
      message([changed(Version(1, 2), "0316T0900", "0316T0930", range: ";RANGE=THISANDFUTURE")]))
    #expect(
      try later.rings() == [
        "03-02 09:00", "03-02 10:00", "03-09 09:00", "03-09 10:00", "03-16 09:30", "03-16 10:30",
        "03-23 09:30", "03-23 10:30",
      ])
    try home.imports(message([changed(Version(1, 2), "0309T0900", nil)], method: "CANCEL"))
    #expect(
      try home.rings() == [
        "03-02 09:00", "03-02 10:00", "03-16 09:00", "03-16 10:00", "03-23 09:00", "03-23 10:00",
      ])
    try home.imports(message([component(Version(3, 3), [])], method: "CANCEL"))
    #expect(home.alarms.isEmpty)
  }

  @Test(arguments: [
    ("STATUS:CANCELLED", ["03-01 18:00", "03-02 07:00", "03-15 18:00", "03-16 07:00"]),
    (
      "DTSTART;VALUE=DATE:20270311\n" + reminder(":-PT6H"),
      ["03-01 18:00", "03-02 07:00", "03-10 18:00", "03-15 18:00", "03-16 07:00"]
    ),
  ])
  func `of a whole-day event is changed at each of its times`(
    what: String, rings: [String]
  ) throws {
    for id in [";VALUE=DATE:20270309", ":20270308T230000Z", ";TZID=Europe/Berlin:20270309T000000"] {
      var home = ImportingHome()
      try home.imports(
        message([
          component(
            Version(0, 1),
            [
              "DTSTART;VALUE=DATE:20270302", "RRULE:FREQ=WEEKLY;COUNT=3", reminder(":-PT6H"),
              reminder(":PT7H"),
            ])
        ]))
      try home.imports(message([component(Version(1, 2), ["RECURRENCE-ID" + id, what])]))
      #expect(try home.rings() == rings, "\(id)")
    }
  }

  @Test func `moves again if the first file contained the moved occurrence`() throws {
    var home = ImportingHome()
    try home.imports(
      message([tuesdays(Version(0, 1)), changed(Version(1, 1), "0309T0900", "0310T1200")]))
    try home.imports(message([changed(Version(2, 2), "0309T0900", "0311T1300")]))
    #expect(try home.rings() == ["03-02 09:00", "03-11 13:00", "03-16 09:00", "03-23 09:00"])
    try home.imports(message([changed(Version(1, 1), "0309T0900", "0310T1200")]))
    #expect(try home.rings() == ["03-02 09:00", "03-11 13:00", "03-16 09:00", "03-23 09:00"])
  }

  @Test func `two changes in one file both count`() throws {
    var home = ImportingHome()
    try home.imports(message([tuesdays(Version(0, 1))]))
    try home.imports(
      message([
        changed(Version(1, 2), "0309T0900", nil), changed(Version(1, 2), "0316T0900", "0316T1500"),
      ]))
    #expect(try home.rings() == ["03-02 09:00", "03-16 15:00", "03-23 09:00"])
  }

  @Test func `of a series that is not set becomes an alarm`() throws {
    var home = ImportingHome()
    let moved = message([changed(Version(1, 2), "0309T0900", "0310T1200")])
    try home.imports(moved)
    #expect(try home.rings() == ["03-10 12:00"])
    #expect(home.notes.contains { $0.contains("does not contain its series") })
    try home.imports(message([changed(Version(2, 3), "0309T0900", nil)]))
    #expect(home.alarms.isEmpty)
    try home.imports(moved)
    #expect(home.alarms.isEmpty)
  }

  @Test func `that was cancelled before the series was set is still cancelled`() throws {
    var home = ImportingHome()
    try home.imports(message([changed(Version(1, 2), "0309T0900", "0310T1200")]))
    let cancelled = message([changed(Version(2, 3), "0309T0900", nil)], method: "CANCEL")
    try home.imports(cancelled)
    try home.imports(message([tuesdays(Version(0, 1))]))
    #expect(try home.rings() == Self.allTuesdays)
    var other = home
    try home.imports(cancelled)
    #expect(try home.rings() == ["03-02 09:00", "03-16 09:00", "03-23 09:00"])
    try other.imports(message([changed(Version(1, 2), "0309T0900", "0310T1200")]))
    #expect(try other.rings() == ["03-02 09:00", "03-16 09:00", "03-23 09:00"])
  }

  @Test func `does not change an alarm that a caretaker set`() throws {
    var home = ImportingHome()
    try home.add("G", "every Tuesday 09:00")
    let before = home.alarms
    try home.imports(message([changed(Version(1, 2), "0309T0900", nil)], method: "CANCEL"))
    try home.imports(message([component(Version(1, 2), [])], method: "CANCEL"))
    #expect(home.alarms == before)
  }
}
