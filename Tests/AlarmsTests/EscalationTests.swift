import CivilTime
import Testing

@testable import Alarms

/// Due after one tick of ten seconds: two soft rings, then two louder urgent ones after half a minute.
private func chained(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> Bench {
  var bench = Bench()
  try bench.add {
    $0.schedule = "in 15 seconds"
    $0.steps = [
      StepForm(rings: 2, spacingSeconds: 20, loudness: .decibels([-12])),
      StepForm(rings: 2, spacingSeconds: 20, loudness: .louder, isUrgent: true, pauseSeconds: 30),
    ]
    $0.lateWindowSeconds = 300
    edit(&$0)
  }
  return bench
}

@Test func `a chain goes on with its next burst, louder and urgent, and ends`() throws {
  var bench = try chained()
  #expect(try bench.timeline("-----------") == "-1-2--3-4--")
  #expect(bench.played.map(\.gainDecibels) == [-12, -12, -9, -6])
  #expect(bench.played.map(\.isUrgent) == [false, false, true, true])
  #expect(bench.played.map(\.isFirstOfBurst) == [true, false, true, false])
  bench.pass(seconds: 600)
  #expect(bench.outcomes == [.missedNoResponse])
  #expect(bench.home.nextWake == nil)
}

@Test func `done in the second burst says how many rings of the chain will not sound`() throws {
  var bench = try chained()
  #expect(try bench.timeline("----") == "-1-2")
  #expect(try bench.answer(.complete).stopped.pending == 2)
  #expect(try bench.timeline("------") == "------")
}

@Test func `a kill between two bursts loses neither the rest nor its place`() throws {
  var bench = try chained()
  #expect(try bench.timeline("----k-------") == "-1-2--3-4---")
}

@Test func `a delay begins the chain anew`() throws {
  var bench = try chained { $0.delaySeconds = 40 }
  #expect(try bench.timeline("-------s------------") == "-1-2--3---4-5--6-7--")
}

// MARK: People

private func notifySteps(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> Bench {
  var bench = Bench()
  try bench.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 2
    $0.spacingSeconds = 20
    $0.lateWindowSeconds = 60
    $0.notifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 50), NotifyStep(contact: "bob", afterSeconds: 60),
    ]
    edit(&$0)
  }
  return bench
}

@Test func `people are told one after the other, and then the prompt is missed`() throws {
  var bench = try notifySteps()
  #expect(try bench.timeline("-------------") == "-1-2--A-----B")
  #expect(bench.outcomes == [])
  // Told five minutes before it is over: time enough to do something about it.
  bench.pass(seconds: 300)
  #expect(bench.outcomes == [.missedNoResponse])
  #expect(bench.home.nextWake == nil)
  #expect(bench.notified.map(\.reason) == [.noAnswer, .noAnswer])
  #expect(bench.records.filter { $0.event.type == "told" }.count == 2)
}

@Test(arguments: [
  ("-----c-------", "-1-2---------"), ("-----n-------", "-1-2---------"),
  ("-----x-------", "-1-2---------"), ("-------c------", "-1-2--A-------"),
])
func `an answer in time tells nobody any more`(happenings: String, drawn: String) throws {
  var bench = try notifySteps()
  #expect(try bench.timeline(happenings) == drawn)
  bench.pass(seconds: 3_600)
  #expect(bench.notified.count == drawn.filter { $0 == "A" }.count)
  #expect(bench.home.nextWake == nil)
}

@Test func `a delay puts off who is told, and nobody is told twice`() throws {
  var bench = try notifySteps { $0.delaySeconds = 30 }
  // Told once, delayed, and the next one is told so long after the new burst begins.
  #expect(try bench.timeline("-------s---------------") == "-1-2--A--3-4---B-------")
  #expect(bench.notified.map(\.contact) == ["anna", "bob"])
}

@Test func `whoever is on the way for ever is not, and somebody hears of it`() throws {
  var bench = try notifySteps {
    $0.completeBySeconds = 40
    $0.delayLimit = 1
    $0.delaySeconds = 30
  }
  // It is taken until 80 seconds after the first one; a delay in between makes that no longer.
  let before = try bench.timeline("--a----a-s----")
  #expect(before == "-1---2-----3-4")
  let asked = bench.records.count
  #expect(throws: Refusal.self) { try bench.answer(.acknowledge) }
  #expect(bench.records.count == asked)
  let after = try bench.timeline("-----------")
  #expect(after == "--A-----B--")
  bench.pass(seconds: 600)
  #expect(bench.outcomes == [.missedNoResponse])
}

@Test func `whoever cannot be told is not waited for`() throws {
  var bench = try notifySteps()
  bench.unreachable = ["anna"]
  #expect(try bench.timeline("---------") == "-1-2--B--")
  #expect(bench.notified.map(\.contact) == ["anna", "bob"])
  #expect(bench.records.filter { $0.event.type == "telling_failed" }.count == 1)
}

@Test func `after a kill only those are told again of whom nobody knows`() throws {
  var bench = try notifySteps()
  #expect(try bench.timeline("-------k--") == "-1-2--A---")
  var unsure = try notifySteps()
  unsure.isNotifierSilent = true
  #expect(try unsure.timeline("-------k----") == "-1-2--AA----")
  #expect(unsure.notified.map(\.contact) == ["anna", "anna"])
  // The second telling does not put off the next person.
  #expect(try unsure.timeline("-") == "B")
}

@Test func `an answer while somebody is being told stops further attempts`() throws {
  var bench = try notifySteps()
  bench.isNotifierSilent = true
  #expect(try bench.timeline("-------c-") == "-1-2--A--")
  #expect(bench.cancelledNotifications.count == 1)
}

@Test func `who waits in line for the voice still has their people told`() throws {
  var bench = try notifySteps()
  bench.ringSeconds = 25
  try bench.add("Long") {
    $0.schedule = "in 14 seconds"
    $0.steps = [StepForm(rings: 10, spacingSeconds: 1, isUrgent: true)]
  }
  bench.pass(seconds: 70)
  #expect(bench.notified.map(\.contact) == ["anna"])
}

@Test func `a prompt missed while the device was off tells somebody, and of the newest only`()
  throws
{
  var bench = Bench()
  try bench.add {
    $0.schedule = "every day 09:05"
    $0.lateWindowSeconds = 300
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 600)]
  }
  bench.crash(offForSeconds: 3 * 86_400 + 3_600, newBoot: true)
  #expect(
    bench.outcomes == [.missedDeviceOff, .missedDeviceOff, .missedDeviceOff, .missedDeviceOff])
  #expect(bench.notified.map(\.reason) == [.missedDeviceOff])
}

@Test func `of an absence so long that not everything is listed somebody hears all the same`()
  throws
{
  var bench = Bench()
  try bench.add {
    $0.schedule = "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=9;BYMINUTE=5;BYSECOND=0"
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 600)]
  }
  // January and March were missed, and May is to come: March is too long ago to be listed.
  bench.crash(offForSeconds: 134 * 86_400, newBoot: true)
  #expect(bench.outcomes == [.missedDeviceOff])
  #expect(bench.notified.map(\.reason) == [.missedDeviceOff])
}

@Test func `of what is kept from sounding nobody is told that it was not answered`() throws {
  var control = Bench()
  let researcher = Actor(role: .researcher, id: "uid:1003", source: "socket")
  try control.take(.command(.setPhase(.patient, PhaseForm(kind: .control)), researcher))
  try control.add {
    $0.schedule = "in 15 seconds"
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)]
  }
  control.pass(seconds: 60)
  try control.answer(.delay(seconds: 60))
  control.pass(seconds: 7_200)
  #expect(control.outcomes == [.suppressedControlPhase] && control.notified.isEmpty)

  // The bench begins at 09:00 in Berlin: told after the burst that the quiet hours held back.
  var quiet = Bench()
  var form = PersonForm()
  form.quietHours = "08:00-10:00"
  try quiet.take(.command(.changePerson(.patient, ifVersion: nil, form), researcher))
  try quiet.add {
    $0.schedule = "every day 09:30"
    $0.rings = 1
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 600)]
  }
  quiet.pass(seconds: 3_600 + 590)
  #expect(quiet.played.count == 1 && quiet.notified.isEmpty)
  quiet.pass(seconds: 20)
  #expect(quiet.notified.map(\.reason) == [.noAnswer])
}

@Test func `a step of the clock does not change when somebody is told`() throws {
  for step: Int64 in [-3_600, 3_600] {
    var bench = try notifySteps { $0.lateWindowSeconds = 7_200 }
    bench.pass(seconds: 20)
    bench.stepClock(seconds: step)
    bench.pass(seconds: 40)
    #expect(bench.notified.isEmpty)
    bench.pass(seconds: 10)
    #expect(bench.notified.count == 1)
  }
}

// MARK: On my way

@Test func `on my way and not done in time rings with its own burst, and then people are told`()
  throws
{
  var bench = try notifySteps {
    $0.completeBySeconds = 40
    $0.completion = [StepForm(rings: 3, spacingSeconds: 10, loudness: .decibels([-1]))]
  }
  // Acknowledged after the first ring; 40 s later three rings, and anna 50 s after those begin.
  #expect(try bench.timeline("--a------------") == "-1---234--A----")
  #expect(bench.played.map(\.gainDecibels) == [-3, -1, -1, -1])
  #expect(bench.notified.map(\.reason) == [.notCompleted])
  bench.pass(seconds: 3_600)
  #expect(bench.outcomes == [.missedNoResponse])
}

@Test func `done before the time that on my way gives is done in time`() throws {
  var bench = try notifySteps { $0.completeBySeconds = 200 }
  #expect(try bench.timeline("-----a---------c") == "-1-2------------")
  #expect(bench.outcomes == [.completed])
  #expect(bench.notified.isEmpty)
}

@Test func `on my way is remembered over a kill`() throws {
  var bench = try notifySteps {
    $0.completeBySeconds = 40
    $0.completion = [StepForm(rings: 1, loudness: .decibels([-1]))]
  }
  #expect(try bench.timeline("--ak-----") == "-1---2---")
  #expect(bench.played.last?.gainDecibels == -1)
}

// MARK: Due together

@Test func `prompts due together share one chime, speak in turn and are answered one by one`()
  throws
{
  var bench = Bench()
  for label in ["Pills", "Water", "Walk"] {
    try bench.add(label) {
      $0.schedule = "in 15 seconds"
      $0.rings = 1
    }
  }
  bench.pass(seconds: 30)
  #expect(bench.played.map(\.hasAlert) == [true, false, false])
  #expect(Set(bench.played.map(\.prompt)).count == 3)
  for _ in 0..<3 { try bench.answer(.complete) }
  #expect(bench.outcomes == [.completed, .completed, .completed])
}

@Test func `the second ring of a prompt has its chime again, and so has one a minute later`() throws
{
  var bench = Bench()
  try bench.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 2
    $0.spacingSeconds = 30
  }
  try bench.add("Water") {
    $0.schedule = "in 115 seconds"
    $0.rings = 1
  }
  bench.pass(seconds: 130)
  #expect(bench.played.map(\.hasAlert) == [true, true, true])
}

@Test func `what is urgent speaks first, and then what has waited longest`() throws {
  var bench = Bench()
  let calm = try bench.add("Walk") {
    $0.schedule = "in 14 seconds"
    $0.rings = 1
  }
  let long = try bench.add("Long") {
    $0.schedule = "in 12 seconds"
    $0.rings = 1
  }
  let urgent = try bench.add("Pills") {
    $0.schedule = "in 15 seconds"
    $0.steps = [StepForm(rings: 1, isUrgent: true)]
  }
  bench.ringSeconds = 10
  bench.pass(seconds: 60)
  #expect(bench.played.map(\.prompt.alarm) == [long.id, urgent.id, calm.id])
}

// MARK: Refusals

private typealias Edit = @Sendable (inout AlarmForm) -> Void

private let refused: [(Edit, String, String)] = [
  ({ $0.notifySteps = [NotifyStep(contact: "carl", afterSeconds: 60)] }, "tell", "anna, bob"),
  ({ $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 90_000)] }, "tell", "0 to 86400"),
  ({ $0.steps = [] }, "steps", "1 to 10"),
  ({ $0.steps = [StepForm(rings: 21)] }, "steps", "1 to 20"),
  ({ $0.steps = [StepForm(rings: 2, pauseSeconds: 60)] }, "steps", "first step"),
  ({ $0.steps = [StepForm(rings: 15), StepForm(rings: 6)] }, "steps", "21 times in one hour"),
  ({ $0.steps = [StepForm(tone: "mum")] }, "steps", "mum"),
  ({ $0.steps = [StepForm(loudness: .decibels([3]))] }, "steps", "-60 to 0 dB"),
  (
    {
      $0.steps = [StepForm()]
      $0.rings = 3
    }, "rings", "each step"
  ),
  ({ $0.completeBySeconds = 0 }, "complete_by", "1 to 86400"),
  ({ $0.completion = [StepForm(), StepForm()] }, "complete_step", "give one"),
  (
    {
      $0.schedule = "every 30 minutes"
      $0.rings = 1
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 1_800)]
    }, "tell", "nobody would be told"
  ),
]

@Test(arguments: refused)
private func `a chain that cannot work is refused with the field and the reason`(
  edit: Edit, field: String, words: String
) throws {
  var bench = Bench()
  let before = bench.records.count
  let refusal = #expect(throws: Refusal.self) {
    try bench.add {
      $0.schedule = "every day 08:00"
      edit(&$0)
    }
  }
  #expect(refusal?.field == field)
  #expect(refusal?.description.contains(words) == true, "\(String(describing: refusal))")
  #expect(bench.records.count == before)
}

@Test func `twenty rings spread over two hours are no storm`() throws {
  var bench = Bench()
  try bench.add {
    $0.schedule = "every day 08:00"
    $0.steps = [StepForm(rings: 15), StepForm(rings: 15, pauseSeconds: 3_600)]
  }
  #expect(bench.home.alarms.first?.escalation.steps.count == 2)
}
