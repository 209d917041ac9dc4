import CivilTime

@testable import Alarms

extension RuleTable {
  static var steps: [Case] {
    let one = StepForm(rings: 2, spacingSeconds: 30)
    return [
      ("one step", { $0.steps = [one] }), ("no step", { $0.steps = [] }),
      ("default step", { $0.steps = [StepForm()] }),
      (
        "louder steps",
        { $0.steps = [one, StepForm(rings: 3, loudness: .louder, pauseSeconds: 60)] }
      ),
      (
        "louder from the start",
        {
          $0.steps = [StepForm(rings: 6, loudness: .louder), StepForm(rings: 1, loudness: .louder)]
        }
      ),
      (
        "as before",
        { $0.steps = [StepForm(rings: 2, loudness: .decibels([-20, -10])), StepForm()] }
      ),
      (
        "own gains", { $0.steps = [StepForm(rings: 2, loudness: .decibels([-20, -10, -5]))] }
      ),
      ("wrong gains", { $0.steps = [StepForm(loudness: .decibels([1]))] }),
      ("tone of a step", { $0.steps = [StepForm(tone: "bell", isUrgent: true)] }),
      ("unknown tone of a step", { $0.steps = [StepForm(tone: "horn")] }),
      ("pause of the first step", { $0.steps = [StepForm(pauseSeconds: 5)] }),
      ("pause 0", { $0.steps = [one, StepForm(rings: 1, pauseSeconds: 0)] }),
      ("pause 86400", { $0.steps = [one, StepForm(rings: 1, pauseSeconds: 86_400)] }),
      ("pause 86401", { $0.steps = [one, StepForm(rings: 1, pauseSeconds: 86_401)] }),
      ("pause 86369", { $0.steps = [one, StepForm(rings: 1, pauseSeconds: 86_369)] }),
    ]
  }

  static var limits: [Case] {
    let one = StepForm(rings: 2, spacingSeconds: 30)
    return [
      ("ten steps", { $0.steps = Array(repeating: StepForm(rings: 1), count: 10) }),
      ("eleven steps", { $0.steps = Array(repeating: StepForm(rings: 1), count: 11) }),
      ("21 rings in a step", { $0.steps = [StepForm(rings: 21)] }),
      ("0 rings in a step", { $0.steps = [StepForm(rings: 0)] }),
      ("spacing 3601 in a step", { $0.steps = [StepForm(rings: 2, spacingSeconds: 3_601)] }),
      ("steps and rings", { ($0.steps, $0.rings) = ([one], 2) }),
      ("steps and spacing", { ($0.steps, $0.spacingSeconds) = ([one], 2) }),
      ("steps and gains", { ($0.steps, $0.gainsDecibels) = ([one], [0]) }),
      ("completion", { $0.completion = [StepForm(rings: 2, isUrgent: true)] }),
      ("no completion", { $0.completion = [] }),
      ("two completions", { $0.completion = [one, one] }),
      ("13 rings of a completion", { $0.completion = [StepForm(rings: 13)] }),
      (
        "12 rings in an hour",
        { $0.steps = [StepForm(rings: 7), StepForm(rings: 6, pauseSeconds: 2_940)] }
      ),
      (
        "13 rings in an hour",
        { $0.steps = [StepForm(rings: 7), StepForm(rings: 6, pauseSeconds: 2_939)] }
      ),
      (
        "7 rings in each of two hours",
        { $0.steps = [StepForm(rings: 7), StepForm(rings: 7, pauseSeconds: 3_600)] }
      ),
      ("too many prompts in an hour", { $0.schedule = "every 10 minutes" }),
      ("ten minutes, two rings", { ($0.schedule, $0.rings) = ("every 10 minutes", 2) }),
      (
        "sparse after a dense beginning",
        {
          $0.completeBySeconds = 46_800
          $0.schedule =
            "DTSTART:20270116T080000 RRULE:FREQ=DAILY DTSTART:20270116T200000 "
            + "RRULE:FREQ=DAILY;COUNT=60 DTSTART:20270601T080000 RRULE:FREQ=MONTHLY"
        }
      ),
      (
        "dense after a sparse beginning",
        {
          $0.rings = 6
          $0.schedule =
            "DTSTART:20270116T080000 RRULE:FREQ=DAILY DTSTART:20270601T080500 RRULE:FREQ=DAILY"
        }
      ),
      ("complete by a day", { ($0.completeBySeconds, $0.schedule) = (7_200, "every 2 hours") }),
      ("complete by less", { ($0.completeBySeconds, $0.schedule) = (7_199, "every 2 hours") }),
    ]
  }

  static var contacts: [Case] {
    func tell(_ steps: (String, Int64)...) -> [NotifyStep] {
      steps.map { NotifyStep(contact: $0.0, afterSeconds: $0.1) }
    }
    return [
      ("contact", { $0.notifySteps = tell(("Anna", 60), ("bob", 0)) }),
      ("no contact", { $0.notifySteps = [] }),
      ("unknown contact", { $0.notifySteps = tell(("bop", 60)) }),
      ("negative time", { $0.notifySteps = tell(("anna", -1)) }),
      ("time 86400", { $0.notifySteps = tell(("anna", 86_400)) }),
      ("time 86401", { $0.notifySteps = tell(("anna", 86_401)) }),
      ("time 86399", { $0.notifySteps = tell(("anna", 86_399)) }),
      ("sum of times", { $0.notifySteps = tell(("anna", 43_200), ("bob", 43_200)) }),
      (
        "the same contact three times",
        { $0.notifySteps = tell(("anna", 60), ("bob", 60), ("anna", 60), ("anna", 60)) }
      ),
      (
        "eleven contacts",
        {
          $0.notifySteps = Array(repeating: NotifyStep(contact: "bob", afterSeconds: 1), count: 11)
        }
      ),
    ]
  }
}
