import CivilTime

@testable import Alarms

/// People, pauses, inactivity, calls, pictures and erasures.
enum PeopleSequences {
  static var all: [() -> InputSequence] {
    [people, quietHours, pauses, inactivity, calls, pictures, removals]
  }

  private static let hilde = PersonID("hilde")

  private static func people() -> InputSequence {
    var play = InputSequence("people")
    play.person("add", "hilde") {
      ($0.name, $0.language, $0.zone) = ("Hilde", "de", "UTC")
      ($0.quietHours, $0.quietPolicy, $0.ringsPerHour) = ("22:00-07:00", .suppress, 4)
      ($0.inactivityHours, $0.inactivityNotifySteps) = (
        5, [.init(contact: "bob", afterSeconds: 60)]
      )
    }
    play.command("add again", .addPerson(hilde, PersonForm()))
    play.command("add a confusable id", .addPerson(PersonID("Hilde"), PersonForm()))
    play.command("change an unknown person", .changePerson(PersonID("x"), ifVersion: nil, .init()))
    play.command("change version 2", .changePerson(hilde, ifVersion: 2, .init()))
    play.command("change nothing", .changePerson(hilde, ifVersion: 1, .init()))
    play.person("change the default person", "patient") { $0.name = "Rosa" }
    play.person("remove each setting", "hilde") {
      ($0.name, $0.language, $0.zone, $0.quietHours) = ("", "", "", "")
      ($0.ringsPerHour, $0.inactivityHours) = (0, 0)
    }
    play.add("a1", "Pills", "in 1 minute") { $0.person = "hilde" }
    play.add("a2", "Tea", "every day 08:00") { $0.person = "hilde" }
    play.command("remove with alarms", .removePerson(hilde))
    play.command("remove a2", .remove(AlarmID("a2"), ifVersion: nil))
    play.command("remove with one alarm", .removePerson(hilde))
    play.pass(60)
    play.command("complete", .answer(nil, .complete))
    play.command("remove", .removePerson(hilde))
    play.command("remove again", .removePerson(hilde))
    play.command("remove the last person", .removePerson(.patient))
    play.command("add a removed person", .addPerson(hilde, PersonForm()))
    play.end()
    return play
  }

  private static func quietHours() -> InputSequence {
    var play = InputSequence("changes of quiet hours")
    for (id, quiet) in [("a1", nil), ("a2", "hold"), ("a3", "suppress"), ("a4", "ring")]
      as [(String, String?)]
    {
      play.add(id, "Task \(id)", "every 10 minutes") {
        $0.quietHours = quiet
        $0.rings = 2
        $0.lateWindowSeconds = 120
      }
    }
    play.person("refuse", "patient") { ($0.quietHours, $0.quietPolicy) = ("09:00-09:30", .refuse) }
    play.person("hold", "patient") { ($0.quietHours, $0.quietPolicy) = ("09:00-09:30", .hold) }
    play.pass(605)
    play.person("suppress", "patient") { $0.quietPolicy = .suppress }
    play.edit("a2", "ring in quiet hours") { $0.quietHours = "ring" }
    play.pass(30)
    play.person("later quiet hours", "patient") { $0.quietHours = "09:20-09:30" }
    play.pass(120)
    play.person("no quiet hours", "patient") { $0.quietHours = "" }
    play.person("quiet hours in two minutes", "patient") { $0.quietHours = "09:14-09:40" }
    play.pass(600)
    play.person("refuse", "patient") { $0.quietPolicy = .refuse }
    play.command("remove a1", .remove(AlarmID("a1"), ifVersion: nil))
    play.person("refuse", "patient") { $0.quietPolicy = .refuse }
    play.add("a5", "Task a5", "every day 09:30")
    play.add("a6", "Task a6", "every day 09:40")
    play.end()
    return play
  }

  private static func pauses() -> InputSequence {
    var play = InputSequence("pauses of people")
    play.person("add", "hilde") { $0.name = "Hilde" }
    play.person("add", "otto") { _ in }
    for (id, person) in [("a1", "hilde"), ("a2", "patient"), ("a3", "patient"), ("b1", "hilde")] {
      play.add(id, "Task \(id)", id == "b1" ? "every day 09:05" : "every 5 minutes") {
        $0.person = person
        $0.rings = 1
      }
    }
    play.command("pause an unknown person", .pausePeople(.one(PersonID("emil")), until: nil))
    play.command("pause until the past", .pausePeople(.one(hilde), until: "2027-01-15 08:00"))
    play.pass(310)
    play.announce("said", "Lunch", "in 1 seconds") { ($0.person, $0.rings) = ("hilde", 1) }
    play.command("pause by name", .pausePeople(.one(PersonID("Hilde")), until: nil))
    play.pass(60)
    play.command("pause again until a time", .pausePeople(.one(hilde), until: "2027-01-15 09:20"))
    play.command("undo in the pause", .undo(nil))
    play.command("pause all", .pausePeople(.everybody, until: "2027-01-15 09:12"))
    play.pass(300)
    play.command("resume one", .resumePeople(.one(hilde)))
    play.command("resume one again", .resumePeople(.one(hilde)))
    play.command("resume all", .resumePeople(.everybody))
    play.pass(600)
    play.end()
    return play
  }

  private static func inactivity() -> InputSequence {
    var play = InputSequence("inactivity")
    play.person("rule", "patient") {
      $0.inactivityHours = 1
      $0.inactivityNotifySteps = [
        NotifyStep(contact: "anna", afterSeconds: 60), NotifyStep(contact: "bob", afterSeconds: 90),
      ]
    }
    play.add("a1", "Pills", "every 20 minutes") { $0.rings = 1 }
    play.add("a2", "Tea", "every day 23:00")
    play.announce("said", "Lunch", "in 1 seconds") { $0.rings = 1 }
    play.pass(1_210)
    play.give("heartbeat", .heartbeat)
    play.command("cancel", .answer(nil, .cancel(.other)))
    play.pass(1_210)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.patient)
    play.command("undo", .undo(nil), by: CoreFixture.patient)
    play.stepClock(600)
    play.pass(1_250)
    play.fixture.unreachable = ["anna"]
    play.pass(100)
    play.fixture.isNotifierSilent = true
    play.restart(offForSeconds: 10)
    play.command("later", .answer(nil, .delay(seconds: 600)), by: CoreFixture.patient)
    play.command("undo", .undo(nil), by: CoreFixture.patient)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.patient)
    play.pass(70)
    play.pass(5_000)
    play.edit("a1", "pause") { $0.pausedUntil = "2027-01-16" }
    play.give("heartbeat", .heartbeat)
    play.edit("a2", "pause") { $0.pausedUntil = "2027-01-16" }
    play.give("heartbeat", .heartbeat)
    play.end()
    return play
  }

  private static func calls() -> InputSequence {
    var play = InputSequence("calls")
    func call(_ id: String, _ name: String? = nil) -> Command { .call(AlarmID(id), by: name) }
    play.command("without contacts", call("c0"), by: CoreFixture.patient)
    play.pass(10)
    play.fixture.environment.callContacts = ["bob_maier", "anna-lena"]
    play.fixture.isNotifierSilent = true
    play.command("call", call("c1"), by: CoreFixture.patient)
    play.command("call again", call("c2"), by: CoreFixture.patient)
    func result(_ contact: String, _ result: NotifyResult.Result, _ number: Int64) -> Input {
      .notifyResult(
        NotifyResult(
          subject: .notice(number), position: 0, contact: contact, attempt: 1, reason: .askedFor,
          result: result))
    }
    func number() -> Int64 { play.fixture.home.noticeBook.waiting.last?.notice.number ?? 0 }
    play.give(
      "one attempt fails", result("anna-lena", .failed(reason: "x", isLast: false), number()))
    play.pass(5)
    play.give("the last fails", result("anna-lena", .failed(reason: "x", isLast: true), number()))
    play.give("the next is told", result("bob_maier", .notified, number()))
    play.command("call while it is said", call("c3"), by: CoreFixture.patient)
    play.pass(130)
    play.command("call within five minutes", call("c4"), by: CoreFixture.patient)
    play.pass(164)
    play.command("call at 299 s", call("c5"), by: CoreFixture.patient)
    play.pass(1)
    play.command("call at 300 s", call("c6"), by: CoreFixture.patient)
    play.person("quiet hours", "patient") { $0.quietHours = "09:00-12:00" }
    play.pass(599)
    for contact in ["anna-lena", "bob_maier"] {
      play.give("not reached", result(contact, .failed(reason: "x", isLast: true), number()))
    }
    play.pass(10)
    play.command("call", call("c7"), by: CoreFixture.patient)
    play.pass(600)
    for contact in ["anna-lena", "bob_maier"] {
      play.give("not reached", result(contact, .failed(reason: "x", isLast: true), number()))
    }
    play.pass(10)
    play.command("call in German", call("c8", "patient"), by: CoreFixture.patient)
    play.person("language", "patient") { $0.language = "de" }
    play.stepClock(100)
    play.pass(3_700)
    play.give("heartbeat", .heartbeat)
    play.command("unknown person", call("c9", "otto"), by: CoreFixture.patient)
    play.end()
    return play
  }

  private static func picture(_ sha256: String, bytes: Int = 1_000) -> Picture {
    Picture(sha256: sha256, mediaType: "image/png", width: 3, height: 4, bytes: bytes)
  }

  private static func pictures() -> InputSequence {
    let limits = HomeLimits(
      alarms: 100, tones: 2, ringsPerHour: 20, pictures: 6, pictureBytes: 8 << 20,
      toneBytes: 4 << 20)
    var play = InputSequence("pictures and photos", limits: limits)
    let bob = Actor(role: .caretaker, id: "uid:1003", source: "web")
    for sha256 in ["p1", "p1", "p2"] { play.command("add", .addPicture(picture(sha256))) }
    play.command("add a known picture", .addPicture(picture("p1")), by: bob)
    play.command("a third", .addPicture(picture("p3")))
    play.command("a fourth", .addPicture(picture("p4")))
    play.command("a large one", .addPicture(picture("p5", bytes: (4 << 20) - 1_000)), by: bob)
    play.command("a larger one", .addPicture(picture("p6", bytes: 1)), by: bob)
    play.add("a1", "Pills", "in 1 minute") { $0.image = "p1" }
    play.add("a2", "Tea", "in 1 minute") { $0.image = "p9" }
    play.add("a2", "Tea", "in 1 minute")
    play.person("reward", "patient") { $0.rewardImage = "p2" }
    play.command("remove from an alarm", .removePicture("p1"))
    play.command("remove a reward", .removePicture("p2"))
    play.command("remove an unknown picture", .removePicture("p9"))
    play.pass(62)
    play.command("unknown photo", .completeShowing(nil, photo: "p9"), by: CoreFixture.patient)
    let (a1, a2) = (play.prompt(of: "a1"), play.prompt(of: "a2"))
    for photo in ["p1", "p2"] {
      play.command("picture \(photo) of an alarm", .completeShowing(a1, photo: photo))
    }
    play.command("photo", .completeShowing(a1, photo: "p3"), by: CoreFixture.patient)
    play.command("the same photo again", .completeShowing(a1, photo: "p3"))
    play.command("photo of another task", .completeShowing(a2, photo: "p3"))
    play.command("complete", .answer(a2, .complete), by: CoreFixture.patient)
    play.command("add p5", .addPicture(picture("p5")), by: bob)
    play.command("photo afterwards", .completeShowing(a2, photo: "p5"))
    play.pass(61)
    play.command("photo too late", .completeShowing(a2, photo: "p5"))
    let day = CoreFixture.berlin.civil(at: play.fixture.now.wall).dateTime.date
    play.command("reward", .reward(.patient, on: day, isSounding: true))
    play.command("reward again", .reward(.patient, on: day, isSounding: true))
    play.command(
      "reward of the next day", .reward(.patient, on: day.adding(days: 1), isSounding: false))
    play.command("remove a1", .remove(AlarmID("a1"), ifVersion: nil))
    play.command("erase", .erase(.alarm(AlarmID("a2")), WordsErased()))
    play.command(
      "erase with pictures",
      .erase(.alarm(AlarmID("a1")), WordsErased(pictures: ["p3", "p2", "p1"])))
    play.command("remove", .removePicture("p5"))
    play.end()
    return play
  }

  private static func removals() -> InputSequence {
    var play = InputSequence("erasures")
    play.person("add", "hilde") { $0.name = "Hilde" }
    play.add("a1", "Pills", "in 1 minute") {
      $0.person = "hilde"
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 30)]
    }
    for id in ["otto", "hilde"] {
      play.command("erase the identity", .erase(.identity(PersonID(id)), WordsErased()))
      play.command("erase the words", .erase(.words(PersonID(id)), WordsErased()))
    }
    play.pass(95)
    play.command("remove the alarm", .remove(AlarmID("a1"), ifVersion: nil))
    play.command("erase the alarm", .erase(.alarm(AlarmID("a1")), WordsErased()))
    play.command("remove", .removePerson(hilde))
    play.command("erase the identity", .erase(.identity(hilde), WordsErased()))
    play.command("erase the words", .erase(.words(hilde), WordsErased()))
    play.end()
    return play
  }
}
