import CivilTime
import Testing

@testable import Alarms

/// Checks that a decision about several alarms, people or contacts has a fixed order.
///
/// The tests add seven names in an order that is not alphabetical. An unsorted set of seven names
/// has the alphabetical order by chance in only 1 of 5,040 cases.
@Suite struct `The order` {
  private static let names = ["eva", "bob", "gina", "anna", "fritz", "carl", "dora"]
  private static let sorted = names.sorted()

  private func tone(_ name: String) -> Tone {
    Tone(
      name: name, sha256: String(repeating: "a", count: 64), durationMilliseconds: 1_000,
      loudnessLUFS: -16)
  }

  /// Adds an alarm for each name, and uses the name as the id of the alarm.
  private func addEach(
    to fixture: inout CoreFixture, _ edit: (inout AlarmForm, String) -> Void
  ) throws {
    for name in Self.names {
      var form = AlarmForm()
      form.label = "Task of \(name)"
      form.schedule = "every day 08:00"
      edit(&form, name)
      try fixture.handle(.command(.add(AlarmID(name), form), CoreFixture.anna))
    }
  }

  /// Returns the alarm id of each event of one type, in the order of the record.
  private func alarms(_ fixture: CoreFixture, _ type: String) -> [String] {
    fixture.records.filter { $0.event.type == type }.compactMap {
      switch $0.event {
      case .alarmEdited(let alarm): alarm.id.text
      default: $0.event.promptID?.alarm.text
      }
    }
  }

  @Test func `of alarms that get another tone is the order of their ids`() throws {
    var fixture = CoreFixture()
    for name in ["dad", "mum"] {
      try fixture.handle(.command(.addTone(tone(name), replacing: true), CoreFixture.anna))
    }
    try addEach(to: &fixture) { form, _ in form.tone = "dad" }
    try fixture.handle(.command(.removeTone("dad", replaceWith: "mum"), CoreFixture.anna))
    #expect(alarms(fixture, "alarm_edited") == Self.sorted)
  }

  @Test func `of alarms that follow one answer is the order of their ids`() throws {
    var fixture = CoreFixture()
    try fixture.add("Breakfast") { $0.schedule = "in 60 seconds" }
    try addEach(to: &fixture) { form, _ in
      form.schedule = "30 minutes after Breakfast is completed"
    }
    fixture.pass(seconds: 70)
    let before = fixture.records.count
    try fixture.answer(.complete)
    let planned = fixture.records[before...].filter { $0.event.type == "planned" }
    #expect(planned.compactMap { $0.event.promptID?.alarm.text } == Self.sorted)
  }

  @Test func `of alarms that a new list of holidays changes is the order of their ids`() throws {
    var fixture = CoreFixture()
    func list(_ date: String) throws -> HolidayList {
      HolidayList(name: "DE-BE", days: [Holiday(date: try CivilDate(parsing: date), label: "")])
    }
    try fixture.handle(
      .command(.importHolidays(try list("2027-06-01"), replacing: false), CoreFixture.anna))
    try addEach(to: &fixture) { form, _ in
      form.schedule = "every day 08:00 not on holidays DE-BE"
    }
    // The planned prompts are due on 16 January. The new list makes this day a holiday, so the
    // daemon replaces these prompts.
    try fixture.handle(
      .command(.importHolidays(try list("2027-01-16"), replacing: true), CoreFixture.anna))
    #expect(alarms(fixture, "superseded") == Self.sorted)
  }

  @Test func `of contacts that get an all-clear is the order of their names`() throws {
    var fixture = CoreFixture()
    fixture.environment.contacts = Set(Self.names)
    try fixture.add {
      $0.schedule = "in 15 seconds"
      $0.rings = 1
      $0.lateWindowSeconds = 3_600
      $0.notifySteps = Self.names.map { NotifyStep(contact: $0, afterSeconds: 10) }
    }
    fixture.pass(seconds: 200)
    #expect(fixture.notified.map(\.contact) == Self.names)
    try fixture.answer(.complete)
    #expect(fixture.sentNotices.map(\.contact) == Self.sorted)
    try fixture.handle(.command(.undo(nil), CoreFixture.anna))
    #expect(fixture.sentNotices.suffix(7).map(\.contact) == Self.sorted)
    #expect(fixture.sentNotices.last?.reason == .answerUndone)
  }

  @Test func `of followed prompts and people is by kind, and then by id`() {
    var book = NoticeBook()
    let at = Instant(seconds: 1_800_000_000)
    for name in Self.names {
      book.apply(
        .inactivity(
          PersonID(name), .notifying(position: 0, contact: "nurse", since: at, hours: 6)),
        at: at, by: .system)
      book.apply(
        .escalated(
          PromptID(alarm: AlarmID(name), nominalKey: 4), position: 0, contact: "nurse",
          reason: .noAnswer), at: at, by: .system)
    }
    let prompts = Self.sorted.map {
      NotifySubject.prompt(PromptID(alarm: AlarmID($0), nominalKey: 4))
    }
    let people = Self.sorted.map { NotifySubject.inactivity(PersonID($0)) }
    #expect(book.sortedFollowed.map(\.0) == prompts + people)
  }

  @Test func `of names in a refusal is alphabetical`() throws {
    var fixture = CoreFixture()
    fixture.environment.contacts = Set(Self.names)
    for name in Self.names {
      try fixture.handle(.command(.addTone(tone(name), replacing: true), CoreFixture.anna))
    }
    let names = Self.sorted.joined(separator: ", ")
    let refusals = [
      refusal {
        try fixture.add {
          $0.schedule = "every day 08:00"
          $0.tone = "nobody"
        }
      },
      refusal {
        try fixture.add {
          $0.schedule = "every day 08:00"
          $0.notifySteps = [NotifyStep(contact: "nobody", afterSeconds: 60)]
        }
      },
      refusal {
        try fixture.handle(.command(.testContact("nobody"), CoreFixture.anna))
      },
    ]
    for found in refusals { #expect(found?.detail.contains(names) == true, "\(found as Any)") }
  }

  @Test func `of waiting prompts in a refusal is by due time, and the others are counted`() throws {
    var fixture = CoreFixture()
    try addEach(to: &fixture) { form, name in
      form.schedule = "in \(Self.names.firstIndex(of: name)! * 60 + 60) seconds"
      form.rings = 1
      form.lateWindowSeconds = 7_200
    }
    for _ in Self.names {
      fixture.pass(seconds: 60)
      try fixture.answer(.delay(seconds: 3_600))
    }
    #expect(fixture.home.callingPrompt(of: nil) == nil)
    let detail = refusal {
      try fixture.handle(.command(.answer(nil, .complete), CoreFixture.anna))
    }?.detail
    let places = Self.names.prefix(3).compactMap { name in
      detail?.firstRange(of: "Task of \(name)")?.lowerBound
    }
    #expect(places.count == 3 && places == places.sorted(), "\(detail ?? "")")
    #expect(detail?.contains("and 4 more") == true, "\(detail ?? "")")
  }
}
