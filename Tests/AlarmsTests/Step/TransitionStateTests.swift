import CivilTime
import Testing

@testable import Alarms

/// Checks the state that a decision reads while the decision itself changes the state.
@Suite struct TransitionStateTests {
  private func transition(_ fixture: CoreFixture) -> Transition {
    Transition(fixture.home, fixture.now, .daemon("test"), fixture.environment)
  }

  // MARK: Added and removed objects

  @Test func `a tone and a picture exist after each addition, and not after each removal`() {
    var changed = transition(CoreFixture())
    let tone = Tone(
      name: "bell", sha256: String(repeating: "a", count: 64), durationMilliseconds: 1_000,
      loudnessLUFS: -23)
    let picture = Picture(sha256: "b", mediaType: "image/png", width: 1, height: 1, bytes: 9)
    for _ in 0..<2 {
      changed.put(tone)
      changed.put(picture)
      #expect(changed.tone("bell") == tone && changed.picture("b") == picture)
      #expect(changed.changes.tones == ["bell": tone] && changed.changes.removedTones.isEmpty)
      #expect(changed.changes.pictures == ["b": picture])
      #expect(changed.changes.removedPictures.isEmpty)
      changed.drop(tone: "bell")
      changed.drop(picture: "b")
      #expect(changed.tone("bell") == nil && changed.picture("b") == nil)
      #expect(changed.changes.tones.isEmpty && changed.changes.removedTones == ["bell"])
      #expect(changed.changes.pictures.isEmpty && changed.changes.removedPictures == ["b"])
    }
  }

  @Test func `a decision reads its own changes of an alarm, a person and a supply`() throws {
    var fixture = CoreFixture()
    var alarm = try fixture.add { $0.schedule = "every day 10:00" }
    var changed = transition(fixture)
    alarm.label = "Tea"
    changed.put(alarm)
    #expect(changed.alarm(alarm.id) == alarm && changed.changes.alarms == [alarm.id: alarm])
    changed.delete(alarm.id)
    #expect(changed.alarm(alarm.id) == nil)
    #expect(changed.changes.alarms.isEmpty && changed.changes.deletedAlarms == [alarm.id])

    var patient = try #require(changed.personState(.patient))
    patient.rewardedOn = try CivilDateTime(parsing: "2027-01-15T08:00:00").date
    changed.put(patient)
    #expect(changed.personState(.patient) == patient && changed.allPeople() == [patient])
    changed.forget(.patient)
    #expect(changed.personState(.patient) == nil && changed.allPeople().isEmpty)
    #expect(changed.changes.people.isEmpty && changed.changes.forgottenPeople == [.patient])

    let supply = Supply(id: SupplyID("s"), settings: SupplySettings(name: "Tablets"), left: 3)
    changed.put(supply)
    #expect(changed.supply(supply.id) == supply)
    changed.drop(supply: supply.id)
    #expect(changed.supply(supply.id) == nil && changed.changes.supplies.isEmpty)
    #expect(changed.changes.removedSupplies == [supply.id])
  }

  @Test func `a level is set or removed`() {
    var changed = transition(CoreFixture())
    changed.put(level: 40, of: "card0")
    changed.put(level: nil, of: "card1")
    #expect(changed.changes.levels == ["card0": 40, "card1": nil])
  }

  // MARK: Prompts

  /// Each prompt is read once, with its newest state.
  @Test func `the open prompts contain the changes of the decision`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { ($0.schedule, $0.rings) = ("every 10 minutes", 1) }
    let planned = try #require(fixture.home.openPrompts.first)
    fixture.move(to: planned.dueAt)
    try fixture.handle(.woke)
    fixture.pass(seconds: 30)
    let due = try #require(fixture.home.prompts[planned.id])
    let next = try #require(fixture.home.openPrompts.first { $0.state == .planned })
    var changed = transition(fixture)
    #expect(changed.activePrompts() == [due])
    #expect(changed.openPrompts(of: alarm.id) == [due, next])
    #expect(changed.changedPrompts(of: alarm.id).isEmpty)

    var delayed = due
    delayed.state = .delayed(until: next.dueAt)
    var third = next
    third.id = PromptID(alarm: alarm.id, nominalKey: next.id.nominalKey + 1_200)
    third.dueAt = next.dueAt.adding(seconds: 600)
    for _ in 0..<2 {
      changed.put(delayed)
      changed.put(third)
    }
    #expect(changed.activePrompts() == [delayed])
    #expect(changed.openPrompts(of: alarm.id) == [delayed, next, third])
    #expect(changed.changedPrompts(of: alarm.id) == [due.id, third.id])

    for prompt in [delayed, next, third] {
      #expect(changed.isAnythingOpen(of: alarm.id))
      var closed = prompt
      closed.state = .closed(.completed, reason: .none, at: fixture.now.wall)
      changed.put(closed)
    }
    #expect(!changed.isAnythingOpen(of: alarm.id))
    #expect(changed.activePrompts().isEmpty && changed.openPrompts(of: alarm.id).isEmpty)
    changed.put(third)
    #expect(changed.isAnythingOpen(of: alarm.id) && changed.activePrompts().isEmpty)
  }
}
