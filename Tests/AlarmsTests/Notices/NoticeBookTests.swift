import CivilTime
import Testing

@testable import Alarms

/// Checks which notices and calls the daemon knows after each event.
@Suite struct NoticeBookTests {
  private static let at = Instant(seconds: 1_800_000_000)
  private static let id = PromptID(alarm: AlarmID("a"), nominalKey: 2)
  private static let hilde = PersonID("hilde")
  private static let subject = NotifySubject.prompt(id)

  private func book(
    _ events: [Event], at wall: Instant = at, by role: Role = .caretaker
  ) -> NoticeBook {
    var book = NoticeBook()
    for event in events { book.apply(event, at: wall, by: role) }
    return book
  }

  private func escalated(_ contact: String, _ reason: NotifyReason = .noAnswer) -> Event {
    .escalated(Self.id, position: 0, contact: contact, reason: reason)
  }

  private func notified(_ contact: String) -> Event {
    .notified(Self.id, position: 0, contact: contact, attempt: 1)
  }

  private func failed(_ contact: String, isLast: Bool) -> Event {
    .notificationFailed(
      Self.id, position: 0, contact: contact, attempt: 1, isLast: isLast, reason: "r")
  }

  private func closed(_ outcome: Outcome) -> Event {
    .closed(Self.id, outcome, reason: .none, .nothing)
  }

  private func notice(
    _ number: Int64, _ kind: NoticeKind, _ contact: String, _ change: NoticeChange,
    day: CivilDate? = nil
  ) -> Event {
    .notice(
      Notice(
        number: number, kind: kind, contact: contact, prompt: kind == .allClear ? Self.id : nil,
        person: kind == .allClear ? Self.hilde : nil, day: day), change)
  }

  private var due: NoticeChange { .due(NoticeMessage(text: "t"), expiresAt: Self.at) }

  /// Returns the contacts of the prompt as text, in three lists:
  /// - the contacts whose notification is in progress,
  /// - the contacts that were notified and have no all-clear yet,
  /// - the contacts with an all-clear.
  ///
  /// If the prompt was answered, the outcome follows, and then `true` if the patient answered.
  private func text(_ book: NoticeBook) -> String {
    guard let found = book.followed[Self.subject] else { return "-" }
    let ending = found.ending.map { " \($0.outcome?.rawValue ?? "nil") \($0.isByPatient)" } ?? ""
    return "\(found.asked.sorted()) \(found.told.sorted()) \(found.cleared.sorted())\(ending)"
  }

  @Test func `the contacts of a prompt are followed until they have their all-clear`() {
    let told = [escalated("anna"), escalated("bob"), notified("anna")]
    let planned = Prompt(
      id: Self.id, alarmVersion: 1, dueAt: Self.at, zoneName: "UTC", utcOffsetSeconds: 0)
    let correction = Event.corrected(
      Self.id, Correction(undone: .completed, answeredAt: Self.at, state: .planned))
    let cases: [([Event], String)] = [
      ([], "-"), ([escalated("")], "-"), ([escalated("anna", .missedNoResponse)], "-"),
      ([escalated("anna")], #"["anna"] [] []"#), ([notified("anna")], "-"),
      (told, #"["bob"] ["anna"] []"#), (told + [notified("bob")], #"[] ["anna", "bob"] []"#),
      (told + [failed("bob", isLast: false)], #"["bob"] ["anna"] []"#),
      (told + [failed("bob", isLast: true)], #"[] ["anna"] []"#),
      ([escalated("anna"), failed("anna", isLast: true)], "-"),
      (told + [closed(.completed)], #"["bob"] ["anna"] [] completed false"#),
      (told + [closed(.missedNoResponse)], "-"), (told + [closed(.supersededByEdit)], "-"),
      ([closed(.completed)], "-"), (told + [.planned(planned)], "-"),
      (
        told + [closed(.declined), notice(1, due)],
        #"["bob"] [] ["anna"] declined false"#
      ),
      (
        told + [closed(.declined), notice(1, .allClear, "bob", due)],
        #"[] ["anna"] ["bob"] declined false"#
      ),
      (
        told + [closed(.declined), notice(1, .test, "anna", due)],
        #"["bob"] ["anna"] [] declined false"#
      ),
      (told + [closed(.declined), notice(1, due), correction], #"["bob"] ["anna"] []"#),
      (
        told + [closed(.completed), notice(1, due), escalated("anna"), notified("anna")],
        #"["bob"] ["anna"] [] completed false"#
      ),
      (told + [.erased(.words(Self.hilde))], #"["bob"] ["anna"] []"#),
    ]
    for (events, expected) in cases {
      #expect(text(book(events)) == expected, "\(events.map(\.type))")
    }
    #expect(text(book(told + [closed(.completed)], by: .patient)).hasSuffix(" completed true"))
  }

  private func notice(_ number: Int64, _ change: NoticeChange) -> Event {
    notice(number, .allClear, "anna", change)
  }

  @Test func `an answered prompt is forgotten after 30 minutes`() {
    for (milliseconds, isKept) in [
      (1_800_000, true), (1_800_001, false), (-1_800_000, true), (-1_800_001, false), (0, true),
    ] as [(Int64, Bool)] {
      var book = book([escalated("anna"), notified("anna"), closed(.completed)])
      book.apply(.heartbeat, at: Self.at.adding(milliseconds: milliseconds), by: .system)
      #expect((book.followed[Self.subject] != nil) == isKept, "\(milliseconds)")
    }
    var shifted = book([escalated("anna"), closed(.completed), .clockStep(milliseconds: 60_000)])
    #expect(shifted.followed[Self.subject]?.ending?.at == Self.at.adding(seconds: 60))
    shifted.apply(.heartbeat, at: Self.at.adding(seconds: 1_860), by: .system)
    #expect(shifted.followed[Self.subject] != nil)
    var open = book([escalated("anna")])
    open.apply(.heartbeat, at: Self.at.adding(seconds: 86_400), by: .system)
    #expect(open.followed[Self.subject] != nil)
  }

  @Test func `a period of inactivity is followed like a prompt`() {
    let id = Self.hilde
    func event(_ change: InactivityChange) -> Event { .inactivity(id, change) }
    let told = [
      event(.notifying(position: 0, contact: "anna", since: Self.at, hours: 1)),
      event(.notified(position: 0, contact: "anna", attempt: 1)),
      event(.notifying(position: 1, contact: "bob", since: Self.at, hours: 1)),
    ]
    func failed(_ isLast: Bool) -> Event {
      event(.failed(position: 1, contact: "bob", attempt: 1, isLast: isLast, reason: "r"))
    }
    func followed(_ events: [Event]) -> NoticeBook.Followed? {
      book(told + events, by: .patient).followed[.inactivity(id)]
    }
    typealias Followed = NoticeBook.Followed
    let open = Followed(asked: ["bob"], told: ["anna"])
    let ending = NoticeBook.Ending(at: Self.at, outcome: nil, isByPatient: true)
    let cases: [([Event], Followed?)] = [
      ([], open), ([failed(false)], open), ([failed(true)], Followed(told: ["anna"])),
      ([event(.begun)], nil), ([event(.stopUntilLater)], nil),
      ([event(.ended(answered: nil))], Followed(asked: ["bob"], told: ["anna"], ending: ending)),
      ([event(.ended(answered: nil)), event(.resumed)], open),
      ([.personRemoved(id, version: 1)], nil), ([.erased(.identity(id))], nil),
      ([.erased(.words(.patient))], open), ([.erased(.alarm(AlarmID("a")))], open),
    ]
    for (events, expected) in cases {
      #expect(followed(events) == expected, "\(events.map(\.type))")
    }
  }

  @Test func `waiting notices, results of tests and summaries have limits`() {
    let many = book((1...25).map { notice($0, .test, "anna", .sent(attempt: 1)) })
    #expect((1...25).filter { many.testResult($0) != nil } == Array(6...25))
    #expect(many.testResult(6) == NoticeBook.TestResult(number: 6, failure: nil))
    let results = book([
      notice(1, .test, "anna", due), notice(2, .test, "anna", due), notice(3, .test, "anna", due),
      notice(1, .test, "anna", .failed(attempt: 1, isLast: false, reason: "a")),
      notice(2, .test, "anna", .failed(attempt: 1, isLast: true, reason: "b")),
      notice(3, .test, "anna", .dropped(.tooMany)), notice(4, .summary, "anna", .sent(attempt: 1)),
    ])
    #expect(results.waiting.map(\.notice.number) == [1] && results.lastNumber == 4)
    #expect(results.testResult(1) == nil && results.testResult(2)?.failure == "b")
    #expect(
      results.testResult(3)?.failure == "it was dropped: too_many" && results.testResult(4) == nil)
    #expect(results.waiting(1)?.expiresAt == Self.at && results.waiting(2) == nil)
    let day = CivilDate(dayNumber: 20_000)
    let days = (0..<12).map { day.adding(days: $0) }
    let summaries = book(
      days.map { notice(1, .summary, "anna", due, day: $0) }
        + [notice(2, .summary, "anna", due, day: days[11]), notice(0, .summary, "", due, day: day)])
    #expect(summaries.summaries == ["anna": Array(days.suffix(10))])
    #expect(summaries.waiting.map(\.notice.number) == [1, 2] && summaries.lastNumber == 2)
    let moved = book([notice(1, .test, "anna", due), .clockStep(milliseconds: -5_000)])
    #expect(moved.waiting.first?.expiresAt == Self.at.adding(seconds: -5))
    let erased = book([notice(1, due), notice(2, .test, "anna", due), .erased(.words(Self.hilde))])
    #expect(erased.waiting.map(\.notice.number) == [2])
  }

  @Test func `the newest call of a person has its state`() {
    func call(_ number: Int64, _ change: CallChange, _ person: PersonID = PersonID("hilde"))
      -> Event
    {
      .call(person, number: number, change)
    }
    let asked = call(5, .asked(reply: AlarmID("r")))
    let cases: [([Event], CallRequest.State?, isWaiting: Bool)] = [
      ([], nil, false), ([asked], .waiting, true), ([asked, call(5, .repeated)], .waiting, true),
      ([asked, call(5, .told(contact: "bob"))], .told(contact: "bob"), false),
      ([asked, call(4, .told(contact: "bob"))], .waiting, true),
      ([asked, call(5, .failed(.notReached))], .failed(.notReached), false),
      ([asked, call(5, .told(contact: "bob"), .patient)], .waiting, true),
      ([call(4, .failed(.noContact))], nil, false),
      ([asked, .erased(.words(Self.hilde))], nil, false),
    ]
    for (events, state, isWaiting) in cases {
      let calls = book(events).calls
      #expect(calls.newest[Self.hilde]?.state == state, "\(events.map(\.type))")
      #expect((calls.waiting(of: Self.hilde) != nil) == isWaiting)
    }
    let moved = book([asked, call(3, .repeated), .clockStep(milliseconds: 7_000)]).calls
    #expect(moved.lastNumber == 5)
    #expect(
      moved.newest[Self.hilde]
        == CallRequest(
          number: 5, person: Self.hilde, askedAt: Self.at.adding(seconds: 7), reply: AlarmID("r"),
          state: .waiting))
  }

  @Test func `each kind of notice has its reason and its lifetime`() {
    let table: [NoticeKind: (NotifyReason, Int64)] = [
      .allClear: (.allClear, 43_200), .answerUndone: (.answerUndone, 43_200),
      .summary: (.summary, 21_600), .supplyLow: (.supplyLow, 86_400), .test: (.test, 600),
      .askedFor: (.askedFor, 3_600),
    ]
    for kind in NoticeKind.allCases {
      #expect(table[kind]?.0 == kind.reason && table[kind]?.1 == kind.lifetimeSeconds)
    }
    let types = [
      "cancelled", "completed", "correction", "declined", "erased", "escalated", "heartbeat",
      "call_asked", "call_failed", "call_repeated", "call_told", "clock_step", "inactivity_begun",
      "inactivity_ended", "inactivity_escalated", "inactivity_notification_failed",
      "inactivity_notified", "inactivity_resumed", "inactivity_suspended", "missed",
      "notice_dropped", "notice_due", "notice_failed", "notice_sent", "notification_failed",
      "notified", "person_removed", "planned", "superseded", "suppressed",
    ]
    #expect(NoticeBook.eventTypes == Set(types))
  }
}
