import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm with two soft rings, and then two urgent rings.
///
/// The alarm is due after 15 seconds. The urgent rings are louder than the soft rings. The first
/// urgent ring comes 30 seconds after the second soft ring.
private func chained(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.steps = [
      StepForm(rings: 2, spacingSeconds: 20, loudness: .decibels([-12])),
      StepForm(rings: 2, spacingSeconds: 20, loudness: .louder, isUrgent: true, pauseSeconds: 30),
    ]
    $0.lateWindowSeconds = 300
    edit(&$0)
  }
  return fixture
}

@Test func `a chain continues with its next burst, louder and urgent, and then ends`() throws {
  var fixture = try chained()
  #expect(try fixture.timeline("-----------") == "-1-2--3-4--")
  #expect(fixture.played.map(\.gainDecibels) == [-12, -12, -9, -6])
  #expect(fixture.played.map(\.isUrgent) == [false, false, true, true])
  #expect(fixture.played.map(\.isFirstOfBurst) == [true, false, true, false])
  fixture.pass(seconds: 600)
  #expect(fixture.outcomes == [.missedNoResponse])
  #expect(fixture.home.nextWake == nil)
}

@Test func `done in the second burst reports how many rings of the chain will not sound`() throws {
  var fixture = try chained()
  #expect(try fixture.timeline("----") == "-1-2")
  #expect(try fixture.answer(.complete).stopped.pending == 2)
  #expect(try fixture.timeline("------") == "------")
}

@Test func `a kill between two bursts keeps the position in the chain`() throws {
  var fixture = try chained()
  #expect(try fixture.timeline("----k-------") == "-1-2--3-4---")
}

@Test func `a delay restarts the chain from its first step`() throws {
  var fixture = try chained { $0.delaySeconds = 40 }
  #expect(try fixture.timeline("-------s------------") == "-1-2--3---4-5--6-7--")
}

// MARK: Contacts

private func notifySteps(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 2
    $0.spacingSeconds = 20
    $0.lateWindowSeconds = 60
    $0.notifySteps = [
      NotifyStep(contact: "anna", afterSeconds: 50), NotifyStep(contact: "bob", afterSeconds: 60),
    ]
    edit(&$0)
  }
  return fixture
}

@Test func `contacts are notified one after the other, and then the prompt is missed`() throws {
  var fixture = try notifySteps()
  #expect(try fixture.timeline("-------------") == "-1-2--A-----B")
  #expect(fixture.outcomes == [])
  // After the notification of the last contact, the prompt stays open for five minutes, so that
  // this contact can act.
  fixture.pass(seconds: 300)
  #expect(fixture.outcomes == [.missedNoResponse])
  #expect(fixture.home.nextWake == nil)
  #expect(fixture.notified.map(\.reason) == [.noAnswer, .noAnswer])
  #expect(fixture.records.filter { $0.event.type == "notified" }.count == 2)
}

@Test(arguments: [
  ("-----c-------", "-1-2---------"), ("-----n-------", "-1-2---------"),
  ("-----x-------", "-1-2---------"), ("-------c------", "-1-2--Aa------"),
])
func `no contact is notified after an answer in time`(happenings: String, drawn: String) throws {
  var fixture = try notifySteps()
  #expect(try fixture.timeline(happenings) == drawn)
  fixture.pass(seconds: 3_600)
  #expect(fixture.notified.count == drawn.filter { $0 == "A" }.count)
  #expect(fixture.home.nextWake == nil)
}

@Test func `a delay postpones the next contact, and no contact is notified twice`() throws {
  var fixture = try notifySteps { $0.delaySeconds = 30 }
  // Anna is notified before the delay. Bob is notified 60 seconds after the start of the burst that
  // follows the delay.
  #expect(try fixture.timeline("-------s---------------") == "-1-2--A--3-4---B-------")
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
}

@Test
func `a prompt that is acknowledged again and again ends at its limit, and contacts are notified`()
  throws
{
  var fixture = try notifySteps {
    $0.completeBySeconds = 40
    $0.delayLimit = 1
    $0.delaySeconds = 30
  }
  // A person can answer "on my way" again until 80 seconds after the first "on my way". The answer
  // "later" in this time does not change this limit.
  let before = try fixture.timeline("--a----a-s----")
  #expect(before == "-1---2-----3-4")
  let asked = fixture.records.count
  #expect(throws: Refusal.self) { try fixture.answer(.acknowledge) }
  #expect(fixture.records.count == asked)
  let after = try fixture.timeline("-----------")
  #expect(after == "--A-----B--")
  fixture.pass(seconds: 600)
  #expect(fixture.outcomes == [.missedNoResponse])
}

@Test func `the chain does not wait for a contact who cannot be notified`() throws {
  var fixture = try notifySteps()
  fixture.unreachable = ["anna"]
  #expect(try fixture.timeline("---------") == "-1-2--[AB]--")
  #expect(fixture.notified.map(\.contact) == ["anna", "bob"])
  #expect(fixture.records.filter { $0.event.type == "notification_failed" }.count == 1)
}

@Test func `after a kill a contact is notified again only if the result is unknown`() throws {
  var fixture = try notifySteps()
  #expect(try fixture.timeline("-------k--") == "-1-2--A---")
  var unsure = try notifySteps()
  unsure.isNotifierSilent = true
  #expect(try unsure.timeline("-------k----") == "-1-2--AA----")
  #expect(unsure.notified.map(\.contact) == ["anna", "anna"])
  // The second notification of anna does not change when bob is notified.
  #expect(try unsure.timeline("-") == "B")
}

@Test func `an answer stops further attempts of a running notification`() throws {
  var fixture = try notifySteps()
  fixture.isNotifierSilent = true
  #expect(try fixture.timeline("-------c-") == "-1-2--A--")
  #expect(fixture.cancelledNotifications.count == 1)
}

@Test func `contacts are notified while the prompt waits in the speaker queue`() throws {
  var fixture = try notifySteps()
  fixture.ringSeconds = 25
  try fixture.add("Long") {
    $0.schedule = "in 14 seconds"
    $0.steps = [StepForm(rings: 10, spacingSeconds: 1, isUrgent: true)]
  }
  fixture.pass(seconds: 70)
  #expect(fixture.notified.map(\.contact) == ["anna"])
}

@Test func `after a power cut contacts are notified of the newest missed prompt only`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every day 09:05"
    $0.lateWindowSeconds = 300
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 600)]
  }
  fixture.crash(offForSeconds: 3 * 86_400 + 3_600, newBoot: true)
  #expect(
    fixture.outcomes == [.missedDeviceOff, .missedDeviceOff, .missedDeviceOff, .missedDeviceOff])
  #expect(fixture.notified.map(\.reason) == [.missedDeviceOff])
}

@Test func `after an absence too long to list every prompt a contact is notified all the same`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=9;BYMINUTE=5;BYSECOND=0"
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 600)]
  }
  // The device was off on 31 January and on 31 March, and 31 May is in the future. The prompt of 31
  // January was already planned, so it is missed. The occurrence of 31 March is more than 31 days
  // old, so it gets no prompt.
  fixture.crash(offForSeconds: 134 * 86_400, newBoot: true)
  #expect(fixture.outcomes == [.missedDeviceOff])
  #expect(fixture.notified.map(\.reason) == [.missedDeviceOff])
}

@Test func `no contact is notified that a suppressed prompt was not answered`() throws {
  var control = CoreFixture()
  let researcher = Actor(role: .researcher, id: "uid:1003", source: "socket")
  try control.handle(.command(.setPhase(.patient, PhaseForm(kind: .control)), researcher))
  try control.add {
    $0.schedule = "in 15 seconds"
    $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 0)]
  }
  control.pass(seconds: 60)
  try control.answer(.delay(seconds: 60))
  control.pass(seconds: 7_200)
  #expect(control.outcomes == [.suppressedControlPhase] && control.notified.isEmpty)

  // The fixture begins at 09:00 in Berlin. Quiet hours hold the burst of 09:30 back until 10:00.
  // Anna is notified 600 seconds after the start of this burst, at 10:10.
  var quiet = CoreFixture()
  var form = PersonForm()
  form.quietHours = "08:00-10:00"
  try quiet.handle(.command(.changePerson(.patient, ifVersion: nil, form), researcher))
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

@Test func `a clock step does not change when a contact is notified`() throws {
  for step: Int64 in [-3_600, 3_600] {
    var fixture = try notifySteps { $0.lateWindowSeconds = 7_200 }
    fixture.pass(seconds: 20)
    fixture.stepClock(seconds: step)
    fixture.pass(seconds: 40)
    #expect(fixture.notified.isEmpty)
    fixture.pass(seconds: 10)
    #expect(fixture.notified.count == 1)
  }
}

// MARK: Acknowledge

@Test
func
  `an acknowledged prompt that is not completed in time rings its own burst, then contacts follow`()
  throws
{
  var fixture = try notifySteps {
    $0.completeBySeconds = 40
    $0.completion = [StepForm(rings: 3, spacingSeconds: 10, loudness: .decibels([-1]))]
  }
  // A person acknowledges the prompt after its first ring. A burst of three rings begins 40 s after
  // this answer. Anna is notified 50 s after the start of this burst.
  #expect(try fixture.timeline("--a------------") == "-1---234--A----")
  #expect(fixture.played.map(\.gainDecibels) == [-3, -1, -1, -1])
  #expect(fixture.notified.map(\.reason) == [.notCompleted])
  fixture.pass(seconds: 3_600)
  #expect(fixture.outcomes == [.missedNoResponse])
}

@Test
func `a prompt completed before the deadline of its acknowledgement counts as completed in time`()
  throws
{
  var fixture = try notifySteps { $0.completeBySeconds = 200 }
  #expect(try fixture.timeline("-----a---------c") == "-1-2------------")
  #expect(fixture.outcomes == [.completed])
  #expect(fixture.notified.isEmpty)
}

@Test func `an acknowledgement survives a kill`() throws {
  var fixture = try notifySteps {
    $0.completeBySeconds = 40
    $0.completion = [StepForm(rings: 1, loudness: .decibels([-1]))]
  }
  #expect(try fixture.timeline("--ak-----") == "-1---2---")
  #expect(fixture.played.last?.gainDecibels == -1)
}

// MARK: Due together

@Test func `without merged rings, prompts due together share one chime and speak in turn`()
  throws
{
  var fixture = CoreFixture()
  fixture.environment.mergesRings = false
  for label in ["Pills", "Water", "Walk"] {
    try fixture.add(label) {
      $0.schedule = "in 15 seconds"
      $0.rings = 1
    }
  }
  fixture.pass(seconds: 30)
  #expect(fixture.played.map(\.hasAlert) == [true, false, false])
  #expect(Set(fixture.played.map(\.prompt)).count == 3)
  for _ in 0..<3 { try fixture.answer(.complete) }
  #expect(fixture.outcomes == [.completed, .completed, .completed])
}

@Test func `the second ring of a prompt has its chime again, and so has a ring one minute later`()
  throws
{
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 2
    $0.spacingSeconds = 30
  }
  try fixture.add("Water") {
    $0.schedule = "in 115 seconds"
    $0.rings = 1
  }
  fixture.pass(seconds: 130)
  #expect(fixture.played.map(\.hasAlert) == [true, true, true])
}

@Test func `an urgent prompt speaks first, then the prompt that has waited longest`() throws {
  var fixture = CoreFixture()
  let calm = try fixture.add("Walk") {
    $0.schedule = "in 14 seconds"
    $0.rings = 1
  }
  let long = try fixture.add("Long") {
    $0.schedule = "in 12 seconds"
    $0.rings = 1
  }
  let urgent = try fixture.add("Pills") {
    $0.schedule = "in 15 seconds"
    $0.steps = [StepForm(rings: 1, isUrgent: true)]
  }
  fixture.ringSeconds = 10
  fixture.pass(seconds: 60)
  #expect(fixture.played.map(\.prompt.alarm) == [long.id, urgent.id, calm.id])
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
  ({ $0.completion = [StepForm(), StepForm()] }, "complete_step", "give only one"),
  (
    {
      $0.schedule = "every 30 minutes"
      $0.rings = 1
      $0.notifySteps = [NotifyStep(contact: "anna", afterSeconds: 1_800)]
    }, "tell", "would never be notified"
  ),
]

@Test(arguments: refused)
private func `a chain that cannot work is refused with the field and the reason`(
  edit: Edit, field: String, words: String
) throws {
  var fixture = CoreFixture()
  let before = fixture.records.count
  let refusal = #expect(throws: Refusal.self) {
    try fixture.add {
      $0.schedule = "every day 08:00"
      edit(&$0)
    }
  }
  #expect(refusal?.field == field)
  #expect(refusal?.description.contains(words) == true, "\(String(describing: refusal))")
  #expect(fixture.records.count == before)
}

@Test func `thirty rings spread over two hours are accepted`() throws {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "every day 08:00"
    $0.steps = [StepForm(rings: 15), StepForm(rings: 15, pauseSeconds: 3_600)]
  }
  #expect(fixture.home.alarms.first?.escalation.steps.count == 2)
}

@Test func `a louder step adds 3 dB to each ring, up to full scale`() throws {
  let cases: [(before: Double, rings: Int, [Double])] = [
    (-12, 2, [-9, -6]), (-4, 3, [-1, 0]), (-3, 1, [0]), (0, 2, [0]),
  ]
  for (before, rings, gains) in cases {
    let fixture = try chained {
      $0.steps = [
        StepForm(rings: 1, spacingSeconds: 20, loudness: .decibels([before])),
        StepForm(rings: rings, spacingSeconds: 20, loudness: .louder, pauseSeconds: 30),
      ]
    }
    let alarm = try #require(fixture.home.alarms.first)
    #expect(alarm.escalation.steps.map(\.burst.gainsDecibels) == [[before], gains], "\(before)")
  }
}
