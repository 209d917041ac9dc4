import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm that rings twice. Anna is notified 50 seconds after the first ring. Bob is
/// notified one minute after anna.
private func watched(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.person { $0.name = "Hilde" }
  try fixture.add("Morning pills") {
    $0.schedule = "in 15 seconds"
    $0.rings = 2
    $0.spacingSeconds = 20
    $0.lateWindowSeconds = 60
    $0.notifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 50), NotifyStep(contact: "bob", afterSeconds: 60),
    ]
    edit(&$0)
  }
  return fixture
}

extension CoreFixture {
  /// The reason and the contact of each notice.
  fileprivate var notices: [String] {
    sentNotices.map { "\($0.reason.rawValue) \($0.contact)" }
  }

  /// The texts of the recorded notices of a kind.
  fileprivate func texts(_ kind: NoticeKind) -> [String] {
    records.compactMap {
      guard case .notice(let notice, .due(let message, _)) = $0.event, notice.kind == kind else {
        return nil
      }
      return message.text
    }
  }
}

/// Each case has the actions, and the rings and messages that follow from them. A lower-case letter
/// is an all-clear, or the message that an answer was undone.
private let lines: [(happens: String, drawn: String)] = [
  // Nobody was notified, so nobody gets an all-clear.
  ("-----c-------", "-1-2---------"),
  // Only anna was notified, so anna gets one all-clear.
  ("-------c-----", "-1-2--Aa-----"), ("-------n-----", "-1-2--Aa-----"),
  ("-------x-----", "-1-2--Aa-----"),
  // Anna and bob were notified, so both get an all-clear.
  ("-------------c-", "-1-2--A-----B[ab]-"),
  // "On my way" and "later" do not complete the task, so they send no all-clear.
  ("-------a-c---", "-1-2--A--a---"), ("-------s-c---", "-1-2--A--a---"),
  // The daemon is killed, and still sends each all-clear exactly once.
  ("------k-c----", "-1-2--A-a----"), ("-------c-k-k-", "-1-2--Aa-----"),
  ("------k-k-c--", "-1-2--A---a--"),
  // A user undoes the answer. Anna gets a message about the undo. The user answers again, and
  // anna gets an all-clear again.
  ("-------cu--c-", "-1-2--Aaa--a-"),
]

@Test(arguments: lines.indices)
func `each contact that was notified gets the all-clear once`(index: Int) throws {
  let line = lines[index]
  var fixture = try watched()
  #expect(try fixture.timeline(line.happens) == line.drawn, "\(line.happens)")
  #expect(fixture.home.notices.waiting.isEmpty)
  let sent = fixture.sentNotices.count
  if fixture.home.waitingPrompts.isEmpty {
    fixture.pass(seconds: 7_200)
    #expect(fixture.sentNotices.count == sent, "\(line.happens)")
    #expect(fixture.home.nextWake == nil)
  }
}

@Test func `a message names the person, the task and the time in one sentence`() throws {
  var fixture = try watched()
  _ = try fixture.timeline("-------")
  let asked = try #require(fixture.notified.first)
  #expect(asked.personName == "Hilde")
  #expect(asked.text == "Hilde has not answered \"Morning pills\", due at 09:00.")
  try fixture.answer(.complete)
  let clear = try #require(fixture.sentNotices.last)
  #expect(clear.reason == .allClear && clear.contact == "anna" && clear.person == .patient)
  #expect(
    clear.text
      == "All clear: \"Morning pills\" for Hilde, due at 09:00, is completed; somebody else has "
      + "answered.")
  #expect(clear.label == "Morning pills")
}

@Test func `an all-clear says who answered, and how`() throws {
  let task = NoticeText.Subject(label: "Pills", person: "Hilde", due: "due at 08:00")
  let cases: [(Outcome, Bool, String)] = [
    (.completed, true, "All clear: Hilde has completed \"Pills\", due at 08:00."),
    (.completedOutOfWindow, true, "All clear: Hilde has completed \"Pills\", due at 08:00."),
    (.declined, true, "Answered: Hilde has declined \"Pills\", due at 08:00."),
    (
      .declined, false,
      "Answered: \"Pills\" for Hilde, due at 08:00, was declined by somebody else for Hilde."
    ),
    (
      .cancelledWhileRinging, false,
      "All clear: somebody else has cancelled \"Pills\" for Hilde, due at 08:00."
    ),
  ]
  for (outcome, isByPatient, text) in cases {
    #expect(NoticeText.allClear(task, outcome, isByPatient: isByPatient) == text)
  }
}

@Test func `the text names the day if the due time is not today`() throws {
  let nominal = CivilDateTime(
    date: try CivilDate(parsing: "2026-11-26"), time: try ClockTime(parsing: "08:00"))
  #expect(NoticeText.due(nominal, today: nominal.date) == "due at 08:00")
  #expect(
    NoticeText.due(nominal, today: nominal.date.adding(days: 1))
      == "due on Thursday 26 November 2026 at 08:00")
}

@Test func `a missed prompt, a failed notification and an edit send no all-clear`() throws {
  var missed = try watched()
  missed.pass(seconds: 7_200)
  #expect(missed.notices == [])

  var failed = try watched()
  failed.unreachable = ["anna"]
  // Anna's command fails, so bob is notified at once.
  #expect(try failed.timeline("-------c----") == "-1-2--[AB]b----")
  #expect(failed.notices == ["all_clear bob"])
}

@Test func `a contact whose command still ran during the answer gets the all-clear afterwards`()
  throws
{
  var fixture = try watched()
  fixture.isNotifierSilent = true
  #expect(try fixture.timeline("-------c") == "-1-2--A-")
  fixture.isNotifierSilent = false
  let order = try #require(fixture.notified.first)
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: 0, contact: "anna", attempt: 1, reason: order.reason,
        result: .notified)))
  #expect(fixture.notices == ["all_clear anna"])
}

@Test func `a contact who was perhaps notified before a kill gets the all-clear`() throws {
  var fixture = try watched()
  fixture.isNotifierSilent = true
  _ = try fixture.timeline("-------c")
  fixture.isNotifierSilent = false
  fixture.crash()
  #expect(fixture.notices == ["all_clear anna"])
  fixture.crash()
  #expect(fixture.sentNotices.count == 1)
}

@Test func `a notice without a result is sent again after a restart, and not when it is too old`()
  throws
{
  var fixture = try watched()
  _ = try fixture.timeline("-------")
  fixture.isNotifierSilent = true
  try fixture.answer(.complete)
  #expect(fixture.notices == ["all_clear anna"])
  fixture.crash(offForSeconds: 3_600, newBoot: true)
  #expect(fixture.notices == ["all_clear anna", "all_clear anna"])
  #expect(fixture.home.notices.waiting.count == 1)
  fixture.crash(offForSeconds: 12 * 3_600, newBoot: true)
  #expect(fixture.sentNotices.count == 2)
  #expect(fixture.home.notices.waiting.isEmpty)
  #expect(fixture.records.contains { $0.event.type == "notice_dropped" })
}

@Test func `an undo stops an all-clear that was not sent yet`() throws {
  var fixture = try watched()
  _ = try fixture.timeline("-------")
  fixture.isNotifierSilent = true
  try fixture.answer(.complete)
  let number = try #require(fixture.home.notices.waiting.first?.notice.number)
  try fixture.handle(.command(.undo(nil), CoreFixture.anna))
  #expect(fixture.cancelledNotifications.contains(.notice(number)))
  #expect(fixture.home.notices.waiting.map(\.notice.kind) == [.answerUndone])
  #expect(
    fixture.texts(.answerUndone) == [
      "Not clear any more: the answer to \"Morning pills\" for Hilde, due at 09:00, was taken back."
    ])
}

@Test func `an inactivity that ends sends the all-clear, and only one message to each contact`()
  throws
{
  var fixture = try called()
  #expect(try fixture.timeline("-------c", tick: 3_600) == "1-----Aa")
  #expect(
    fixture.texts(.allClear) == ["All clear: somebody else has answered for the patient."])

  // Anna is notified about the prompt, and also about the inactivity. Anna still gets only one
  // all-clear.
  var both = try called(
    hours: 1
  ) {
    $0.inactivityNotifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)]
  } _: {
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
  }
  _ = try both.timeline("--", tick: 3_600)
  try both.answer(.complete)
  let clears = both.sentNotices
  #expect(clears.count { $0.contact == "anna" } == 1)
}

@Test func `a late result of one contact sends no second all-clear to another contact`() throws {
  var fixture = try called(hours: 1) {
    $0.inactivityNotifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 0), NotifyStep(contact: "bob", afterSeconds: 1_800),
    ]
  } _: {
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 60)]
  }
  _ = try fixture.timeline("-", tick: 3_600)
  fixture.isNotifierSilent = true
  fixture.pass(seconds: 3_600)
  let order = try #require(fixture.notified.last { $0.contact == "bob" })
  fixture.isNotifierSilent = false
  try fixture.answer(.complete)
  let before = fixture.sentNotices.count { $0.contact == "anna" }
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: order.subject, position: order.position, contact: "bob", attempt: 1,
        reason: order.reason, result: .notified)))
  #expect(fixture.sentNotices.count { $0.contact == "anna" } == before)
  #expect(fixture.sentNotices.last?.contact == "bob")
}

// MARK: The test of a contact

@Test func `a test message is recorded and sent, and its first failure is final`() throws {
  var fixture = CoreFixture()
  let reply = try fixture.handle(.command(.testContact("anna"), CoreFixture.anna))
  guard case .notice(let notice)? = reply else {
    Issue.record("no notice came back")
    return
  }
  #expect(notice.kind == .test && notice.contact == "anna" && notice.person == nil)
  #expect(fixture.notices == ["test anna"])
  #expect(fixture.records.suffix(2).map(\.event.type) == ["notice_due", "notice_sent"])

  fixture.isNotifierSilent = true
  try fixture.handle(.command(.testContact("bob"), CoreFixture.anna))
  let refused = #expect(throws: Refusal.self) {
    try fixture.handle(.command(.testContact("bob"), CoreFixture.anna))
  }
  #expect(refused?.kind == .conflict)
  let waiting = try #require(fixture.home.notices.waiting.first)
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: .notice(waiting.notice.number), position: 0, contact: "bob", attempt: 1,
        reason: .test, result: .failed(reason: "no network", isLast: false))))
  #expect(fixture.home.notices.waiting.isEmpty)
  #expect(fixture.cancelledNotifications == [.notice(waiting.notice.number)])
}

@Test func `a test of an unknown contact is refused, and changes nothing`() throws {
  var fixture = CoreFixture()
  let count = fixture.records.count
  let refused = #expect(throws: Refusal.self) {
    try fixture.handle(.command(.testContact("carl"), CoreFixture.anna))
  }
  #expect(refused?.kind == .notFound)
  #expect(refused?.description.contains("anna, bob") == true)
  #expect(fixture.records.count == count && fixture.sentNotices.isEmpty)
}

@Test func `the number of waiting notices is limited`() throws {
  var fixture = CoreFixture()
  fixture.isNotifierSilent = true
  fixture.environment.contacts = Set((0..<150).map { "c\($0)" })
  for index in 0..<150 {
    try fixture.handle(.command(.testContact("c\(index)"), CoreFixture.anna))
  }
  #expect(fixture.home.notices.waiting.count == NoticeBook.most)
  #expect(Set(fixture.home.notices.waiting.map(\.notice.number)).count == NoticeBook.most)
  #expect(fixture.home.notices.waiting.map(\.notice.contact) == (50..<150).map { "c\($0)" })
  let dropped = fixture.records.compactMap { record -> String? in
    guard case .notice(let notice, .dropped(.tooMany)) = record.event else { return nil }
    return notice.contact
  }
  #expect(dropped == (0..<50).map { "c\($0)" })
}
