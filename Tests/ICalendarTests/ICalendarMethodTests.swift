import Alarms
import CivilTime
import Foundation
import ICalendar
import Testing

@Suite struct `The METHOD of a calendar` {
  @Test(arguments: ["REQUEST", "PUBLISH", "X-OTHER"])
  func `an invitation sets and changes alarms`(method: String) throws {
    var home = ImportingHome()
    try home.imports(message([single(Version(0, 1), "0310T0800")], method: method))
    try home.imports(message([single(Version(1, 2), "0310T1000")], method: method))
    #expect(try home.rings() == ["03-10 10:00"])
  }

  @Test(arguments: ["COUNTER", "REPLY", "DECLINECOUNTER", "REFRESH", "counter"])
  func `a message of a guest changes nothing`(method: String) throws {
    var home = ImportingHome()
    try home.imports(message([single(Version(0, 1), "0310T0800")]))
    try home.imports(
      message(
        [single(Version(1, 2), "0310T1600"), single(Version(1, 2), "0311T1600")], method: method))
    #expect(home.actions.isEmpty)
    #expect(try home.rings() == ["03-10 08:00"])
    #expect(home.notes.filter { $0.contains("METHOD:\(method.uppercased())") }.count == 2)
  }

  @Test func `ADD adds an occurrence to the series that is set`() throws {
    var home = ImportingHome()
    try home.imports(message([tuesdays(Version(0, 1))]))
    try home.imports(message([single(Version(1, 2), "0312T1200")], method: "ADD"))
    let all = ["03-02 09:00", "03-09 09:00", "03-12 12:00", "03-16 09:00", "03-23 09:00"]
    #expect(try home.rings() == all)
    // If the same message or the old file is imported again, the alarms do not change.
    try home.imports(message([single(Version(1, 2), "0312T1200")], method: "ADD"))
    #expect(home.actions == ["unchanged"])
    try home.imports(message([tuesdays(Version(0, 1))]))
    #expect(try home.rings() == all)
    try home.imports(message([changed(Version(2, 3), "0312T1200", nil)], method: "CANCEL"))
    #expect(try home.rings() == all.filter { $0 != "03-12 12:00" })
    try home.imports(message([single(Version(3, 3), "0313T1200")], method: "ADD"))
    try home.imports(message([component(Version(4, 4), [])], method: "CANCEL"))
    #expect(home.alarms.isEmpty)
  }
}

@Suite struct `What an alarm keeps about its event` {
  @Test(arguments: [
    "- - 0", "2 20260301T000000Z -3600", "0 20260301T000000Z d25200", "1 - -",
    "2 20260301T000000Z 0 20270309=2/20260401T000000Z 20270316T080000Z~3/-/20270317T080000Z",
    "2 20260301T000000Z 0 cancelled",
  ])
  func `is the same after it was written and read`(text: String) throws {
    #expect(try #require(ImportedEvent(text)).text(now: now) == text)
  }

  @Test(arguments: ["", "x", "1 2 3", "1 20260301T000000Z", "1 - 0 x", "1 - 0 20270309=1"])
  func `is ignored if it has another form`(text: String) {
    #expect(ImportedEvent(text) == nil)
  }

  @Test func `contains at most 30 coming changes`() throws {
    var home = ImportingHome()
    let daily = component(
      Version(0, 1), ["DTSTART;TZID=Europe/Berlin:20270101T090000", "RRULE:FREQ=DAILY;COUNT=100"])
    let changes = (10...59).map { day in
      changed(
        Version(day, 1),
        (day < 32 ? "01\(day)" : "02\(day - 31 < 10 ? "0" : "")\(day - 31)") + "T0900", nil)
    }
    try home.imports(message([daily]))
    try home.imports(message(changes))
    #expect(try home.rings().count == 50)
    #expect(home.alarms.count == 1)
  }

  @Test func `is in an export, so that another home knows it`() throws {
    var home = ImportingHome()
    try home.imports(message([tuesdays(Version(3, 5), reminder(":PT1H"))]))
    try home.imports(message([changed(Version(4, 6), "0309T0900", "0310T1200")]))
    let export = ICalendarExport(
      home.alarms, now: now, homeZone: try #require(systemZone("Europe/Berlin")), zone: systemZone
    ).text
    let before = home.alarms.map(\.calendarRevision)
    try home.imports(export)
    #expect(home.actions.allSatisfy { $0 == "unchanged" }, "\(home.actions)")
    var other = ImportingHome()
    try other.imports(export)
    #expect(other.alarms.map(\.calendarRevision) == before)
    try other.imports(message([tuesdays(Version(2, 4))]))
    #expect(try other.rings() == home.rings())
    try other.imports(message([tuesdays(Version(4, 7))]))
    #expect(try other.rings().count == 4)
  }
}
