import Alarms
import Simulation
import Synchronization

/// The seeds that a long run of the simulator has not used yet, and the sum of the results so far.
final class SoakProgress: Sendable {
  private struct State {
    var next: UInt64
    var left: UInt64
    var tally = Tally()
    var firstViolation: Campaign.Result?
  }

  private let state: Mutex<State>

  init(first: UInt64, count: UInt64) { state = Mutex(State(next: first, left: count)) }

  var tally: Tally { state.withLock(\.tally) }

  /// The result of the home that violated an invariant; nil if no home violated an invariant. If
  /// several homes violated an invariant, the value is the result of the home with the smallest
  /// seed.
  var firstViolation: Campaign.Result? { state.withLock(\.firstViolation) }

  /// Returns the next seed to simulate; nil if all seeds are used, or if a simulation has found a
  /// violation.
  func nextSeed() -> UInt64? {
    state.withLock { state in
      guard state.left > 0, state.firstViolation == nil else { return nil }
      defer { (state.next, state.left) = (state.next &+ 1, state.left - 1) }
      return state.next
    }
  }

  /// - Returns: the sum of the simulated years of all homes so far.
  func add(_ result: Campaign.Result, years: Double) -> Double {
    state.withLock { state in
      state.tally.add(result, years: years)
      if result.violation != nil, result.seed < state.firstViolation?.seed ?? .max {
        state.firstViolation = result
      }
      return state.tally.years
    }
  }
}

/// The sum of the results of many simulated homes.
struct Tally: Sendable {
  private(set) var years = 0.0
  private var steps = 0
  private var events = 0
  private var rings = 0
  private var sounds = 0
  private var violations = 0
  private var faults: [String: Int] = [:]
  private var outcomes: [Outcome: Int] = [:]
  private var requests: [String: RequestCount] = [:]
  /// The combination (XOR) of the digests of all homes. The digest of a home covers all events of
  /// this home. The combination depends on the seeds of the homes, but not on the order in which
  /// the simulations of the homes end.
  private var digest: UInt64 = 0

  mutating func add(_ result: Campaign.Result, years: Double) {
    self.years += years
    steps += result.steps
    events += result.events
    rings += result.rings
    sounds += result.sounds
    violations += result.violation == nil ? 0 : 1
    faults.merge(result.faults, uniquingKeysWith: +)
    requests.merge(result.requests, uniquingKeysWith: +)
    outcomes.merge(result.outcomes, uniquingKeysWith: +)
    digest ^= result.digest
  }

  /// The error message if the daemon refused more than a third of all requests, or all requests of
  /// one kind; nil otherwise. A run with so few accepted requests has tested very little.
  ///
  /// If all homes together have run for less than 10 simulated years, the result is nil, because
  /// the numbers of requests are still too small.
  var isTooQuiet: String? {
    if years < 10 { return nil }
    let asked = requests.values.reduce(RequestCount(), +)
    if asked.refused * 2 > asked.accepted {
      return "more than a third of all requests were refused"
    }
    return requests.sorted { $0.key < $1.key }.first { $0.value.accepted == 0 }
      .map { "every request \"\($0.key)\" was refused" }
  }

  private static func percent(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "none" : "\((part * 1_000 / whole + 5) / 10) %"
  }

  func report(elapsedSeconds: Double) {
    func tenth(_ number: Double) -> Double { (number * 10).rounded() / 10 }
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
    print(
      "\(tenth(years)) device-years in \(tenth(elapsedSeconds)) s: "
        + "\(tenth(years / elapsedSeconds)) per second")
    print(
      "steps \(steps), events \(events), rings \(rings), sounds \(sounds), "
        + "digest \(String(digest, radix: 16))")
    print("faults: \(list(faults))")
    print("outcomes: \(list([String: Int](outcomes.map { ($0.key.rawValue, $0.value) }) { $1 }))")
    let asked = requests.values.reduce(RequestCount(), +)
    let kinds = requests.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.accepted) of \($0.value.accepted + $0.value.refused)" }
    print(
      "requests accepted: \(kinds.joined(separator: ", ")); "
        + "refused: \(Self.percent(asked.refused, of: asked.accepted + asked.refused)) of all")
    print("violations: \(violations)")
  }
}
