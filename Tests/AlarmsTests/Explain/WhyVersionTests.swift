import CivilTime
import Testing

@testable import Alarms

/// Explanations of a time at the limits between the versions of an alarm, and of a prompt during a
/// ring.
@Suite struct `The explanation at a limit` {
  private static let eva = Actor(role: .caretaker, id: "uid:7", source: "socket")

  /// Explains a time of an alarm with two versions: 08:00 from the first version on, and 09:00 from
  /// one hour later on.
  private func why(
    at seconds: Int64, removedAfter removal: Int64? = nil, now: Int64 = 0
  ) throws -> Why {
    var fixture = CoreFixture()
    let start = fixture.now.wall
    let first = try fixture.add { $0.schedule = "every day 08:00" }
    var second = first
    second.schedule = try fixture.add { $0.schedule = "every day 10:00" }.schedule
    let versions = [
      SetAlarm(alarm: first, actor: CoreFixture.anna, at: start),
      SetAlarm(alarm: second, actor: Self.eva, at: start.adding(seconds: 3_600)),
    ]
    fixture.now.wall = start.adding(seconds: now)
    return Alarms.whyNot(
      at: start.adding(seconds: seconds), versions: versions,
      removal: removal.map {
        HistoryEvent(
          sequence: 9, event: .alarmDeleted(first.id, version: 2), actor: Self.eva,
          at: start.adding(seconds: $0))
      }, before: nil, interruptions: [], now: fixture.now, in: fixture.home, fixture.environment,
      userName: { $0 == "uid:7" ? "eva" : nil })
  }

  @Test func `uses the version that was set at or before the time`() throws {
    let first = "every day at 08:00, Europe/Berlin, as set by the caretaker uid:1000 at "
    let second = "every day at 10:00, Europe/Berlin, as set by eva at "
    #expect(try why(at: 0).rule == first + "2027-01-15 09:00")
    #expect(try why(at: 3_599).rule == first + "2027-01-15 09:00")
    #expect(try why(at: 3_600).rule == second + "2027-01-15 10:00")
    #expect(try why(at: 90_000).rule == second + "2027-01-15 10:00")
    let before = try why(at: -1)
    #expect(before.rule == first + "2027-01-15 09:00")
    #expect(
      before.summary
        == "The alarm did not exist yet: the caretaker uid:1000 set it at 2027-01-15 09:00.")
  }

  @Test func `names the removal from its instant on`() throws {
    for seconds: Int64 in [7_200, 7_201, 90_000] {
      let why = try why(at: seconds, removedAfter: 7_200)
      #expect(why.summary == "Eva removed the alarm at 2027-01-15 11:00.", "\(seconds)")
      #expect(why.after == nil && why.verdict == .notDue)
    }
    let before = try why(at: 7_199, removedAfter: 7_200)
    #expect(
      before.summary
        == "It is not due at 2027-01-15 10:59:59: on Friday 2027-01-15 its times are 10:00.")
    // A time before the removal, at which the alarm was due, did not ring.
    let due = try why(at: 3_600, removedAfter: 7_200, now: 0)
    #expect(due.verdict == .stayedSilent && due.after == nil)
  }

  @Test func `calls a due time at the present instant past`() throws {
    let present = try why(at: 3_600, now: 3_600)
    #expect(present.verdict == .stayedSilent)
    let coming = try why(at: 3_600, now: 3_599)
    #expect(coming.verdict == .willRing)
    #expect(coming.dueAt == present.dueAt && coming.dueAt != nil)
  }

  @Test func `names the next time of a plan that the home does not know`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "every day 08:00 and 08:01" }
    let set = SetAlarm(alarm: alarm, actor: CoreFixture.anna, at: fixture.now.wall)
    let eight = fixture.now.wall.adding(seconds: 23 * 3_600)
    func after(_ seconds: Int64) -> String? {
      Alarms.whyNot(
        at: eight.adding(seconds: seconds), versions: [set], removal: nil, before: nil,
        interruptions: [], now: fixture.now, in: CoreFixture().home, fixture.environment,
        userName: { _ in nil }
      ).after.map { "\($0.nominal)" }
    }
    #expect(after(-1) == "2027-01-16T08:00:00")
    #expect(after(0) == "2027-01-16T08:01:00")
    #expect(after(59) == "2027-01-16T08:01:00")
    #expect(after(60) == "2027-01-17T08:00:00")
  }

  @Test func `finds no ring outside the searched time`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "every day 08:59:50 and 09:00:50" }
    let nine = fixture.now.wall
    func last(_ end: Int64, after start: Int64) -> String? {
      fixture.home.lastRing(
        of: alarm.id, before: nine.adding(seconds: end), after: nine.adding(seconds: start)
      )
      .map { "\($0.nominal)" }
    }
    #expect(last(30, after: 0) == nil)
    #expect(last(50, after: 0) == nil)
    #expect(last(51, after: 0) == "2027-01-15T09:00:50")
    #expect(last(51, after: 50) == nil)
    #expect(last(86_390, after: 0) == "2027-01-15T09:00:50")
    #expect(last(86_391, after: 0) == "2027-01-16T08:59:50")
  }

  @Test func `says that a prompt rang while its first ring sounds`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 16)
    let prompt = try #require(fixture.home.openPrompts.first)
    #expect(prompt.isSounding && !prompt.isDelivered)
    let words = WhyWords(zone: CoreFixture.berlin) { _ in nil }
    let why = Why(prompt, history: [], interruptions: [], forecast: nil, in: words)
    #expect(why.verdict == .rang)
    let start = HistoryEvent(
      sequence: 1, event: .ringStarted(prompt.id, number: 1, device: "card0"),
      actor: .daemon("ring"), at: fixture.now.wall)
    #expect(
      words.summary(prompt, [start], [])
        == "It rang once, at \(words.time(fixture.now.wall)): a ring is sounding.")
  }

  @Test func `names the prompt that the record contains before the time`() throws {
    let fixture = try pills { $0.schedule = "every day 08:00" }
    let alarm = try #require(fixture.home.alarms.first)
    let prompt = try #require(fixture.home.openPrompts.first)
    let now = fixture.now
    func before(_ prompt: Prompt?) -> Occurrence? {
      Alarms.whyNot(
        at: now.wall, versions: [SetAlarm(alarm: alarm, actor: Self.eva, at: now.wall)],
        removal: nil, before: prompt, interruptions: [], now: now, in: fixture.home,
        fixture.environment, userName: { _ in nil }
      ).before
    }
    #expect(before(prompt) == prompt.occurrence)
    #expect(before(nil) == nil)
  }

  @Test func `names the actor of the answer, and not of a later event`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    var prompt = try #require(fixture.home.openPrompts.first)
    let id = prompt.id
    prompt.state = .closed(.completed, reason: .none, at: fixture.now.wall)
    let events: [(Event, Actor)] = [
      (.ringStarted(id, number: 1, device: "card0"), .daemon("ring")),
      (.closed(id, .completed, reason: .none, .nothing), Self.eva),
      (.notified(id, position: 0, contact: "bob", attempt: 1), .daemon("notify")),
    ]
    let history = events.enumerated().map {
      HistoryEvent(
        sequence: Int64($0.offset), event: $0.element.0, actor: $0.element.1,
        at: fixture.now.wall)
    }
    let words = WhyWords(zone: CoreFixture.berlin) { $0 == "uid:7" ? "eva" : nil }
    #expect(words.summary(prompt, history, []).contains(". Eva completed it at "))
  }
}
