import CivilTime
import Engine

@testable import Alarms
@testable import Simulation

/// A daemon with a planted bug. The daemon runs the loop of the engine with the real `step`. A
/// fault can change each part of the loop.
struct Mutant: SimulatedDaemon {
  /// The parts that a fault changes. Each fault is a bug that a programmer could write.
  struct Fault: Sendable {
    var input: @Sendable (Input) -> Input? = { $0 }
    var decision: @Sendable (inout Decision, Input, HomeState) -> Void = { _, _, _ in }
    /// Whether a sound starts before its ring intent is recorded.
    var actsFirst = false
    /// Changes the decision after it was recorded and before it is merged.
    var merged: @Sendable (inout Decision) -> Void = { _ in }
    /// The number of inputs after which the due queue loses its first entry. The loss repeats after
    /// each such number of inputs. The value 0 means that no entry is lost.
    var losesStepAfter = 0
    /// The delay of each timer, in milliseconds.
    var timerLag: Int64 = 0
    /// Whether prompts that are due together ring in one ring.
    var mergesRings = true
    /// The error in the time of a command, in milliseconds. A positive error makes the time later
    /// than the true time.
    var clockSkew: Int64 = 0
  }

  private(set) var home: HomeState
  private var events = 0
  private(set) var ports: Ports
  let fault: Fault
  private var nextHeartbeat: Instant

  init(_ home: HomeState, _ ports: Ports, _ fault: Fault) {
    self.home = home
    self.ports = ports
    self.fault = fault
    nextHeartbeat = ports.now().wall.adding(milliseconds: EngineCore.heartbeatMilliseconds)
  }

  var clockCorrectionMilliseconds: Int64 { 0 }

  mutating func connect(to ports: Ports) { self.ports = ports }

  mutating func handle(_ input: Input) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool) {
    guard let input = fault.input(input) else { return (.done, false) }
    var environment = ports.environment()
    environment.mergesRings = fault.mergesRings
    var now = ports.now()
    now.wall = now.wall.adding(milliseconds: fault.clockSkew)
    var decision = try step(home, input, at: now, in: environment)
    fault.decision(&decision, input, home)
    if fault.actsFirst { act(decision.effects) }
    do {
      if !decision.records.isEmpty { try ports.record(decision.records, decision.changes) }
    } catch {
      if case .command = input { throw Refusal(.storage, "\(error)") }
    }
    var merged = decision
    fault.merged(&merged)
    home.merge(merged, environment: environment)
    loseStep()
    if !fault.actsFirst { act(decision.effects) }
    let wake = decision.isMoreDue ? now.wall : min(home.nextWake ?? nextHeartbeat, nextHeartbeat)
    ports.wake(wake.adding(milliseconds: decision.isMoreDue ? 0 : fault.timerLag))
    return (decision.reply, decision.isMoreDue)
  }

  private mutating func loseStep() {
    events += 1
    guard fault.losesStepAfter > 0, events % fault.losesStepAfter == 0, home.queue.first != nil
    else { return }
    home.queue.removeFirst()
  }

  private func act(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .play(let order): ports.play(order)
      case .stop(let prompt, let ring): ports.stop(prompt, ring)
      case .rehearse(let words): ports.rehearse(words)
      case .setLevel(let device, let percent): ports.setLevel(device, percent)
      case .notify(let order): ports.notify(order)
      case .writeSummary(let contact, let day): ports.writeSummary(contact, day)
      case .cancelNotification(let subject): ports.cancelNotification(subject)
      }
    }
  }

  mutating func wake() -> Bool {
    let now = ports.now().wall
    let isFarAhead = nextHeartbeat > now.adding(milliseconds: EngineCore.heartbeatMilliseconds)
    let beats = now >= nextHeartbeat || isFarAhead
    if beats { nextHeartbeat = now.adding(milliseconds: EngineCore.heartbeatMilliseconds) }
    do { return try handle(beats ? .heartbeat : .woke).isMoreDue } catch { return false }
  }
}

extension Decision {
  /// Drops the matching events. If a matching event names a prompt, and `changesToo` is true, also
  /// drops the change of this prompt.
  mutating func drop(_ matches: (Event) -> Bool, changesToo: Bool = true) {
    for record in records where matches(record.event) {
      if changesToo, let id = record.event.promptID { changes.prompts[id] = nil }
    }
    records.removeAll { matches($0.event) }
  }

  mutating func replace(_ edit: (Event) -> Event) {
    for index in records.indices { records[index].event = edit(records[index].event) }
  }

  var hasAnswer: Bool {
    records.contains {
      switch $0.event {
      case .closed, .delayed, .acknowledged: true
      default: false
      }
    }
  }
}
