import CivilTime
import Testing

@testable import Alarms

/// Checks the replies to commands, for example which rings a command stops.
@Suite struct `A reply` {
  @Test func `names the rings that an answer stops, in each state of a prompt`() throws {
    // The alarm has three rings, 30 seconds apart. Each text is a timeline with ticks of 10
    // seconds.
    let rows: [(String, Stopped)] = [
      ("", Stopped(pending: 3, sounding: false, sounded: 0)),
      ("-", Stopped(pending: 3, sounding: false, sounded: 0)),
      ("--", Stopped(pending: 2, sounding: false, sounded: 1)),
      ("-----", Stopped(pending: 1, sounding: false, sounded: 2)),
      ("--------", Stopped(pending: 0, sounding: false, sounded: 3)),
      ("--s", Stopped(pending: 3, sounding: false, sounded: 1)),
      ("--a", Stopped(pending: 3, sounding: false, sounded: 1)),
    ]
    for (timeline, stopped) in rows {
      var fixture = try pills()
      _ = try fixture.timeline(timeline)
      let id = try #require(fixture.home.openPrompts.first?.id)
      #expect(try fixture.answer(.complete, to: id).stopped == stopped, "\(timeline)")
    }
    var sounding = try pills()
    _ = try sounding.timeline("-")
    sounding.pass(seconds: 6)
    #expect(
      try sounding.answer(.complete).stopped == Stopped(pending: 2, sounding: true, sounded: 1))
  }

  @Test func `a response without a completion stops nothing`() throws {
    var fixture = CoreFixture()
    _ = try fixture.asking()
    fixture.pass(seconds: 4 * 3_600 + 1)
    #expect(fixture.sounding != nil)
    let id = try #require(fixture.due?.id)
    let command = Command.respond(
      id, [ResponseForm(question: "pain", value: .number(3))], completes: false, past: nil)
    let reply = try fixture.handle(.command(command, CoreFixture.patient))
    guard case .answered(let answered)? = reply else {
      Issue.record("another reply: \(reply as Any)")
      return
    }
    #expect(answered.stopped == Stopped(pending: 0, sounding: false, sounded: 1))
    #expect(answered.prompt.id == id && answered.prompt.state.isOpen && fixture.sounding != nil)
  }

  @Test func `contains the prompt that a screen showed, and the person who was removed`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    let id = try #require(fixture.home.waitingPrompts.first?.id)
    for _ in 0..<2 {
      let reply = try fixture.handle(.command(.present(id), CoreFixture.patient))
      guard case .prompt(let prompt)? = reply else {
        Issue.record("another reply: \(reply as Any)")
        return
      }
      #expect(prompt.id == id && prompt.presentedAt == fixture.now.wall)
    }
    try fixture.person("bob") { $0.name = "Bob" }
    let removed = try fixture.handle(.command(.removePerson(PersonID("bob")), CoreFixture.anna))
    guard case .person(let state, _)? = removed else {
      Issue.record("another reply: \(removed as Any)")
      return
    }
    #expect(state.id == PersonID("bob") && state.person == nil)
  }

  @Test func `refuses to remove an alarm on which others depend, and names them`() throws {
    var fixture = try pills()
    let pills = try #require(fixture.home.alarms.first?.id)
    func detail() -> String? {
      refusal {
        _ = try fixture.handle(.command(.remove(pills, ifVersion: nil), CoreFixture.anna))
      }?.detail
    }
    try fixture.add("Tea") { $0.schedule = "1 hour after Pills is completed" }
    #expect(
      detail()
        == "cannot remove the alarm: without it, \"Tea\" would never ring again; first change its schedule"
    )
    try fixture.add("Juice") { $0.schedule = "2 hours after Pills is completed" }
    #expect(
      detail()
        == "cannot remove the alarm: without it, \"Juice\" and others would never ring again; first "
        + "change their schedules")
    #expect(fixture.home.alarms.count == 3)
  }

  @Test func `counts new and corrected entries of a diary, and records each entry`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    try fixture.answer(.complete)
    let closed = try #require(fixture.replay.prompts.values.first { !$0.state.isOpen })
    func entry(_ number: Int, _ subject: DiaryEntry.Subject) -> DiaryEntry {
      DiaryEntry(
        person: .patient, subject: subject, completion: 3, burden: nil, note: "", number: number)
    }
    let day = try CivilDate(parsing: "2027-01-14")
    let entries = [
      entry(1, .day(day)), entry(2, .day(day.adding(days: -1))), entry(3, .prompt(closed.id)),
    ]
    let reply = try fixture.handle(
      .command(.importDiary(entries, about: [closed], unchanged: 4, older: 5), CoreFixture.anna))
    #expect(reply == .imported(new: 1, corrected: 2, unchanged: 4, older: 5))
    #expect(fixture.records.suffix(3).map(\.event) == entries.map { .diary($0) })
    // The import does not open the closed prompt again.
    #expect(fixture.home.openPrompts.allSatisfy { $0.id != closed.id })
  }

  @Test func `an unblinding records the people of the study in the order of their ids`() throws {
    var fixture = CoreFixture()
    let admin = Actor(role: .admin, id: "uid:0", source: "socket")
    for (number, name) in ["zoe", "anna", "max", "bob"].enumerated() {
      try fixture.person(name) { $0.name = name }
      var form = EnrolmentForm(pseudonym: "P-\(number)")
      (form.study, form.arm, form.armCode) = (name == "bob" ? "other" : "trial", "usual", "X")
      try fixture.handle(.command(.enrol(PersonID(name), form), admin))
    }
    let count = fixture.records.count
    try fixture.handle(.command(.unblind(study: "trial"), admin))
    #expect(
      fixture.records.dropFirst(count).map(\.event)
        == ["anna", "max", "zoe"].map { .unblinded(PersonID($0), study: "trial") })
    #expect(
      refusal { _ = try fixture.handle(.command(.unblind(study: "trial"), admin)) }?.kind
        == .conflict)
    #expect(
      refusal { _ = try fixture.handle(.command(.unblind(study: "none"), admin)) }?.kind
        == .notFound)
  }
}

/// Checks each limit at its exact value, and next to this value.
@Suite struct `A limit` {
  @Test(arguments: [(999, false), (1_000, true), (-999, false), (-1_000, true)])
  func `a step of the clock is recorded from one second on`(_ step: Int64, _ isStep: Bool) throws {
    var fixture = CoreFixture()
    fixture.pass(seconds: 60)
    fixture.now.wall = fixture.now.wall.adding(milliseconds: step)
    try fixture.handle(.woke)
    let steps = fixture.records.compactMap { record -> Int64? in
      if case .clockStep(let milliseconds) = record.event { milliseconds } else { nil }
    }
    #expect(steps == (isStep ? [step] : []))
    // The daemon adds up small changes of the clock: a change of 999 ms and a change of 1 ms
    // together are one recorded step. After a recorded step, a change of 1 ms is not recorded.
    fixture.now.wall = fixture.now.wall.adding(milliseconds: step > 0 ? 1 : -1)
    try fixture.handle(.woke)
    #expect(fixture.records.count { $0.event.type == "clock_step" } == 1)
  }

  @Test func `the name of a list of holidays has 1 to 64 characters`() throws {
    var fixture = CoreFixture()
    try fixture.importHolidays(String(repeating: "n", count: 64), "2027-02-01")
    #expect(
      refusal { try fixture.importHolidays(String(repeating: "n", count: 65), "2027-02-01") } != nil
    )
    #expect(refusal { try fixture.importHolidays("", "2027-02-01") } != nil)
    #expect(fixture.home.holidays.count == 1)
  }

  @Test func `repetitions count at their own times, not at the due time`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 2 }
    func warnings(_ label: String, _ schedule: String, spacing: Int64) throws -> Int {
      var form = AlarmForm()
      (form.label, form.schedule, form.rings, form.spacingSeconds) = (label, schedule, 2, spacing)
      form.lateWindowSeconds = 7_200
      let reply = try fixture.handle(.command(.add(AlarmID(label), form), CoreFixture.anna))
      guard case .alarm(_, _, let report)? = reply else { return -1 }
      return report.warnings.count { $0.kind == .hourOverLimit }
    }
    // Each alarm has one repetition: A at 08:50, B at 09:31, C at 09:50, and D at 09:49. An hour
    // may contain two repetitions. With A, B and C, no hour contains more than two. With D, an hour
    // contains three.
    #expect(try warnings("A", "every day 08:00", spacing: 3_000) == 0)
    #expect(try warnings("B", "every day 09:30", spacing: 60) == 0)
    #expect(try warnings("C", "every day 09:49", spacing: 60) == 0)
    #expect(try warnings("D", "every day 09:48", spacing: 60) == 1)
  }

  /// Two alarms with four rings each are due in the same hour, at 09:01 and at 09:02.
  @Test func `an hour has its repetitions, and half of them are reserved for the newer prompt`()
    throws
  {
    var found: [String] = []
    for limit in 4...8 {
      var fixture = CoreFixture()
      try fixture.person { $0.ringsPerHour = limit }
      for (label, schedule) in [("A", "in 60 seconds"), ("B", "in 120 seconds")] {
        try fixture.add(label) {
          ($0.schedule, $0.rings, $0.lateWindowSeconds) = (schedule, 4, 7_200)
        }
      }
      fixture.pass(seconds: 900)
      let heard = fixture.home.alarms.sorted { $0.label < $1.label }.map { alarm in
        fixture.records.count {
          $0.event.type == "ring_started" && $0.event.promptID?.alarm == alarm.id
        }
      }
      let held = fixture.records.compactMap { record -> String? in
        if case .held(_, let held) = record.event { held.reason.rawValue } else { nil }
      }
      found.append("\(limit): \(heard) \(held.joined(separator: " "))")
    }
    // The first ring of each alarm is not a repetition. If the limit holds repetitions back, it
    // holds back the repetitions of the earlier alarm first.
    #expect(
      found == [
        "4: [3, 3] cap cap cap", "5: [3, 4] cap cap", "6: [4, 4] ", "7: [4, 4] ", "8: [4, 4] ",
      ])
  }
}

@Suite struct `A notification about a missed prompt` {
  @Test func `goes to the next contact at once if the first one cannot be reached`() throws {
    for (unreachable, notified) in [
      ([], ["anna"]), (["anna"], ["anna", "bob"]), (["anna", "bob"], ["anna", "bob"]),
    ] as [(Set<String>, [String])] {
      var fixture = try pills {
        $0.notifySteps = [
          NotifyStep(contact: "anna", afterSeconds: 60),
          NotifyStep(contact: "bob", afterSeconds: 3_600),
        ]
      }
      fixture.unreachable = unreachable
      // The device is off at the due time and in the whole late window.
      fixture.crash(offForSeconds: 1_000, newBoot: true)
      fixture.pass(seconds: 60)
      #expect(fixture.outcomes == [.missedDeviceOff])
      #expect(fixture.notified.map(\.contact) == notified)
      #expect(fixture.records.count { $0.event.type == "notification_failed" } == unreachable.count)
    }
  }
}
