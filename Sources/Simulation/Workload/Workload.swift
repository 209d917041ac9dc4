import Alarms

/// Creates a random script from a seed. The script contains the actions of the people, and the
/// faults.
public struct Workload: Sendable {
  static let minute: Int64 = 60_000
  static let day: Int64 = 86_400_000

  let seed: UInt64
  var random: SeededRandom
  let length: Int64
  let faults: Set<String>
  let severity: Int64
  let purgesPerYear: Int64
  var actions: [TimedAction] = []

  /// - Parameters:
  ///   - length: the length of the simulation, in milliseconds of true time. True time is the time
  ///     of the simulation, which no clock step changes.
  ///   - faults: the selected kinds of `Action.faults`.
  ///   - severity: the number by which the usual frequency of each fault is multiplied.
  ///   - purgesPerYear: the number of purges of the record per year.
  public init(
    seed: UInt64, length: Int64, faults: Set<String>, severity: Int64 = 1, purgesPerYear: Int64 = 0
  ) {
    self.seed = seed
    random = SeededRandom(seed: seed)
    self.length = length
    self.faults = faults
    self.severity = severity
    self.purgesPerYear = purgesPerYear
  }

  /// Returns the script, sorted by time. Actions with the same time are in the order in which they
  /// were added.
  public func written() -> [TimedAction] {
    var life = self
    life.settleIn()
    life.scatter(perYear: 24, Self.household)
    life.scatter(perYear: 8) { random in .endPhase(random.pick(["patient", "anna", "bert"])) }
    life.scatter(perYear: 10, Self.pause)
    life.scatter(perYear: 12, Self.say)
    life.scatter(perYear: 30, Self.edit)
    life.scatter(perYear: 90) { random in
      var form = AlarmForm()
      form.label = "Task \(random.roll(1...99))"
      return .edit(Int(random.roll(0...9)), form, isStale: false)
    }
    life.scatter(perYear: 33) { random in
      .remove(Int(random.roll(6...15)), isStale: random.chance(20))
    }
    life.scatter(perYear: 26, Self.add)
    life.scatter(perYear: 60, Self.answer)
    life.scatterFaults()
    life.scatterPurges()
    // All these actions get their random numbers from one generator, in this order. The calls and
    // messages are last. Therefore they do not change the random numbers of the actions before
    // them.
    life.scatter(perYear: 40, Self.call)
    life.scatter(perYear: 40, Self.message)
    life.stockUp(seed: seed)
    life.scatterHolidays()
    let sorted = life.actions.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    return sorted.map(\.element)
  }

  /// Adds two people and eight alarms. The home already contains the patient. One alarm rings every
  /// six hours, and seven alarms ring at civil times. Two of these civil times are 01:30 and 02:30.
  /// In many zones, a clock change skips or repeats at least one of these two times.
  private mutating func settleIn() {
    actions.append(TimedAction(at: 10_000, .addPerson("anna", Self.person(&random))))
    actions.append(TimedAction(at: 11_000, .addPerson("bert", Self.person(&random))))
    if random.chance(50) {
      actions.append(TimedAction(at: 12_000, .changePerson("patient", Self.person(&random))))
    }
    for (number, phrase) in [
      "every day 08:00", "every day 13:00", "every day 20:00", "weekdays 09:30",
      "every 6 hours", "every day 02:30", "every day 01:30", "mon,wed,fri 18:00",
    ].enumerated() {
      var form = AlarmForm()
      form.label = "Task"
      form.schedule = phrase
      form.person = ["patient", "anna", "bert", "patient"][number % 4]
      form.rings = Int(random.roll(1...5))
      form.spacingSeconds = random.pick([20, 45, 60, 60, 120])
      form.lateWindowSeconds = random.pick([300, 1_800, 1_800, 3_600])
      if random.chance(40) { Self.escalate(&form, &random) }
      if number % 3 == 0 { Self.question(&form, &random) }
      // If an alarm is due in the quiet hours of the person, the daemon can refuse the alarm. If
      // the alarm contains a setting for quiet hours, the daemon always accepts the alarm.
      if number > 3 { form.quietHours = random.pick(["hold", "suppress", "ring"]) }
      actions.append(TimedAction(at: random.roll(1...30) * Self.minute, .add(form)))
    }
    addTogether()
  }

  /// Adds alarms that are due at the same time as an existing alarm of the same person. These
  /// alarms cause merged rings.
  private mutating func addTogether() {
    for (number, phrase) in ["every day 08:00", "every day 08:00", "every day 13:00"].enumerated() {
      var form = AlarmForm()
      form.label = "Task"
      form.schedule = phrase
      form.person = ["patient", "patient", "anna"][number]
      form.rings = Int(random.roll(1...4))
      form.spacingSeconds = 60
      actions.append(TimedAction(at: random.roll(1...30) * Self.minute, .add(form)))
    }
  }

  mutating func scatter(perYear count: Int64, _ make: (inout SeededRandom) -> Action) {
    let total = max(1, count * length / (365 * Self.day))
    for _ in 0..<total {
      actions.append(
        TimedAction(at: random.roll(Self.day / 4...max(Self.day, length)), make(&random)))
    }
  }

  private static let phrases = [
    "every day 07:15", "every day 08:00", "every 8 hours", "tue,thu 16:00", "in 20 minutes",
    "in 3 hours", "in 2 days", "tomorrow 10:00", "weekdays 09:30",
    "every 90 minutes from 08:00 to 14:00", "every day 02:30", "every 2 hours",
    "every 80 minutes from 22:00 to 02:30", "random between 09:00 and 12:00",
    "3 times a day at random between 09:00 and 21:00 at least 1 hour apart",
    "every day 08:00 and 1 hour before", "mon,fri 10:00 and the evening before at 19:00",
    "30 minutes after alarm1002 is completed", "8 hours after the last completion",
    "6 hours after the last completion",
    "20 minutes after alarm1003 is completed, at the latest 16:00",
    "50 minutes after alarm1003 is completed, at the latest 17:00", "last day of month 12:00",
    "on the 31st of every month 09:00", "every year on 29 feb 09:00", "every 2 days at 02:15",
    "every morning at 7", "daily at 8 and 20", "every day except sunday at 9am", "monday 10:00",
    "every 24 hours", "DTSTART:20270101T070000Z RRULE:FREQ=DAILY", "FREQ=HOURLY;INTERVAL=7",
    "every day 07:00 until 2027-09-01", "every 3 hours for 20 times",
  ]

  private static func add(_ random: inout SeededRandom) -> Action {
    var form = AlarmForm()
    form.label = "Task"
    form.schedule = random.pick(phrases)
    form.rings = Int(random.roll(1...6))
    if random.chance(40) {
      form.zone = random.pick([
        "America/New_York", "Europe/Berlin", "Asia/Kolkata", "floating", "floating", "Nowhere",
      ])
    }
    if random.chance(30) { form.person = random.pick(["patient", "anna", "bert"]) }
    if random.chance(10) {
      form.earlyReminders = random.pick([["1 hour before"], ["1 day before at 19:00"], []])
    }
    if random.chance(20) { form.lateWindowSeconds = random.pick([60, 600, 7_200]) }
    if random.chance(20) { form.delayLimit = Int(random.roll(0...4)) }
    if random.chance(30) { escalate(&form, &random) }
    if random.chance(15) { form.quietHours = random.pick(["hold", "suppress", "ring"]) }
    if random.chance(20) { question(&form, &random) }
    return .add(form)
  }

  private static func edit(_ random: inout SeededRandom) -> Action {
    var form = AlarmForm()
    switch random.roll(0...15) {
    case 0: form.label = "Task \(random.roll(1...99))"
    case 1: form.spacingSeconds = random.pick([10, 30, 60, 90])
    case 2: form.rings = Int(random.roll(1...6))
    case 3: form.delaySeconds = random.pick([60, 300, 900])
    case 4: form.skipNext = Int(random.roll(0...5))
    case 5: form.pausedUntil = random.pick(["in 2 days", "in 5 hours", "tomorrow 08:00", "", ""])
    case 6:
      form.exclude = random.pick([["2027-03-28", "2027-06-01/2027-06-09"], ["2027-10-31"], []])
    case 7:
      form.earlyReminders = random.pick([["90 minutes before"], ["1 day before at 19:00"], []])
    case 8: form.person = random.pick(["patient", "anna", "bert", "nobody"])
    case 9: escalate(&form, &random)
    case 10: form.quietHours = random.pick(["hold", "suppress", "ring", ""])
    case 12: question(&form, &random)
    case 13: form.questions = []
    case 11: form.zone = random.pick(["floating", "Europe/Berlin", "America/New_York"])
    default: form.schedule = random.pick(phrases)
    }
    if random.chance(50) { form.endsPrompt = true }
    // Many alarms of a home have the label "Task". Without the permission `allowsDuplicate`, the
    // daemon would refuse many changes of a schedule.
    if random.chance(80) { form.allowsDuplicate = true }
    return .edit(Int(random.roll(0...9)), form, isStale: random.chance(15))
  }

  /// Adds questions to an alarm. For some alarms, the function also sets `answersRequired`.
  private static func question(_ form: inout AlarmForm, _ random: inout SeededRandom) {
    form.questions = random.pick([["mood"], ["mood", "scale?"], ["yes_no", "text?", "scale"]]).map {
      Action.question($0)
    }
    if random.chance(40) { form.answersRequired = random.chance(60) }
  }

  private static func answer(_ random: inout SeededRandom) -> Action {
    let target: Action.Target = random.pick([
      .current, .open(0), .planned(Int(random.roll(0...9))), .planned(0), .closed(0), .unknown,
    ])
    let answer: Answer = random.pick([
      .complete, .delay(seconds: 600), .acknowledge, .decline(.away), .cancel(.caretakerOverride),
      .delay(seconds: 0),
    ])
    return .answer(target, answer, random.pick([.patient, .caretaker]))
  }
}
