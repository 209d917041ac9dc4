import CivilTime
import Testing

@testable import Alarms

/// Checks to which of some due prompts an answer without an id applies.
@Suite struct `The prompt that calls` {
  private static let start = Instant(seconds: 1_800_000_000)

  private static func at(_ seconds: Int64) -> Instant { start.adding(seconds: seconds) }

  private static func prompt(
    _ alarm: String, _ state: PromptState, sounded: Int64? = 0, due: Int64 = 0
  ) -> Prompt {
    Prompt(
      id: PromptID(alarm: AlarmID(alarm), nominalKey: 1), alarmVersion: 1, dueAt: at(due),
      zoneName: "UTC", utcOffsetSeconds: 0, state: state, lastSoundedAt: sounded.map(at))
  }

  private static func held(_ reason: Suppression.Reason) -> PromptState {
    .held(Suppression(until: at(60), since: start, ring: 1, reason: reason))
  }

  private static let waiting = PromptState.waiting(ring: 1, at: at(60))
  private static let expiring = PromptState.expiring(at: at(60))
  private static let ringing = PromptState.ringing(
    Ring(
      number: 1, index: 0, gainDecibels: 0, toneSHA256: nil, dueAt: start, intendedAt: start),
    deadline: at(60))

  private func calling(
    _ due: [Prompt], sounding: String? = nil, taskSound: Int64? = nil, tasks: Set<String>? = nil
  ) -> String? {
    Prompt.calling(
      among: due, sounding: sounding.map { PromptID(alarm: AlarmID($0), nominalKey: 1) },
      lastTaskSound: taskSound.map(Self.at)
    ) { tasks?.contains($0.id.alarm.text) ?? true }?.id.alarm.text
  }

  @Test func `has sounded, and does not wait for a time that a person or a rule has set`() {
    let states: [(PromptState, sounded: Bool, silent: Bool)] = [
      (Self.ringing, true, true), (Self.waiting, true, false), (Self.expiring, true, false),
      (.planned, false, false), (.delayed(until: Self.at(60)), false, false),
      (.acknowledged(until: Self.at(60)), false, false),
      (Self.held(.quietHours), false, false), (Self.held(.controlPhase), false, false),
      (Self.held(.quietRest), true, false), (Self.held(.cap), true, false),
      (Self.held(.capRest), true, false),
      (.closed(.completed, reason: .none, at: Self.start), false, false),
    ]
    for (state, sounded, silent) in states {
      for tasks in [nil, []] as [Set<String>?] {
        #expect((calling([Self.prompt("a", state)], tasks: tasks) != nil) == sounded, "\(state)")
        #expect(
          (calling([Self.prompt("a", state, sounded: nil)], tasks: tasks) != nil) == silent)
      }
    }
  }

  @Test func `sounds now, or sounded last, or is due first`() {
    let (a, b) = (Self.prompt("a", Self.waiting, sounded: 5), Self.prompt("b", Self.waiting))
    #expect(calling([a, b]) == "a" && calling([b, a]) == "a")
    #expect(calling([a, b], sounding: "b") == "b" && calling([a, b], sounding: "c") == "a")
    #expect(calling([]) == nil)
    let early = Self.prompt("c", Self.waiting, due: -1)
    #expect(calling([b, early]) == "c" && calling([early, b]) == "c")
    let same = Self.prompt("d", Self.waiting)
    #expect(calling([b, same]) == "b" && calling([same, b]) == "b")
    // A prompt whose burst is over calls only if no other prompt calls.
    let over = Self.prompt("o", Self.expiring, sounded: 90)
    #expect(calling([over, b]) == "b" && calling([over]) == "o")
  }

  @Test func `is a task if a task is due`() {
    let (task, said) = (
      Self.prompt("t", Self.expiring), Self.prompt("s", Self.waiting, sounded: 90)
    )
    #expect(calling([said, task], tasks: ["t"]) == "t")
    #expect(calling([said], tasks: ["t"]) == "s")
    let late = Self.prompt("t", .delayed(until: Self.at(60)))
    #expect(calling([said, late], tasks: ["t"]) == nil)
    #expect(calling([said, late], sounding: "s", tasks: ["t"]) == "s")
    // The sound of another task overtakes a task, but not an announcement.
    #expect(calling([task], taskSound: 120, tasks: ["t"]) == "t")
    #expect(calling([task], taskSound: 121, tasks: ["t"]) == nil)
    #expect(calling([Self.prompt("s", Self.expiring)], taskSound: 121, tasks: []) == "s")
    #expect(calling([Self.prompt("t", Self.waiting)], taskSound: 121, tasks: ["t"]) == "t")
  }

  @Test func `is followed by the other tasks of the person`() throws {
    var fixture = CoreFixture()
    try fixture.person("eva") { _ in }
    for (label, person, time) in [
      ("Pills", "patient", 60), ("Tea", "patient", 70), ("Walk", "eva", 75),
      ("Milk", "patient", 80),
    ] {
      try fixture.add(label) {
        ($0.schedule, $0.person, $0.rings) = ("in \(time) seconds", person, 2)
      }
    }
    let said = try fixture.say { ($0.schedule, $0.person) = ("in 85 seconds", "patient") }
    fixture.pass(seconds: 100)
    func open(_ label: String) throws -> [String] {
      let id = try #require(
        fixture.home.openPrompts.first { fixture.home.alarm($0.id.alarm)?.label == label }?.id)
      return fixture.home.stillOpen(after: id).map(\.label)
    }
    #expect(try Set(open("Pills")) == ["Tea", "Milk"])
    #expect(try Set(open("Tea")) == ["Pills", "Milk"] && open("Walk") == [])
    #expect(try open("Lunch is ready") == [])
    #expect(fixture.home.alarm(said)?.isAnnouncement == true)
    #expect(fixture.home.stillOpen(after: PromptID(alarm: AlarmID("x"), nominalKey: 1)).isEmpty)
  }
}
