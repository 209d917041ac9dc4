import CivilTime

@testable import Alarms

/// Edits, answers, undo, early reminders and alarms that follow an answer.
enum EditSequences {
  static var all: [() -> InputSequence] {
    [edits, kept, answers, following, chains, early, removed]
  }

  private static func edits() -> InputSequence {
    var play = InputSequence("edits of alarms")
    play.add("a1", "Pills", "every day 08:00")
    play.add("a1", "Pills", "every day 09:30")
    play.add("a2", "pills", "every day 08:00")
    play.add("a2", "Pills", "every day 08:00") { $0.zone = "UTC" }
    play.add("a3", "Pills", "every day 08:00 and 1 hour before")
    play.add("a4", "Pills", "every day 08:30")
    play.add("a5", "Pills", "2027-01-15 08:59")
    play.edit("a9", "unknown") { $0.label = "x" }
    play.edit("a4", "nothing") { $0.label = "Pills" }
    play.edit("a4", "version", version: 2) { $0.label = "Pill" }
    play.edit("a4", "versions", version: VersionCondition(versions: [])) { $0.label = "Pill" }
    play.edit("a4", "duplicate") { $0.schedule = "every day 08:00" }
    play.edit("a4", "label", version: 1) { $0.label = "Pill" }
    play.edit("a4", "label and schedule") { ($0.label, $0.schedule) = ("Pills", "every day 08:00") }
    play.edit("a4", "allowed duplicate") {
      ($0.label, $0.schedule, $0.allowsDuplicate) = ("Pills", "every day 08:00", true)
    }
    play.edit("a4", "rings") { $0.rings = 2 }
    play.edit("a4", "never") { $0.schedule = "2027-01-15 08:00" }
    play.edit("a4", "once") { $0.schedule = "2027-01-15 10:00" }
    play.edit("a4", "two days a week") { $0.schedule = "every friday 10:00" }
    play.edit("a4", "early reminder") { $0.earlyReminders = ["10 minutes before"] }
    play.edit("a4", "floating") { $0.zone = "floating" }
    play.command("remove version 3", .remove(AlarmID("a4"), ifVersion: 3))
    play.command("remove", .remove(AlarmID("a4"), ifVersion: nil))
    play.command("remove again", .remove(AlarmID("a4"), ifVersion: nil))
    play.end()
    return play
  }

  /// Edits of an alarm in each state of its open prompt.
  private static func kept() -> InputSequence {
    var play = InputSequence("edits while a prompt is open")
    play.add("a1", "Pills", "in 1 minute") {
      ($0.rings, $0.spacingSeconds, $0.lateWindowSeconds, $0.delayLimit) = (2, 60, 1_800, 5)
    }
    play.pass(61)
    play.edit("a1", "label while ringing") { $0.label = "Blue pills" }
    play.pass(100)
    play.edit("a1", "label while expiring") { $0.label = "Red pills" }
    play.command("later", .answer(nil, .delay(seconds: 60)))
    play.edit("a1", "label while delayed") { $0.label = "Green pills" }
    play.edit("a1", "rings while delayed") { $0.rings = 3 }
    play.command("on my way", .answer(play.prompt(of: "a1"), .acknowledge))
    play.edit("a1", "rings while acknowledged") { ($0.rings, $0.endsPrompt) = (3, false) }
    play.person("quiet", "patient") { ($0.quietHours, $0.quietPolicy) = ("09:03-09:20", .hold) }
    play.pass(700)
    play.edit("a1", "label while held") { $0.label = "Pink pills" }
    play.edit("a1", "rings while held") { $0.rings = 4 }
    play.edit("a1", "the policy while held") { $0.quietHours = "ring" }
    play.pass(30)
    play.edit("a1", "the policy between two rings") { $0.quietHours = "suppress" }
    play.pass(60)
    play.edit("a1", "label while it rests") { $0.label = "Grey pills" }
    play.edit("a1", "a pause") { $0.pausedUntil = "2027-01-16" }
    play.edit("a1", "a pause that ends the prompt") {
      ($0.pausedUntil, $0.endsPrompt) = ("2027-01-16", true)
    }
    play.command("undo", .undo(play.prompt(of: "a1")))
    play.add("a2", "Tea", "every 10 minutes") { ($0.rings, $0.quietHours) = (1, "ring") }
    play.pass(605)
    play.edit("a2", "rings") { $0.rings = 2 }
    play.end()
    return play
  }

  private static func answers() -> InputSequence {
    var play = InputSequence("answers and undo")
    play.add("a1", "Pills", "in 1 minute") {
      ($0.rings, $0.spacingSeconds, $0.lateWindowSeconds, $0.delayLimit) = (3, 60, 300, 1)
      ($0.completeBySeconds, $0.delaySeconds) = (240, 60)
    }
    let planned = play.prompt(of: "a1")
    play.command("without a prompt", .answer(nil, .complete))
    for answer in [Answer.acknowledge, .delay(seconds: nil)] {
      play.command("\(answer) of a planned prompt", .answer(planned, answer))
    }
    play.command("undo of a planned prompt", .undo(planned))
    play.command("undo of nothing", .undo(nil))
    play.command("undo of an unknown prompt", .undo(PromptID(alarm: AlarmID("x"), nominalKey: 2)))
    play.pass(61)
    for seconds in [59, 60, 86_400, 86_401] as [Int64] {
      play.command("later by \(seconds)", .answer(planned, .delay(seconds: seconds)))
      play.command("undo", .undo(planned))
    }
    play.command("later", .answer(nil, .delay(seconds: 60)))
    play.command("later again", .answer(planned, .delay(seconds: 60)))
    play.command("nothing calls", .answer(nil, .complete))
    play.pass(61)
    play.command("on my way", .answer(nil, .acknowledge))
    play.pass(239)
    play.command("on my way at the end", .answer(planned, .acknowledge))
    play.pass(240)
    play.command("on my way too late", .answer(planned, .acknowledge))
    play.command("complete", .answer(planned, .complete))
    play.command("complete again", .answer(planned, .complete))
    play.pass(60)
    play.command("undo at 60 s", .undo(nil))
    play.command("undo again", .undo(planned))
    play.command("decline", .answer(planned, .decline(.busy)))
    play.stepClock(5)
    play.command("undo after the clock was set", .undo(planned))
    for (id, wait) in [("b1", 300), ("b2", 301)] as [(String, Int64)] {
      play.add(id, "Task \(id)", "in 1 minute") {
        ($0.rings, $0.lateWindowSeconds) = (1, 300)
        $0.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 250)]
      }
      play.pass(60 + wait)
      play.command("complete after \(wait) s", .answer(play.prompt(of: id), .complete))
    }
    play.add("c1", "Tea", "every 4 minutes") { ($0.rings, $0.spacingSeconds) = (1, 30) }
    play.pass(245)
    play.command("cancel", .answer(nil, .cancel(.other)))
    play.edit("c1", "label") { $0.label = "Coffee" }
    play.command("undo after a change", .undo(nil))
    play.pass(455)
    play.command("complete", .answer(play.prompt(of: "c1"), .complete))
    play.pass(25)
    play.command("undo after the next prompt", .undo(nil))
    play.end()
    return play
  }

  /// Alarms that are due a fixed time after an answer to another alarm.
  private static func following() -> InputSequence {
    var play = InputSequence("alarms that follow another alarm")
    play.add("a1", "Pills", "every 30 minutes") { ($0.rings, $0.lateWindowSeconds) = (1, 900) }
    play.add("f1", "Eat", "10 minutes after Pills is completed")
    play.add("f2", "Drink", "10 minutes after Pills is completed at the latest 10:00")
    play.add("f3", "Rest", "20 minutes after Eat is completed")
    play.pass(1_805)
    play.command("complete", .answer(play.prompt(of: "a1"), .complete))
    play.command("undo", .undo(play.prompt(of: "a1")))
    play.pass(30)
    play.command("complete", .answer(play.prompt(of: "a1"), .complete))
    play.edit("f1", "later") { $0.schedule = "15 minutes after Pills is completed" }
    play.edit("f2", "label") { $0.label = "Water" }
    play.edit("f1", "much earlier") { $0.schedule = "1 minutes after Pills is completed" }
    play.pass(61)
    play.command("complete", .answer(play.prompt(of: "f1"), .complete))
    play.command("cancel a planned prompt", .answer(play.prompt(of: "f2"), .cancel(.other)))
    play.pass(1_700)
    play.command("decline", .answer(play.prompt(of: "a1"), .decline(.refused)))
    play.pass(60)
    play.command("remove the anchor", .remove(AlarmID("a1"), ifVersion: nil))
    play.pass(600)
    play.command("complete", .answer(play.prompt(of: "f2"), .complete))
    play.end()
    return play
  }

  /// Alarms that are due a fixed time after their own previous prompt.
  private static func chains() -> InputSequence {
    var play = InputSequence("alarms that follow their own prompt")
    play.add("a1", "Drops", "10 minutes after the last completion") {
      ($0.rings, $0.lateWindowSeconds) = (1, 120)
    }
    play.add("a2", "Walk", "4 hours after the last completion at the latest 12:00") { $0.rings = 1 }
    play.pass(605)
    play.command("complete", .answer(play.prompt(of: "a1"), .complete))
    play.pass(20)
    play.command("undo", .undo(play.prompt(of: "a1")))
    play.command("decline", .answer(play.prompt(of: "a1"), .decline(.refused)))
    play.edit("a1", "shorter") { $0.schedule = "5 minutes after the last completion" }
    play.pass(700)
    play.edit("a1", "longer") { $0.schedule = "30 minutes after the last completion" }
    play.pass(4_000)
    play.restart(offForSeconds: 8_000)
    play.pass(3_600)
    play.edit("a1", "another schedule") { $0.schedule = "every day 12:00" }
    play.end()
    return play
  }

  private static func early() -> InputSequence {
    var play = InputSequence("early reminders")
    play.add("a1", "Doctor", "2027-01-15 10:00 and 30 minutes before and 5 minutes before") {
      ($0.rings, $0.spacingSeconds, $0.lateWindowSeconds, $0.delayLimit) = (1, 60, 900, 9)
      ($0.notifySteps, $0.quietHours) = ([.init(contact: "bob", afterSeconds: 200)], "hold")
    }
    play.add("a2", "Trip", "2027-01-16 12:00 and the day before at 09:40") { $0.rings = 1 }
    play.pass(1_805)
    play.command("later, after the main prompt", .answer(nil, .delay(seconds: 3_600)))
    play.command("undo", .undo(nil))
    play.command("on my way", .answer(nil, .acknowledge))
    play.pass(590)
    play.command("later", .answer(play.prompt(of: "a1"), .delay(seconds: 600)))
    play.pass(620)
    play.command("later", .answer(play.prompt(of: "a1"), .delay(seconds: 86_400)))
    play.pass(590)
    play.command("complete", .answer(play.prompt(of: "a1"), .complete))
    play.edit("a2", "later") { $0.schedule = "2027-01-16 13:00 and the day before at 13:00" }
    play.edit("a2", "pause") { $0.exclude = ["2027-01-16"] }
    play.pass(12_000)
    play.end()
    return play
  }

  /// Removals of several alarms. At its removal, the prompt of each alarm is in a different state.
  private static func removed() -> InputSequence {
    var play = InputSequence("removals of alarms with an open prompt")
    play.fixture.ringSeconds = 5
    for (index, seconds) in ([30, 61, 80, 190] as [Int64]).enumerated() {
      let id = "a\(index)"
      play.add(id, "Task \(id)", "in 1 minute") { ($0.rings, $0.spacingSeconds) = (3, 60) }
      play.pass(seconds)
      play.command("remove after \(seconds) s", .remove(AlarmID(id), ifVersion: 1))
      play.command("undo", .undo(nil))
    }
    play.announce("said", "Lunch", "in 1 seconds") { ($0.rings, $0.message) = (2, .heard) }
    play.pass(10)
    play.command("on my way", .answer(nil, .acknowledge), by: CoreFixture.patient)
    play.pass(59)
    play.pass(2)
    play.end()
    return play
  }
}
