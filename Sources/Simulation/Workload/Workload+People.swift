import Alarms

// Creates random settings for the people of a simulated home, and random changes of these settings.
extension Workload {
  static func person(_ random: inout SeededRandom) -> PersonForm {
    var form = PersonForm()
    if random.chance(30) { form.zone = random.pick(["America/New_York", "Asia/Kolkata", ""]) }
    if random.chance(60) {
      form.quietHours = random.pick([
        "22:00-07:00", "13:00-14:30", "23:30-05:30", "01:00-02:40", "12:55-13:05", "02:30-06:00",
      ])
      form.quietPolicy = random.pick([.hold, .hold, .suppress, .suppress, .refuse])
    }
    if random.chance(50) { form.ringsPerHour = random.pick([4, 6, 10, 15, 30, 0]) }
    if random.chance(60) { awaitAnswers(&form, &random) }
    return form
  }

  /// Adds an inactivity rule to a person. If the person does not answer for some hours or days, the
  /// daemon notifies contacts.
  private static func awaitAnswers(_ form: inout PersonForm, _ random: inout SeededRandom) {
    form.inactivityHours = random.pick([1, 2, 6, 12, 30, 72, 0])
    if form.inactivityHours == 0 { return }
    form.inactivityNotifySteps = random.pick([
      [NotifyStep(contact: "neighbour", afterSeconds: 0)],
      [NotifyStep(contact: "nurse", afterSeconds: 600)],
      [
        NotifyStep(contact: "neighbour", afterSeconds: 0),
        NotifyStep(contact: "nurse", afterSeconds: 1_800),
      ],
    ])
  }

  static func household(_ random: inout SeededRandom) -> Action {
    let name = random.pick(["patient", "anna", "bert"])
    switch random.roll(0...9) {
    case 0...2:
      return .changePerson(name, person(&random))
    case 3:
      var form = PersonForm()
      form.quietHours = ""
      return .changePerson(name, form)
    case 4...6:
      // The daemon refuses a phase that ends in the past.
      let to: String? = random.chance(30) ? random.pick(["2027-06-01", "2027-11-01 08:00"]) : nil
      return .setPhase(
        name, PhaseForm(kind: random.pick([.control, .control, .prompted]), to: to))
    case 7: return .endPhase(name)
    case 8: return .addPerson("guest", person(&random))
    default: return .removePerson(random.pick(["guest", "guest", "anna"]))
    }
  }

  /// Returns an action that pauses one person or everybody, or an action that ends such a pause. A
  /// pause without an end lasts until somebody ends the pause.
  static func pause(_ random: inout SeededRandom) -> Action {
    let people: PausedPeople = random.pick([
      .one(PersonID("patient")), .one(PersonID("anna")), .one(PersonID("bert")),
      .one(PersonID("nobody")), .everybody,
    ])
    if random.chance(35) { return .resumePeople(people) }
    let until = random.pick([
      "in 3 hours", "in 2 days", "tomorrow", "tomorrow 12:00", "in 20 minutes", "2027-03-28",
    ])
    return .pausePeople(people, until: random.chance(15) ? nil : until)
  }

  /// Returns an action with which a person asks for a call. Some of these people do not exist in
  /// the home, and the daemon refuses their calls.
  static func call(_ random: inout SeededRandom) -> Action {
    .call(random.pick(["patient", "patient", "anna", "bert", "guest"]))
  }

  /// Returns a message that the daemon repeats until the person answers or the message expires.
  static func message(_ random: inout SeededRandom) -> Action {
    var form = AlarmForm()
    form.label = "Shall I come?"
    form.person = random.pick(["patient", "anna", "bert"])
    form.schedule = "in 1 seconds"
    form.rings = Int(random.roll(1...5))
    form.lateWindowSeconds = random.pick([60, 600, 1_800, 7_200, 43_200])
    form.spacingSeconds = min(600, (form.lateWindowSeconds ?? 60) / 5)
    if random.chance(30) { form.quietHours = "ring" }
    if random.chance(50) { form.questions = [Action.question("yes_no")] }
    return .say(form)
  }

  static func say(_ random: inout SeededRandom) -> Action {
    var form = AlarmForm()
    form.label = "Lunch is ready"
    form.person = random.pick(["patient", "anna", "bert"])
    form.schedule = "in 1 seconds"
    form.rings = 1
    form.lateWindowSeconds = 120
    return .say(form)
  }

  /// Changes an alarm at random. The function can add later bursts, contacts to notify, a deadline
  /// after the answer "on my way", and a burst that rings after this deadline.
  static func escalate(_ form: inout AlarmForm, _ random: inout SeededRandom) {
    if random.chance(50) {
      form.rings = nil
      form.spacingSeconds = nil
      form.steps = [
        StepForm(rings: Int(random.roll(1...3)), spacingSeconds: random.pick([20, 60])),
        StepForm(
          rings: Int(random.roll(1...3)), spacingSeconds: random.pick([20, 60]),
          isUrgent: random.chance(50), pauseSeconds: random.pick([30, 120, 600, 9_000])),
      ]
    }
    if random.chance(70) {
      form.notifySteps = random.pick([
        [NotifyStep(contact: "neighbour", afterSeconds: 600)],
        [
          NotifyStep(contact: "neighbour", afterSeconds: 60),
          NotifyStep(contact: "nurse", afterSeconds: 300),
        ],
        [NotifyStep(contact: "nurse", afterSeconds: 0)], [],
        [
          NotifyStep(contact: "nurse", afterSeconds: 120),
          NotifyStep(contact: "nurse", afterSeconds: 600),
        ],
      ])
    }
    if random.chance(30) { form.completeBySeconds = random.pick([60, 600, 3_600, 10_800]) }
    if random.chance(30) { form.completion = [StepForm(rings: 2, spacingSeconds: 30)] }
  }
}
