import CivilTime
import Sentences
import Testing

@testable import Alarms

/// Checks parts of the state that few inputs reach.
@Suite struct `The state of a home` {
  @Test func `has the default person unless the identity of this person was erased`() {
    for isForgotten in [false, true] {
      var snapshot = HomeSnapshot()
      snapshot.isPatientForgotten = isForgotten
      let home = HomeState(
        snapshot: snapshot, limits: .standard, environment: CoreFixture().environment)
      #expect(home.people == (isForgotten ? [:] : [.patient: .ofNewHome]))
      #expect(home.lastRecord == nil && home.nextWake == nil && home.openPromptCount == 0)
    }
  }

  @Test func `needs the recordings of its tones and of the present ring`() throws {
    var fixture = CoreFixture()
    fixture.ringSeconds = 20
    for (name, sha256) in [("dad", "a"), ("mum", "b")] {
      let tone = Tone(name: name, sha256: sha256, durationMilliseconds: 1, loudnessLUFS: -16)
      try fixture.handle(.command(.addTone(tone, replacing: false), CoreFixture.anna))
    }
    try fixture.add {
      ($0.schedule, $0.tone, $0.rings, $0.spacingSeconds) = ("in 15 seconds", "dad", 2, 60)
    }
    fixture.pass(seconds: 20)
    #expect(fixture.home.neededRecordings == ["a", "b"])
    fixture.home.tones["dad"] = nil
    #expect(fixture.sounding != nil && fixture.home.neededRecordings == ["a", "b"])
    fixture.pass(seconds: 30)
    #expect(fixture.sounding == nil && fixture.home.neededRecordings == ["b"])
  }

  @Test func `gives each alarm its own random times, also after a restart`() throws {
    var fixture = CoreFixture()
    for _ in 0..<2 {
      try fixture.add { $0.schedule = "3 times a day at random between 10:00 and 20:00" }
    }
    func times() -> [[Instant]] {
      fixture.home.alarms.map(\.id).sorted().map {
        fixture.home.nextOccurrences(of: $0, after: fixture.now.wall, count: 3).map(\.instant)
      }
    }
    let before = times()
    #expect(before.count == 2 && before[0].count == 3 && before[0] != before[1])
    fixture.crash()
    #expect(times() == before)
  }

  @Test func `counts the new and the corrected entries of a diary`() throws {
    var fixture = CoreFixture()
    let day = CivilDate(dayNumber: 20_833)
    func entry(_ number: Int, _ subject: DiaryEntry.Subject) -> DiaryEntry {
      DiaryEntry(
        person: .patient, subject: subject, completion: 1, burden: nil, note: "", number: number)
    }
    let id = PromptID(alarm: AlarmID("a"), nominalKey: 1)
    let entries = [entry(1, .day(day)), entry(2, .day(day)), entry(3, .prompt(id))]
    let reply = try fixture.handle(
      .command(.importDiary(entries, about: [], unchanged: 4, older: 5), CoreFixture.researcher))
    guard case .imported(1, 2, 4, 5)? = reply else {
      Issue.record("\(reply as Any)")
      return
    }
    #expect(fixture.records.suffix(3).map(\.event) == entries.map { .diary($0) })
    let noon = try Instant(parsing: "2027-01-15T11:00:00Z")
    let of = Event.diary(entry(1, .day(try CivilDate(parsing: "2027-01-15"))))
    #expect(of.noon(in: CoreFixture.berlin) == noon)
    #expect(Event.diary(entries[2]).noon(in: .utc) == nil && Event.heartbeat.noon(in: .utc) == nil)
  }

  @Test func `finds the other scheduled times of one instant`() throws {
    let rule = try RecurrenceRule(parsing: "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=30;BYSECOND=0")
    let start = try CivilDateTime(parsing: "2027-03-27T02:30:00")
    let gap = try Instant(parsing: "2027-03-28T01:30:00Z")
    let set = RecurringDates(rules: [.init(rule: rule, start: start)])
    for schedule in [Schedule.recurring(rule, start: start), .several(set)] {
      let plan = try SchedulePlan(schedule, zone: CoreFixture.berlin, seed: 1)
      let found = try #require(plan.main(after: gap.adding(milliseconds: -1)))
      #expect(found.instant == gap && found.nominal.time.description == "03:30")
      #expect(plan.nominals(beside: found).map(\.description) == ["2027-03-28T02:30:00"])
      let next = try #require(plan.main(after: gap))
      #expect(plan.nominals(beside: next).isEmpty)
    }
    let once = try SchedulePlan(.once(start), zone: .utc, seed: 1)
    let only = try #require(once.main(after: Instant(seconds: 0)))
    #expect(once.nominals(beside: only).isEmpty)
  }

  @Test(
    arguments: [
      (29, "Now:"), (30, "In one minute:"), (89, "In one minute:"), (90, "In 2 minutes:"),
      (929, "In 15 minutes:"), (930, "In 15 minutes:"), (17 * 60, "In 15 minutes:"),
      (18 * 60, "In 20 minutes:"), (22 * 60, "In 20 minutes:"), (23 * 60, "In 25 minutes:"),
      (57 * 60, "In 55 minutes:"), (58 * 60, "In one hour:"), (62 * 60, "In one hour:"),
      (63 * 60, "Today at 10:03:"), (118 * 60, "In two hours:"), (122 * 60, "In two hours:"),
      (178 * 60, "In three hours:"), (182 * 60, "In three hours:"), (183 * 60, "Today at 12:03:"),
      (240 * 60, "Today at 1 p.m.:"), (86_400, "Tomorrow at 9 a.m.:"),
      (2 * 86_400, "On Sunday at 9 a.m.:"), (6 * 86_400, "On Thursday at 9 a.m.:"),
      (7 * 86_400, "On 22 January at 9 a.m.:"), (14 * 3_600 + 3_540, "Today at 23:59:"),
    ] as [(Int64, String)])
  func `says the time until a main prompt`(seconds: Int64, text: String) {
    // The clock shows Friday 15 January 2027, 09:00 in Berlin.
    let now = CoreFixture().now.wall
    let words = LeadWords(
      now: now, event: now.adding(seconds: seconds), zone: CoreFixture.berlin)
    #expect(words.text(in: .english) == text)
  }
}
