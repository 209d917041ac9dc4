import CivilTime
import Engine
import Testing

@testable import Alarms
@testable import Simulation

/// A planted bug and its name.
struct Bug: Sendable, CustomTestStringConvertible {
  var name: String
  var fault: Mutant.Fault
  /// The length of each simulation, in years.
  var years = 0.25
  /// The simulations must find the bug within this number of device-years.
  var bound = 2.0
  /// The seed of the first simulation. For a rare bug, the first seed that finds the bug.
  var firstSeed: UInt64 = 1
  var testDescription: String { name }

  init(
    _ name: String, years: Double = 0.25, within bound: Double = 2, firstSeed: UInt64 = 1,
    _ edit: (inout Mutant.Fault) -> Void
  ) {
    self.name = name
    var fault = Mutant.Fault()
    edit(&fault)
    self.fault = fault
    self.years = years
    self.bound = bound
    self.firstSeed = firstSeed
  }
}

private func isStop(_ effect: Effect) -> Bool { if case .stop = effect { true } else { false } }
private func isPlay(_ effect: Effect) -> Bool { if case .play = effect { true } else { false } }

private let soundBugs = [
  Bug("forget to stop the sound of an answered prompt") {
    $0.decision = { decision, _, _ in decision.effects.removeAll(where: isStop) }
  },
  Bug("stop the wrong ring") {
    $0.decision = { decision, _, _ in
      decision.effects = decision.effects.map {
        if case .stop(let id, let ring) = $0 { .stop(id, ring: ring + 1) } else { $0 }
      }
    }
  },
  Bug("ring before the ring intent is recorded") { $0.actsFirst = true },
  Bug("ring twice at once") {
    $0.decision = { decision, _, _ in decision.effects += decision.effects.filter(isPlay) }
  },
  Bug("record a ring as sounded, and do not sound it") {
    $0.input = { if case .sound(.ended) = $0 { nil } else { $0 } }
    $0.decision = { decision, _, _ in
      decision.drop { if case .ringFailed = $0 { true } else { false } }
    }
  },
  Bug("swallow the end of a ring from the record only") {
    $0.decision = { decision, _, _ in
      decision.drop({ if case .ringEnded = $0 { true } else { false } }, changesToo: false)
    }
  },
]

private let recordBugs = [
  Bug("drop the record of an answer") {
    $0.decision = { decision, _, _ in
      decision.drop { if case .closed(_, .completed, _, _) = $0 { true } else { false } }
    }
  },
  Bug("drop a projection") {
    $0.decision = { decision, _, _ in
      if decision.hasAnswer { decision.changes.prompts = [:] }
    }
  },
  Bug("record the intent of a ring nowhere") {
    $0.decision = { decision, _, _ in
      decision.drop { if case .ringIntent = $0 { true } else { false } }
    }
  },
  Bug("end a prompt twice") {
    $0.decision = { decision, _, _ in
      if let end = decision.records.first(where: {
        if case .closed = $0.event { true } else { false }
      }) {
        decision.records.append(end)
      }
    }
  },
  Bug("forget the gap after a restart") {
    $0.decision = { decision, _, _ in
      decision.drop { if case .gap = $0 { true } else { false } }
    }
  },
  Bug("no heartbeat") {
    $0.decision = { decision, _, _ in
      decision.drop { if case .heartbeat = $0 { true } else { false } }
    }
  },
  Bug("lose a new version of an alarm") {
    $0.decision = { decision, _, _ in
      decision.drop { if case .alarmEdited = $0 { true } else { false } }
      decision.changes.alarms = [:]
    }
  },
  Bug("do not record a step of the clock that shifted what waits", within: 8) {
    $0.decision = { decision, _, _ in
      decision.drop { if case .clockStep = $0 { true } else { false } }
    }
  },
]

private let promptBugs = [
  Bug("plan a prompt under the name of another that is over") {
    $0.decision = { decision, _, home in
      decision.replace {
        guard case .planned(var prompt) = $0 else { return $0 }
        prompt.id = PromptID(alarm: prompt.id.alarm, nominalKey: 84)
        return .planned(prompt)
      }
    }
  },
  Bug("lose the fold of a repeated hour", years: 0.85, within: 40, firstSeed: 4) {
    $0.decision = { decision, _, _ in
      decision.replace {
        guard case .planned(var prompt) = $0, prompt.id.fold == 1 else { return $0 }
        prompt.id = PromptID(alarm: prompt.id.alarm, nominalKey: prompt.id.nominalKey - 1)
        return .planned(prompt)
      }
    }
  },
  Bug("keep prompts that wait after their alarm was removed") {
    $0.decision = { decision, input, _ in
      guard case .command(.remove, _) = input else { return }
      decision.drop { if case .closed = $0 { true } else { false } }
    }
  },
  Bug("keep a delay after an edit") {
    $0.merged = { decision in
      guard decision.records.contains(where: { $0.event.type == "alarm_edited" }) else { return }
      decision.changes.prompts = decision.changes.prompts.filter {
        if case .closed(.supersededByEdit, _, _) = $0.value.state { false } else { true }
      }
    }
  },
  Bug("forget to plan the next occurrence") {
    $0.decision = { decision, input, _ in
      if case .woke = input {
        decision.drop { if case .planned = $0 { true } else { false } }
      }
    }
  },
  Bug("delay without counting") {
    $0.decision = { decision, _, _ in
      for (id, prompt) in decision.changes.prompts where prompt.delays > 0 {
        decision.changes.prompts[id]?.delays = 0
      }
    }
  },
  Bug("wake five minutes late") { $0.timerLag = 300_000 },
  Bug("ring a minute before the time") { $0.clockSkew = 60_000 },
  Bug("blame the patient for a silent speaker") {
    $0.decision = { decision, _, _ in
      decision.replace {
        guard case .closed(let id, .missedAudioFailed, let reason, let stopped) = $0 else {
          return $0
        }
        return .closed(id, .missedNoResponse, reason: reason, stopped)
      }
    }
  },
]

/// Planted bugs in suppression and in notifications.
private let ruleBugs = [
  Bug("ignore quiet hours") {
    $0.merged = { decision in
      for id in decision.changes.people.keys { decision.changes.people[id]?.person?.quiet = nil }
    }
  },
  Bug("allow one ring more than the hourly limit", within: 8) {
    $0.merged = { decision in
      for (id, state) in decision.changes.people {
        guard let cap = state.person?.ringsPerHour else { continue }
        decision.changes.people[id]?.person?.ringsPerHour = cap + 1
      }
    }
  },
  Bug("ring in a control phase", within: 4) {
    $0.merged = { decision in
      for id in decision.changes.people.keys { decision.changes.people[id]?.phases = [] }
    }
  },
  Bug("ring in a pause", within: 4, firstSeed: 5) {
    $0.merged = { decision in
      for id in decision.changes.alarms.keys { decision.changes.alarms[id]?.pauses = .none }
    }
  },
  Bug("ring although the person is paused", within: 4) {
    $0.merged = { decision in
      for id in decision.changes.people.keys { decision.changes.people[id]?.pause = nil }
    }
  },
  Bug("leave out the later bursts of a chain") {
    $0.merged = { decision in
      for id in decision.changes.alarms.keys {
        decision.changes.alarms[id]?.escalation.later = []
      }
    }
  },
  Bug("notify a contact twice") {
    $0.decision = { decision, _, _ in decision.effects += decision.effects.filter(isNotification) }
  },
  Bug("record a notification, and notify nobody") {
    $0.decision = { decision, _, _ in decision.effects.removeAll(where: isNotification) }
  },
  Bug("notify nobody") {
    $0.decision = { decision, _, _ in
      decision.drop({ if case .escalated = $0 { true } else { false } }, changesToo: false)
      decision.effects.removeAll(where: isNotification)
    }
  },
  Bug("send no all-clear", within: 4) {
    $0.decision = { decision, _, _ in
      decision.drop({ if case .notice = $0 { true } else { false } }, changesToo: false)
      decision.effects.removeAll {
        if case .notify(let order) = $0, case .notice = order.subject { true } else { false }
      }
    }
  },
  Bug("notify at once, and not when it is time") {
    $0.merged = { decision in
      for (id, prompt) in decision.changes.prompts where prompt.notifyProgress.nextAt != nil {
        decision.changes.prompts[id]?.notifyProgress.nextAt = prompt.dueAt
      }
    }
  },
  Bug("hold back for no reason", within: 4) {
    $0.merged = { decision in
      for (id, state) in decision.changes.people where state.person != nil {
        decision.changes.people[id]?.person?.ringsPerHour = 1
      }
    }
  },
]

extension Decision {
  /// Drops the notifications with matching reasons from the effects and from the record.
  fileprivate mutating func dropNotification(where isDropped: (NotifyReason) -> Bool) {
    for record in records {
      guard case .escalated(let id, 0, _, let reason) = record.event, isDropped(reason) else {
        continue
      }
      changes.prompts[id]?.notifyProgress = .none
    }
    drop(
      { if case .escalated(_, _, _, let reason) = $0 { isDropped(reason) } else { false } },
      changesToo: false)
    effects.removeAll { if case .notify(let order) = $0 { isDropped(order.reason) } else { false } }
  }
}

private func isNotification(_ effect: Effect) -> Bool {
  if case .notify = effect { true } else { false }
}

@Suite struct MutationTests {
  private static let faults: Set = ["kill", "power", "clock", "suspend", "speaker", "contacts"]

  @Test(
    arguments: soundBugs + mergingBugs + recordBugs + promptBugs + ruleBugs + inactivityBugs
      + undoBugs + editBugs
      + callBugs + supplyBugs
  )
  func `a planted bug is found`(bug: Bug) throws {
    let fault = bug.fault
    var found: Violation?
    let seeds = bug.firstSeed..<bug.firstSeed + UInt64(bug.bound / bug.years)
    for seed in seeds where found == nil {
      var campaign = try home(years: bug.years, faults: Self.faults)
      campaign.makeDaemon = { Mutant($0, $1, fault) }
      found = campaign.run(seed: seed).violation
    }
    #expect(found != nil)
  }

  @Test func `a missing notification after a failed one is found in a scenario`() throws {
    try find(
      "I12",
      in: """
        0d 00:10:00 add label=Pills; schedule=every day 08:00; rings=1; tell=neighbour@600|nurse@600
        0d 06:30:00 power 1 5400 kept
        0d 06:40:00 contacts failing 4874
        until 0d 12:00:00
        """
    ) { decision, input in
      if case .notifyResult = input { decision.dropNotification(where: \.isOutcome) }
    }
  }

  @Test func `a missing notification about a replaced prompt is found in a scenario`() throws {
    // The patient delays the prompt. During the delay, the next prompt replaces this prompt.
    try find(
      "I12",
      in: """
        0d 00:10:00 add label=Water; schedule=every 60 minutes from 08:00 to 20:00; rings=1; tell=neighbour@1800
        0d 07:00:20 patient delay=3600 current
        until 0d 08:20:00
        """
    ) { decision, _ in decision.dropNotification { $0 == .missedNoResponse } }
  }

  @Test func `a prompt on a new holiday that stays planned is found in a scenario`() throws {
    try find(
      "I6",
      in: """
        0d 00:05:00 holidays DE-BE 2027-06-01
        0d 00:10:00 add label=Pills; schedule=every day 08:00 not on holidays DE-BE; rings=1
        0d 00:20:00 holidays DE-BE 2027-01-15
        until 0d 12:00:00
        """
    ) { decision, _ in
      decision.drop { if case .closed(_, .supersededByEdit, _, _) = $0 { true } else { false } }
    }
  }

  /// Runs a scenario with and without the planted bug. Only the bug may cause a violation.
  func find(
    _ invariant: String, in text: String,
    bug: @escaping @Sendable (inout Decision, Input) -> Void
  ) throws {
    let scenario = try Scenario(text)
    for isBroken in [false, true] {
      var campaign = try home(years: 0)
      campaign.makeDaemon = {
        var fault = Mutant.Fault()
        fault.decision = { decision, input, _ in
          if isBroken { bug(&decision, input) }
        }
        return Mutant($0, $1, fault)
      }
      let result = campaign.run(
        seed: 1, script: scenario.script, hasPatient: false, length: scenario.length, store: nil)
      #expect(result.violation?.invariant == (isBroken ? invariant : nil))
    }
  }

  @Test func `the mutant without a fault breaks no invariant`() throws {
    for seed: UInt64 in 1...3 {
      var campaign = try home(years: 0.25, faults: Self.faults)
      campaign.makeDaemon = { Mutant($0, $1, Mutant.Fault()) }
      #expect(campaign.run(seed: seed).violation == nil)
    }
  }

  /// The time between two heartbeats, and one second for the effects. The unit is milliseconds.
  private static let grace: Int64 = 15 * 60_000 + 1_000

  private func forgetting(repairs: Bool) throws -> Campaign {
    var fault = Mutant.Fault()
    fault.losesStepAfter = 50
    if !repairs {
      // The fault drops the repair. The next check handles other prompts of the same time.
      fault.decision = { decision, _, home in
        guard decision.records.contains(where: { $0.event.type == "repaired" }) else { return }
        decision.drop({ $0 != .heartbeat }, changesToo: false)
        (decision.changes, decision.effects, decision.isMoreDue) = (StateDelta(), [], false)
        (decision.readied, decision.volatile.activeRing) = ([], home.activeRing)
      }
    }
    var campaign = try home(years: 0.25, faults: Self.faults)
    campaign.graceMilliseconds = Self.grace
    campaign.makeDaemon = { [fault] in Mutant($0, $1, fault) }
    return campaign
  }

  @Test(arguments: 1...4) func `a step that the due queue loses is found within a heartbeat`(
    seed: Int
  ) throws {
    let result = try forgetting(repairs: true).run(seed: UInt64(seed))
    #expect(result.violation == nil, "seed \(seed): \(String(describing: result.violation))")
    #expect(result.eventCounts["repaired"] ?? 0 > 20)
  }

  @Test func `an audit that repairs nothing is found`() throws {
    #expect(try forgetting(repairs: false).run(seed: 1).violation?.invariant == "I1")
  }

  @Test func `a daemon that treats a full disk as a success is found`() throws {
    var campaign = try home(years: 0.5, faults: ["disk", "kill"])
    campaign.makeDaemon = { home, ports in
      var ports = ports
      let record = ports.record
      ports.record = { events, changes in _ = try? record(events, changes) }
      return EngineCore(home: home, ports: ports)
    }
    #expect(campaign.run(seed: 1).violation != nil)
  }
}
