import CivilTime

@testable import Alarms

/// Notifications of escalations, all-clears, test messages and summaries.
enum NoticeSequences {
  static var all: [() -> InputSequence] { [escalations, failures, allClears, tests, summaries] }

  private static func pills(_ play: inout InputSequence, rings: Int = 2) {
    play.add("a1", "Pills", "in 1 minute") {
      ($0.rings, $0.spacingSeconds, $0.lateWindowSeconds) = (rings, 60, 300)
      $0.notifySteps = [
        NotifyStep(contact: "bob", afterSeconds: 0), NotifyStep(contact: "anna", afterSeconds: 90),
      ]
      $0.delayLimit = 2
    }
  }

  private static func result(
    _ id: PromptID, _ position: Int, _ result: NotifyResult.Result, attempt: Int = 1,
    _ reason: NotifyReason = .noAnswer
  ) -> Input {
    .notifyResult(
      NotifyResult(
        subject: .prompt(id), position: position, contact: ["bob", "anna"][position],
        attempt: attempt, reason: reason, result: result))
  }

  private static func escalations() -> InputSequence {
    var play = InputSequence("escalations")
    play.person("name", "patient") { $0.name = "Hilde" }
    play.fixture.isNotifierSilent = true
    pills(&play)
    play.pass(61)
    let id = play.prompt(of: "a1")
    play.give("bob fails once", result(id, 0, .failed(reason: "x", isLast: false)))
    play.command("later", .answer(nil, .delay(seconds: 60)), by: CoreFixture.patient)
    play.give("bob is notified after the answer", result(id, 0, .notified, attempt: 2))
    play.pass(155)
    play.give("anna fails", result(id, 1, .failed(reason: "x", isLast: true)))
    play.command("on my way", .answer(id, .acknowledge), by: CoreFixture.patient)
    play.pass(10)
    play.command("undo", .undo(id), by: CoreFixture.patient)
    play.stepClock(300)
    play.pass(30)
    play.restart()
    play.command("later", .answer(id, .delay(seconds: 30)), by: CoreFixture.patient)
    play.command("a third time", .answer(id, .delay(seconds: 30)), by: CoreFixture.patient)
    play.command("too short", .answer(id, .delay(seconds: 0)), by: CoreFixture.patient)
    play.pass(1_000)
    play.end()
    return play
  }

  private static func failures() -> InputSequence {
    var play = InputSequence("notifications that fail")
    play.fixture.isNotifierSilent = true
    play.fixture.isSpeakerBroken = true
    pills(&play, rings: 1)
    play.pass(60)
    let id = play.prompt(of: "a1")
    play.give("bob fails", result(id, 0, .failed(reason: "x", isLast: true)))
    play.pass(700)
    play.give("anna is notified", result(id, 1, .notified))
    play.fixture.isSpeakerBroken = false
    play.add("a2", "Tea", "every 10 minutes") {
      ($0.rings, $0.lateWindowSeconds) = (1, 60)
      $0.notifySteps = [
        NotifyStep(contact: "bob", afterSeconds: 300),
        NotifyStep(contact: "anna", afterSeconds: 90),
      ]
    }
    play.restart(offForSeconds: 700)
    let missed = play.prompt(of: "a2")
    play.give(
      "bob fails", result(missed, 0, .failed(reason: "x", isLast: true), .missedDeviceOff))
    play.restart()
    play.give("anna is notified", result(missed, 1, .notified, .missedDeviceOff))
    play.restart()
    play.end()
    return play
  }

  private static func allClears() -> InputSequence {
    var play = InputSequence("all-clears")
    play.person("rule", "patient") {
      ($0.name, $0.inactivityHours) = ("Hilde", 1)
      $0.inactivityNotifySteps = [NotifyStep(contact: "bob", afterSeconds: 60)]
    }
    for (id, answer) in [
      ("a1", Answer.complete), ("a2", .decline(.refused)), ("a3", .cancel(.other)),
    ] {
      play.add(id, "Task \(id)", "in 1 minute") {
        ($0.rings, $0.lateWindowSeconds) = (2, 600)
        $0.notifySteps = [
          NotifyStep(contact: "bob", afterSeconds: 10),
          NotifyStep(contact: "anna", afterSeconds: 10),
        ]
      }
      play.pass(85)
      let actor = id == "a2" ? CoreFixture.anna : CoreFixture.patient
      play.command("answer", .answer(play.prompt(of: id), answer), by: actor)
      play.command("undo", .undo(play.prompt(of: id)), by: actor)
      play.command(
        "answer", .answer(play.prompt(of: id), answer),
        by: id == "a2" ? CoreFixture.patient : CoreFixture.anna)
    }
    play.add("b1", "Tea", "every 50 minutes") { $0.rings = 1 }
    play.pass(7_000)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.patient)
    play.command("undo", .undo(nil), by: CoreFixture.patient)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.anna)
    play.fixture.isNotifierSilent = true
    play.command("undo", .undo(nil), by: CoreFixture.anna)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.anna)
    play.restart()
    play.pass(43_100)
    play.give("heartbeat", .heartbeat)
    play.pass(101)
    play.give("heartbeat", .heartbeat)
    play.end()
    return play
  }

  private static func tests() -> InputSequence {
    var play = InputSequence("test messages")
    play.command("unknown contact", .testContact("carl"))
    play.command("test", .testContact("bob"))
    play.fixture.isNotifierSilent = true
    play.command("test", .testContact("bob"))
    play.command("test again", .testContact("bob"))
    play.command("test the other", .testContact("anna"))
    let numbers = play.fixture.home.noticeBook.waiting.map(\.notice.number)
    func result(_ index: Int, _ result: NotifyResult.Result) -> Input {
      .notifyResult(
        NotifyResult(
          subject: .notice(index < numbers.count ? numbers[index] : 1), position: 0,
          contact: "bob", attempt: 1, reason: .test, result: result))
    }
    play.give("fails", result(0, .failed(reason: "no network", isLast: false)))
    play.give("fails again", result(0, .failed(reason: "no network", isLast: true)))
    play.give("unknown notice", result(7, .notified))
    play.stepClock(60)
    play.pass(540)
    play.give("heartbeat", .heartbeat)
    play.pass(60)
    play.give("heartbeat", .heartbeat)
    play.give("sent too late", result(1, .notified))
    for number in 0..<21 {
      play.fixture.isNotifierSilent = false
      _ = try? play.fixture.handle(
        .command(.testContact(number % 2 == 0 ? "bob" : "anna"), CoreFixture.anna))
    }
    play.command(
      "results \(numbers.map { play.fixture.home.noticeBook.testResult($0) as Any })", .rekey)
    play.fixture.environment.contacts = []
    play.command("no contacts", .testContact("bob"))
    play.end()
    return play
  }

  private static func summaries() -> InputSequence {
    var play = InputSequence("summaries of the day")
    let today = CoreFixture.berlin.civil(at: play.fixture.now.wall).dateTime.date
    play.fixture.environment.summaries = [
      "bob": "09:01", "anna": "09:00",
    ].compactMapValues { try? ClockTime(parsing: $0) }
    play.fixture.isSummaryLost = true
    play.give("time passes", .woke)
    play.pass(59)
    play.pass(1)
    play.restart()
    play.command(
      "send", .sendSummary(contact: "bob", today, text: "All done."), by: .daemon("summary"))
    play.command("send again", .sendSummary(contact: "bob", today, text: "All done."))
    play.command("to an unknown contact", .sendSummary(contact: "carl", today, text: "x"))
    for day in 1...11 {
      _ = try? play.fixture.handle(
        .command(
          .sendSummary(contact: "bob", today.adding(days: -day), text: "\(day)"), CoreFixture.anna))
    }
    play.command("send today again", .sendSummary(contact: "bob", today, text: "again"))
    play.command(
      "send the oldest", .sendSummary(contact: "bob", today.adding(days: -11), text: "x"))
    play.restart()
    play.pass(86_400)
    play.end()
    return play
  }
}
