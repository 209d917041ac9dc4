import CivilTime
import TestRandom

@testable import Alarms

/// Random sequences of inputs. The same seed gives the same sequence on every machine.
///
/// A random sequence combines situations that the written sequences do not combine, for example a
/// clock step during the early reminder of a merged ring. Its golden file shows that a change of the
/// code keeps all these decisions.
struct RandomSequences {
  /// A sequence ends when its text has this many bytes.
  private static let longestText = 22_000
  private static let people = ["patient", "patient", "hilde", "otto"]

  private var play: InputSequence
  private var random: SeededGenerator
  private var alarms: [String] = []
  private var made = 0

  static let seeds = 1...40 as ClosedRange<UInt64>

  static func sequence(seed: UInt64) -> InputSequence {
    var writer = RandomSequences(seed: seed)
    writer.moveIn()
    var count = 0
    while writer.play.text.utf8.count < longestText, count < 120 {
      writer.act()
      count += 1
    }
    writer.play.writeOutlook()
    writer.play.end()
    return writer.play
  }

  private init(seed: UInt64) {
    let limits = HomeLimits(alarms: 12, tones: 4, ringsPerHour: seed % 3 == 0 ? 6 : 20)
    play = InputSequence("random sequence \(seed)", limits: limits)
    random = SeededGenerator(seed: seed)
    play.fixture.environment.callContacts = ["bob"]
  }

  // MARK: Random choices

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(random.next() % UInt64(values.count))]
  }

  private mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

  /// An alarm of the home; sometimes an alarm that was removed.
  private mutating func alarm() -> String {
    let present = alarms.filter { play.fixture.home.alarm(AlarmID($0)) != nil }
    return pick(present.isEmpty || chance(3) ? alarms : present)
  }

  /// A prompt that waits for an answer; sometimes another prompt.
  private mutating func prompt() -> PromptID {
    let waiting = play.fixture.home.waitingPrompts.map(\.id).sorted()
    return waiting.isEmpty || chance(25) ? play.prompt(of: alarm()) : pick(waiting)
  }

  private mutating func person() -> PersonID { PersonID(pick(Self.people)) }

  private mutating func actor() -> Actor { pick([CoreFixture.patient, CoreFixture.anna]) }

  // MARK: The home

  private mutating func moveIn() {
    play.person("Hilde moves in", "hilde") { ($0.name, $0.language) = ("Hilde", "de") }
    play.person("Otto moves in", "otto") { $0.zone = "UTC" }
    play.command(
      "a supply",
      .supply(.add(SupplyID("s1"), SupplyForm(name: "Tablets", lowAt: .at(4)), left: 6)))
    for _ in 0..<3 { addAlarm() }
  }

  private mutating func act() {
    if !play.fixture.home.waitingPrompts.isEmpty, chance(40) { return answer() }
    switch random.next() % 100 {
    case 0..<10: addAlarm()
    case 10..<22: editAlarm()
    case 22..<26: answer()
    case 26..<31: play.command("undo", .undo(chance(50) ? nil : prompt()), by: actor())
    case 31..<66: play.pass(pick([3, 10, 31, 31, 61, 61, 61, 125, 125, 300, 605, 1_200]))
    case 66..<71: faults()
    case 71..<75: clock()
    case 75..<81: settings()
    case 81..<84: pauses()
    case 84..<88: messages()
    case 88..<91: supplies()
    case 91..<94: studies()
    case 94..<98: reports()
    default: play.pass(pick([3_600, 7_200, 20_000]))
    }
  }

  private static let schedules = [
    "in 1 minute", "in 2 minutes", "in 2 minutes", "in 10 minutes", "every 10 minutes",
    "every 30 minutes", "every 45 minutes", "every day 09:10", "every day 09:10",
    "every day 09:30 and 10 minutes before", "weekdays 09:05", "every day 12:00",
    "every 2 hours", "tomorrow 08:00 and the evening before at 20:00", "2027-01-15 09:20",
    "10 minutes after the last completion", "2 hours after the last completion",
    "random between 09:00 and 11:00", "every day 02:30", "mon,fri 09:15", "2027-01-15 08:00",
  ]

  private mutating func schedule() -> String {
    if !alarms.isEmpty, chance(15) {
      let anchor = play.fixture.home.alarm(AlarmID(alarm()))?.label ?? "Task 9"
      return "5 minutes after \(anchor) is completed"
        + (chance(40) ? ", at the latest 11:00" : "")
    }
    return pick(Self.schedules)
  }

  private mutating func addAlarm() {
    made += 1
    let (id, schedule) = ("a\(made)", schedule())
    var form = AlarmForm()
    for _ in 0..<4 { change(&form) }
    if form.steps == nil { form.rings = form.rings ?? 2 }
    form.person = form.person ?? person().text
    form.pausedUntil = nil
    form.endsPrompt = nil
    form.allowsDuplicate = chance(80)
    let label = form.label ?? "Task \(made)"
    play.add(id, label, schedule) {
      $0 = form
      ($0.label, $0.schedule) = (label, schedule)
    }
    alarms.append(id)
  }

  private mutating func editAlarm() {
    var form = AlarmForm()
    for _ in 0..<(chance(70) ? 1 : 3) { change(&form) }
    if chance(25) { form.schedule = schedule() }
    if chance(40) { form.endsPrompt = true }
    form.allowsDuplicate = chance(60)
    let id = alarm()
    if chance(12) {
      play.command("remove \(id)", .remove(AlarmID(id), ifVersion: chance(20) ? 1 : nil))
    } else {
      play.edit(id, "random", version: chance(8) ? 2 : nil) { $0 = form }
    }
  }

  /// Changes one or two random fields of a form.
  private mutating func change(_ form: inout AlarmForm) {
    switch random.next() % 18 {
    case 0: form.label = "Task \(random.next() % 20)"
    case 1: form.person = person().text
    case 2 where form.steps == nil:
      (form.rings, form.spacingSeconds) = (pick([1, 2, 3, 5]), pick([10, 30, 60, 120]))
    case 3 where form.rings == nil: form.steps = steps()
    case 4, 5: form.notifySteps = notifySteps()
    case 6: form.lateWindowSeconds = pick([30, 60, 120, 600, 1_800])
    case 7: (form.delaySeconds, form.delayLimit) = (pick([60, 300]), pick([0, 1, 3]))
    case 8:
      (form.completeBySeconds, form.completion) = (
        pick([60, 120, 300]), pick([[], [StepForm(rings: 2, spacingSeconds: 20)]])
      )
    case 9: form.quietHours = pick(["ring", "hold", "suppress", ""])
    case 10: form.earlyReminders = pick([["5 minutes before"], ["10 minutes before"], []])
    case 11: form.uses = [SupplyUseForm(supply: "s1", amount: pick([nil, 2]))]
    case 12: form.pausedUntil = pick(["2027-01-16", "2027-01-15 10:00", ""])
    case 13: form.skipNext = pick([0, 1, 2])
    case 14: form.zone = pick(["floating", "UTC", "Europe/Berlin"])
    case 15: form.exclude = pick([["2027-01-15"], ["2027-01-16/2027-01-17"], []])
    case 16: form.questions = questions()
    default: form.instructions = pick(["", "With water."])
    }
  }

  private mutating func steps() -> [StepForm] {
    [
      StepForm(rings: pick([1, 2, 3]), spacingSeconds: pick([20, 60])),
      StepForm(
        rings: pick([1, 2]), spacingSeconds: 30, loudness: pick([.asBefore, .louder]),
        isUrgent: chance(50), pauseSeconds: pick([60, 120])),
    ]
  }

  private mutating func notifySteps() -> [NotifyStep] {
    pick([
      [], [NotifyStep(contact: "bob", afterSeconds: pick([0, 30, 200]))],
      [
        NotifyStep(contact: "anna", afterSeconds: pick([0, 60])),
        NotifyStep(contact: "bob", afterSeconds: pick([20, 90])),
      ],
    ])
  }

  private mutating func questions() -> [QuestionForm] {
    var mood = QuestionForm()
    (mood.name, mood.text, mood.kind) = ("mood", "How are you?", "yes_no")
    mood.isRequired = chance(50)
    return [mood]
  }

  // MARK: The people

  private mutating func answer() {
    let answer: Answer = pick([
      .complete, .complete, .complete, .acknowledge, .acknowledge, .delay(seconds: nil),
      .delay(seconds: 60), .decline(.refused), .cancel(.other),
    ])
    if chance(6) {
      let response = ResponseForm(question: "mood", value: .flag(chance(50)))
      play.command(
        "respond", .respond(prompt(), [response], completes: chance(50), past: nil), by: actor())
      return
    }
    let target = chance(35) ? nil : prompt()
    play.command("\(answer) \(target?.alarm.text ?? "")", .answer(target, answer), by: actor())
  }

  private mutating func settings() {
    let id = person().text
    let now = CoreFixture.berlin.civil(at: play.fixture.now.wall).dateTime.time
    let quiet = pick(["", "22:00-07:00", "\(now)-13:00", "09:20-09:50"])
    let policy: QuietPolicy? = quiet.isEmpty ? nil : pick([.hold, .suppress, .refuse])
    let rings = pick([0, 2, 5])
    let isHours = chance(30)
    let hours = pick([0, 1, 3])
    let notify = [NotifyStep(contact: "anna", afterSeconds: 60)] + notifySteps()
    play.person("settings of \(id)", id) {
      if isHours {
        ($0.inactivityHours, $0.inactivityNotifySteps) = (hours, notify)
      } else {
        ($0.quietHours, $0.quietPolicy, $0.ringsPerHour) = (quiet, policy, rings)
      }
    }
  }

  private mutating func pauses() {
    let who: PausedPeople = chance(30) ? .everybody : .one(person())
    if chance(50) {
      play.command("resume", .resumePeople(who))
    } else {
      let end = pick([nil, "2027-01-15 11:00", "2027-01-16"])
      play.command("pause", .pausePeople(who, until: end))
    }
  }

  private mutating func messages() {
    made += 1
    let id = "m\(made)"
    switch random.next() % 4 {
    case 0: play.command("call", .call(AlarmID(id), by: pick([nil, "Hilde"])), by: actor())
    case 1: play.command("test", .testContact(pick(["anna", "bob"])))
    default:
      let (who, kind) = (person().text, pick([nil, .heard, .yesNo] as [MessageKind?]))
      play.announce(id, "Lunch", "in 1 seconds") {
        ($0.person, $0.rings, $0.message, $0.lateWindowSeconds) = (who, 1, kind, 120)
      }
      alarms.append(id)
    }
  }

  private mutating func supplies() {
    let change: SupplyCommand = pick([
      .refill("s1", by: 5), .count("s1", left: 4), .change("s1", SupplyForm(lowAt: .at(2))),
      .change("s1", SupplyForm(contacts: ["bob"])), .refill("s1", by: 1), .remove("s1"),
    ])
    play.command("supply", .supply(change))
  }

  private mutating func studies() {
    let id = person()
    let commands: [Command] = [
      .enrol(id, EnrolmentForm(study: "s1", pseudonym: "P-\(id.text)")),
      .setPhase(id, PhaseForm(kind: pick([.prompted, .control, .runIn]))),
      .setPhase(id, PhaseForm(kind: .control, from: "2027-01-15 10:00", to: "2027-01-15 12:00")),
      .endPhase(id, at: nil), .withdraw(id, Withdrawal(), erasing: nil),
    ]
    play.command("study", pick(commands))
  }

  // MARK: The machine

  private mutating func faults() {
    switch random.next() % 6 {
    case 0: play.fixture.isSpeakerBroken.toggle()
    case 1: play.fixture.failsMidRing.toggle()
    case 2: play.fixture.unreachable = pick([[], ["anna"], ["anna", "bob"]])
    case 3: play.fixture.ringSeconds = pick([2, 8, 25])
    default: play.restart(offForSeconds: pick([0, 5, 200, 2_000]), newBoot: chance(40))
    }
  }

  private mutating func clock() {
    if chance(20) {
      play.give("the zones changed", .zonesChanged)
    } else {
      play.stepClock(pick([-3_600, -300, -20, -1, 1, 15, 120, 900, 7_200]))
    }
  }

  private mutating func reports() {
    switch random.next() % 7 {
    case 0: play.give("heartbeat", .heartbeat)
    case 1, 2: play.command("say again", .sayAgain(prompt()), by: actor())
    case 3: play.command("present", .present(prompt()), by: actor())
    case 4: play.command("test ring", .testRing(tone: nil))
    case 5: play.give("disk", .disk(freeBytes: pick([1_000, 4 << 30])))
    default: play.give("the speaker is unusable", .sound(.unusable(reason: "no card")))
    }
  }
}
