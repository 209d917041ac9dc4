import CivilTime
import Testing

@testable import Alarms

/// Makes a home with a patient "Hilde", whose calls go to the contact anna.
private func home(contacts: Set<String> = ["anna"]) throws -> CoreFixture {
  var fixture = CoreFixture()
  fixture.environment.callContacts = contacts
  try fixture.person { $0.name = "Hilde" }
  return fixture
}

private let caller = Actor(role: .patient, id: "uid:1002", source: "socket")

extension CoreFixture {
  /// Makes a call, as a person does with the button, and returns the state in the reply.
  @discardableResult
  fileprivate mutating func call(_ id: String = "reply1", by name: String? = nil) throws -> String {
    guard
      case .call(let call, let isRepeated)? = try handle(
        .command(.call(AlarmID(id), by: name), caller))
    else { return "no call" }
    return "\(call.state)\(isRepeated ? " again" : "")"
  }

  /// The types of the events about calls, in the order of the record.
  fileprivate var callEvents: [String] {
    records.map(\.event.type).filter { $0.hasPrefix("call_") }
  }

  /// The texts of the announcements, in the order of the record.
  fileprivate var announced: [String] {
    records.compactMap {
      guard case .alarmCreated(let alarm) = $0.event, alarm.isAnnouncement else { return nil }
      return alarm.label
    }
  }

  /// The words that the speaker said, in the order in which they sounded.
  fileprivate var heard: [String] { played.compactMap { $0.words?.text } }
}

@Test func `a contact is told of a call, and the person hears it`() throws {
  var fixture = try home()
  #expect(try fixture.call() == "waiting")
  #expect(fixture.callEvents == ["call_asked", "call_told"])
  let notice = try #require(fixture.sentNotices.first)
  #expect(notice.contact == "anna" && notice.reason == .askedFor && notice.person == .patient)
  #expect(
    notice.text
      == "Hilde asks you to call back. The request is from 09:00. This is not an emergency call.")
  fixture.pass(seconds: 30)
  #expect(fixture.heard == ["Anna was told."])
  fixture.pass(seconds: 300)
  #expect(fixture.home.openPrompts.isEmpty && fixture.home.noticeBook.waiting.isEmpty)
}

@Test func `the next contact is told if the first cannot be reached`() throws {
  var fixture = try home(contacts: ["bob", "anna"])
  fixture.unreachable = ["anna"]
  try fixture.call()
  #expect(fixture.sentNotices.map(\.contact) == ["anna", "bob"])
  fixture.pass(seconds: 30)
  #expect(fixture.heard == ["Bob was told."])
  #expect(fixture.callEvents == ["call_asked", "call_told"])
}

@Test func `the person hears that nobody was reached, and the next press tries again`() throws {
  var fixture = try home()
  fixture.unreachable = ["anna"]
  try fixture.call()
  fixture.pass(seconds: 30)
  #expect(fixture.heard == ["Anna could not be reached."])
  fixture.unreachable = []
  try fixture.call("reply2")
  fixture.pass(seconds: 30)
  #expect(fixture.heard == ["Anna could not be reached.", "Anna was told."])
  #expect(fixture.callEvents == ["call_asked", "call_failed", "call_asked", "call_told"])
}

@Test func `without a contact for calls the person hears that nobody could be told`() throws {
  var fixture = try home(contacts: [])
  #expect(try fixture.call() == "failed(Alarms.CallFailure.noContact)")
  fixture.pass(seconds: 30)
  #expect(fixture.heard == ["Nobody could be told."])
  #expect(fixture.sentNotices.isEmpty)
}

@Test func `a repeated call is recorded, and the contact is not told again`() throws {
  var fixture = try home()
  fixture.isNotifierSilent = true
  try fixture.call()
  #expect(try fixture.call("reply2") == "waiting again")
  fixture.pass(seconds: 20)
  #expect(fixture.announced == [])
  let waiting = try #require(fixture.home.noticeBook.waiting.first?.notice)
  fixture.isNotifierSilent = false
  try fixture.handle(
    .notifyResult(
      NotifyResult(
        subject: .notice(waiting.number), position: 0, contact: "anna", attempt: 1,
        reason: .askedFor, result: .notified)))
  // The announcement of the result is not over yet. Therefore a repeated call does not announce the
  // result a second time.
  fixture.pass(seconds: 1)
  try fixture.call("reply3")
  #expect(fixture.announced == ["Anna was told."])
  // The announcement has sounded. Now a repeated call announces the result again, with the same
  // words.
  fixture.pass(seconds: 200)
  #expect(try fixture.call("reply4") == "told(contact: \"anna\") again")
  fixture.pass(seconds: 20)
  #expect(fixture.heard == ["Anna was told.", "Anna was told."])
  #expect(
    fixture.callEvents == [
      "call_asked", "call_repeated", "call_told", "call_repeated", "call_repeated",
    ])
  #expect(fixture.sentNotices.count == 1)
  // This call comes more than five minutes after the first call, so the daemon notifies anna again.
  fixture.pass(seconds: 100)
  try fixture.call("reply5")
  #expect(fixture.sentNotices.count == 2)
}

@Test func `the result does not interrupt a ring, and the prompt stays open`() throws {
  var fixture = try home()
  fixture.ringSeconds = 20
  try fixture.add("Pills") {
    $0.schedule = "in 15 seconds"
    $0.rings = 1
  }
  fixture.pass(seconds: 16)
  #expect(fixture.sounding != nil)
  try fixture.call()
  fixture.pass(seconds: 10)
  #expect(fixture.heard == ["Pills"])
  fixture.pass(seconds: 40)
  #expect(fixture.heard == ["Pills", "Anna was told."])
  #expect(!fixture.records.contains { $0.event.type == "delayed" })
}

@Test func `a restart neither loses nor repeats a call`() throws {
  var fixture = try home()
  fixture.isNotifierSilent = true
  try fixture.call()
  fixture.isNotifierSilent = false
  fixture.crash(offForSeconds: 60)
  fixture.pass(seconds: 30)
  #expect(fixture.callEvents == ["call_asked", "call_told"])
  #expect(fixture.heard == ["Anna was told."])
  fixture.crash()
  fixture.pass(seconds: 30)
  #expect(fixture.heard == ["Anna was told."])
  #expect(try fixture.call("reply2") == "told(contact: \"anna\") again")
}

@Test func `a call that waits for more than an hour fails, and waits for the end of quiet hours`()
  throws
{
  var fixture = try home()
  try fixture.person {
    $0.name = "Hilde"
    $0.quietHours = "08:00-12:00"
  }
  fixture.isNotifierSilent = true
  try fixture.call()
  fixture.isNotifierSilent = false
  fixture.crash(offForSeconds: 3_700, newBoot: true)
  fixture.pass(seconds: 60)
  #expect(fixture.callEvents == ["call_asked", "call_failed"])
  #expect(fixture.announced == ["Anna could not be reached."])
  #expect(fixture.heard == [])
  fixture.pass(seconds: 3 * 3_600)
  #expect(fixture.heard == ["Anna could not be reached."])
}

@Test func `in quiet hours the person hears the result of a call at once`() throws {
  var fixture = try home()
  try fixture.person { $0.quietHours = "08:00-12:00" }
  try fixture.call()
  fixture.pass(seconds: 10)
  #expect(fixture.heard == ["Anna was told."])
}

@Test func `a call of an unknown person is refused, and a home with two people needs a name`()
  throws
{
  var fixture = try home()
  try fixture.handle(.command(.addPerson(PersonID("bert"), PersonForm()), CoreFixture.anna))
  for name in ["carl", nil] {
    #expect(throws: Refusal.self) { try fixture.call(by: name) }
  }
  #expect(fixture.callEvents == [])
  try fixture.call(by: "bert")
  #expect(fixture.records.last { $0.event.type == "call_told" }?.person == PersonID("bert"))
  // The call of a second person does not count as a repetition of the first person's call.
  try fixture.call("reply2", by: "patient")
  #expect(fixture.callEvents == ["call_asked", "call_told", "call_asked", "call_told"])
}

@Test func `nobody is told of a call after the person was erased`() throws {
  var fixture = try home()
  fixture.isNotifierSilent = true
  try fixture.call()
  try fixture.handle(
    .command(.erase(.words(.patient), WordsErased()), CoreFixture.anna))
  #expect(fixture.home.noticeBook.waiting.isEmpty)
  fixture.crash()
  fixture.pass(seconds: 7_200)
  #expect(fixture.sentNotices.count == 1 && fixture.announced == [])
}

@Test(arguments: [
  ("en", "Anna Maria was told.", "Anna could not be reached.", "Nobody could be told."),
  (
    "de-AT", "Anna Maria weiß Bescheid.", "Anna ist nicht zu erreichen.",
    "Niemand konnte benachrichtigt werden."
  ),
  ("vi", "Đã báo cho Anna Maria.", "Không liên lạc được với Anna.", "Không báo được cho ai."),
  ("fr", "Anna Maria was told.", "Anna could not be reached.", "Nobody could be told."),
])
func `the words about a call are in the language of the person`(
  language: String, told: String, notReached: String, nobody: String
) {
  #expect(CallWords.told("anna_maria").text(in: [language]) == told)
  #expect(CallWords.notReached("anna").text(in: [language]) == notReached)
  #expect(CallWords.nobody.text(in: [language]) == nobody)
}
