import Alarms
import CivilTime
import Synchronization

/// Explores every possible order of inputs in a small home. All orders have the same length.
///
/// The simulation of a year chooses its inputs at random, so it can miss a rare order. The
/// exploration misses no order, because it continues a copy of the home with each input. After each
/// input, the exploration checks all invariants. If two orders lead to the same state, the
/// exploration continues only one of these orders.
///
/// Source: Clarke, Grumberg and Peled, "Model Checking" (1999), explicit-state search with bounded
/// depth.
public struct Exploration: Sendable {
  /// One input in an order of inputs.
  public enum Input: Sendable, Hashable, CustomStringConvertible {
    /// The next event in the home that is not an action: a report, a timer or a restart. Examples:
    /// a prompt is due, a ring starts or ends, a contact gets a notification, or the killed daemon
    /// starts again.
    case next
    case action(Action)

    public var description: String {
      switch self {
      case .next: "next"
      case .action(let action): action.description
      }
    }
  }

  /// The result of an exploration of all orders with the same length.
  public struct Result: Sendable {
    /// The number of inputs in each order.
    public var depth = 0
    /// The number of different states.
    public var states = 0
    /// The number of processed inputs. After each input, the exploration checked the invariants.
    public var transitions = 0
    public var violation: Violation?
    /// The inputs that lead to the violation; empty if there is no violation.
    public var order: [Input] = []
    /// The actions with their times that lead to the violation, in the form of a scenario.
    public var performed: [TimedAction] = []
  }

  /// The actions before the first input, in the notation of a scenario. The actions add two alarms
  /// that are due at 01:01 and 01:02. The daemon notifies a contact 60 s after the first alarm is
  /// due.
  static let home = [
    "0d 00:00:01 add label=Pills; schedule=every day 01:01; rings=2; spacing=60; late_window=300; delay=60; tell=nurse@60",
    "0d 00:00:02 add label=Tea; schedule=every day 01:02; rings=2; spacing=60; late_window=300; delay=60",
  ]

  /// The actions that can be an input at any moment, in the notation of a scenario. They are
  /// actions of people and faults.
  static let actions = [
    "patient complete current", "patient delay current", "patient acknowledge current",
    "undo patient current", "edit 0 schedule=every day 01:03", "edit 0 label=Vitamins", "remove 0",
    "clock 90", "clock -90", "zone America/New_York", "kill 0 1000", "kill 2 1000", "restart 1000",
    "disk 60", "speaker missing 60", "contacts failing 60",
    "person-edit patient quiet=01:00-01:05; policy=hold", "person-edit patient quiet=",
    "pause patient", "resume patient", "caretaker cancel=caretaker_override current",
  ]

  private let campaign: Campaign
  private let root: [TimedAction]
  private let inputs: [Input]

  /// - Parameter campaign: the settings of the simulated home, for example its daemon and its
  ///   zones.
  public init(_ campaign: Campaign) {
    self.campaign = campaign
    root = Self.home.map(Self.parsed)
    inputs = [.next] + Self.actions.map { .action(Self.parsed("0d 00:00:00 " + $0).action) }
  }

  private static func parsed(_ line: String) -> TimedAction {
    guard let action = TimedAction(line) else { preconditionFailure("no action: \(line)") }
    return action
  }

  /// Explores all orders of `depth` inputs.
  ///
  /// To find the shortest order that violates an invariant, explore all orders of one input first,
  /// then all orders of two inputs, and so on.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads.
  ///   - readZones: reads the zones. Each thread needs its own copy of the zones (see
  ///     `ZoneFixtures`).
  public func run(depth: Int, jobs: Int, readZones: @Sendable @escaping () -> ZoneFixtures?) async
    -> Result
  {
    let shared = Shared()
    let orders = depth < 2 ? [[]] : inputs.flatMap { first in inputs.map { [first, $0] } }
    await withTaskGroup { group in
      for _ in 0..<jobs {
        group.addTask {
          guard let zones = readZones() else { return }
          while let number = shared.nextOrder(of: orders.count) {
            var order = orders[number]
            guard let world = world(after: order, zones, shared) else { continue }
            follow(world, &order, depth, shared)
          }
        }
      }
    }
    var result = shared.result
    result.depth = depth
    return result
  }

  /// Returns the home after the inputs in `order`. The result is nil if a different order already
  /// leads to the same state, or if the home violates an invariant.
  private func world(after order: [Input], _ zones: ZoneFixtures, _ shared: Shared) -> World? {
    var settings = WorldSettings(seed: 1, length: .max, script: root, hasPatient: false)
    settings.makeDaemon = campaign.makeDaemon
    let world = World(settings, store: MemoryStore(), atlas: zones)
    world.start()
    while world.nextAction < root.count, world.goOn() {}
    for (index, input) in order.enumerated() {
      world.take(input)
      let taken = Array(order.prefix(index + 1))
      // Many orders begin with the same inputs, so count only the last input of each order.
      if index == order.count - 1 || shared.violates(world, taken) {
        guard shared.isNew(world, taken, left: .max) else { return nil }
      }
    }
    return world
  }

  private func follow(_ world: World, _ order: inout [Input], _ depth: Int, _ shared: Shared) {
    let left = depth - order.count
    guard left > 0, !shared.isDone else { return }
    for input in inputs {
      let copy = World(copying: world)
      order.append(input)
      copy.take(input)
      if shared.isNew(copy, order, left: left - 1) { follow(copy, &order, depth, shared) }
      order.removeLast()
    }
  }

  /// The data that the threads of one exploration share.
  private final class Shared: Sendable {
    private struct State {
      var result = Result()
      /// For each state, the number of inputs that were left when an order reached the state. If
      /// several orders reached the state, the value is the largest of these numbers. The key is
      /// the hash of the state.
      var seen: [UInt64: Int] = [:]
      var orders = 0
    }

    private let state = Mutex(State())

    var result: Result {
      state.withLock {
        var result = $0.result
        result.states = $0.seen.count
        return result
      }
    }

    var isDone: Bool { state.withLock { $0.result.violation != nil } }

    func nextOrder(of count: Int) -> Int? {
      state.withLock {
        guard $0.orders < count, $0.result.violation == nil else { return nil }
        $0.orders += 1
        return $0.orders - 1
      }
    }

    func violates(_ world: World, _ order: [Input]) -> Bool {
      guard let violation = world.audit.violations.first else { return false }
      state.withLock {
        guard $0.result.violation == nil else { return }
        $0.result.violation = violation
        ($0.result.order, $0.result.performed) = (order, world.performed)
      }
      return true
    }

    /// Counts a transition. Returns true if the new state must be continued.
    func isNew(_ world: World, _ order: [Input], left: Int) -> Bool {
      if violates(world, order) { return false }
      let hash = world.stateHash
      return state.withLock {
        $0.result.transitions += 1
        if let before = $0.seen[hash], before >= left { return false }
        $0.seen[hash] = left
        return true
      }
    }
  }
}

extension World {
  fileprivate func take(_ input: Exploration.Input) {
    switch input {
    case .next: _ = goOn()
    case .action(let action): perform(action)
    }
  }

  /// A hash of all values that determine the future of the home. If two states have the same hash,
  /// the exploration assumes that they are the same state. With ten million states, the probability
  /// that two different states have the same hash is about 1 in 400,000.
  fileprivate var stateHash: UInt64 {
    var hasher = Hasher()
    hasher.combine(clock)
    hasher.combine(homeZone)
    hasher.combine(audit.replay.alarms)
    hasher.combine(audit.replay.prompts)
    hasher.combine(audit.replay.people)
    hasher.combine(speaker)
    hasher.combine(notifier)
    hasher.combine(daemon == nil)
    hasher.combine(armed)
    hasher.combine(isClockNews)
    hasher.combine(plannedCrash?.calls)
    hasher.combine(plannedCrash?.down)
    hasher.combine(upAgainAt)
    hasher.combine(unwritableUntil)
    hasher.combine(audit.wasUnwritable)
    // The following values are only in the memory of the daemon. The daemon never records them, or
    // has not recorded them yet.
    hasher.combine(daemon.map { Set($0.home.openPrompts) })
    hasher.combine(daemon?.home.sounding)
    hasher.combine(daemon?.home.nextWake)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
