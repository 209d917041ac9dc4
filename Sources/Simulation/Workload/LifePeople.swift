import Alarms

// Who lives in a home, and what is wanted for them.
extension Life {
  static func person(_ dice: inout Dice) -> PersonForm {
    var form = PersonForm()
    if dice.chance(30) { form.zone = dice.pick(["America/New_York", "Asia/Kolkata", ""]) }
    if dice.chance(60) {
      form.quietHours = dice.pick([
        "22:00-07:00", "13:00-14:30", "23:30-05:30", "01:00-02:40", "12:55-13:05", "02:30-06:00",
      ])
      form.quietPolicy = dice.pick([.hold, .hold, .suppress, .suppress, .refuse])
    }
    if dice.chance(50) { form.ringsPerHour = dice.pick([4, 6, 10, 15, 30, 0]) }
    if dice.chance(60) { awaitAnswers(&form, &dice) }
    return form
  }

  /// Who hears that somebody answers nothing, after a few hours or a few days.
  private static func awaitAnswers(_ form: inout PersonForm, _ dice: inout Dice) {
    form.inactivityHours = dice.pick([1, 2, 6, 12, 30, 72, 0])
    if form.inactivityHours == 0 { return }
    form.inactivityNotifySteps = dice.pick([
      [NotifyStep(contact: "neighbour", afterSeconds: 0)],
      [NotifyStep(contact: "nurse", afterSeconds: 600)],
      [
        NotifyStep(contact: "neighbour", afterSeconds: 0),
        NotifyStep(contact: "nurse", afterSeconds: 1_800),
      ],
    ])
  }

  static func household(_ dice: inout Dice) -> Action {
    let name = dice.pick(["patient", "anna", "bert"])
    switch dice.roll(0...9) {
    case 0...2:
      return .changePerson(name, person(&dice))
    case 3:
      var form = PersonForm()
      form.quietHours = ""
      return .changePerson(name, form)
    case 4...6:
      // One that is past is refused.
      let to: String? = dice.chance(30) ? dice.pick(["2027-06-01", "2027-11-01 08:00"]) : nil
      return .setPhase(
        name, PhaseForm(kind: dice.pick([.control, .control, .prompted]), to: to))
    case 7: return .endPhase(name)
    case 8: return .addPerson("guest", person(&dice))
    default: return .removePerson(dice.pick(["guest", "guest", "anna"]))
    }
  }

  static func say(_ dice: inout Dice) -> Action {
    var form = AlarmForm()
    form.label = "Lunch is ready"
    form.person = dice.pick(["patient", "anna", "bert"])
    form.schedule = "in 1 seconds"
    form.rings = 1
    form.lateWindowSeconds = 120
    return .say(form)
  }

  /// Further bursts, people to be told, and a time for whoever is on the way.
  static func escalate(_ form: inout AlarmForm, _ dice: inout Dice) {
    if dice.chance(50) {
      form.rings = nil
      form.spacingSeconds = nil
      form.steps = [
        StepForm(rings: Int(dice.roll(1...3)), spacingSeconds: dice.pick([20, 60])),
        StepForm(
          rings: Int(dice.roll(1...3)), spacingSeconds: dice.pick([20, 60]),
          isUrgent: dice.chance(50), pauseSeconds: dice.pick([30, 120, 600])),
      ]
    }
    if dice.chance(70) {
      form.notifySteps = dice.pick([
        [NotifyStep(contact: "neighbour", afterSeconds: 600)],
        [
          NotifyStep(contact: "neighbour", afterSeconds: 60),
          NotifyStep(contact: "nurse", afterSeconds: 300),
        ],
        [NotifyStep(contact: "nurse", afterSeconds: 0)], [],
      ])
    }
    if dice.chance(30) { form.completeBySeconds = dice.pick([60, 600, 3_600]) }
    if dice.chance(30) { form.completion = [StepForm(rings: 2, spacingSeconds: 30)] }
  }
}
