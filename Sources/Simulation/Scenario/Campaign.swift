import Alarms
import CivilTime

/// Runs simulated homes with the same settings, and returns the results.
public struct Campaign: Sendable {
  public static let yearMilliseconds: Int64 = 365 * 86_400_000

  /// The result of one simulated home.
  public struct Result: Sendable {
    public var seed: UInt64
    public var steps = 0
    public var events = 0
    public var rings = 0
    /// The number of rings that the daemon ordered from the player. A merged ring counts as one
    /// ring.
    public var sounds = 0
    public var faults: [String: Int] = [:]
    public var outcomes: [Outcome: Int] = [:]
    /// The numbers of accepted and refused requests, for each kind of request.
    public var requests: [String: RequestCount] = [:]
    /// The number of events of each type.
    public var eventCounts: [String: Int] = [:]
    /// A digest of all recorded events. Two equal simulations have the same digest.
    public var digest: UInt64 = 0
    public var violation: Violation?
    /// The actions that the simulation performed before its end or before the first violation.
    public var performed: [TimedAction] = []
    /// The newest events, in the order of the record.
    public var lastEvents: [String] = []

    public init(seed: UInt64) { self.seed = seed }
  }

  public var length: Int64
  public var faults: Set<String>
  /// The number by which the usual frequency of each fault is multiplied.
  public var severity: Int64 = 1
  /// The number of purges of the record per year, if the record is on a disk.
  public var purgesPerYear: Int64 = 0
  public var makeDaemon = WorldSettings(seed: 0, length: 0, script: [], hasPatient: false)
    .makeDaemon
  /// A function that creates the record of a home. Its argument is the seed of the home.
  public var makeStore: @Sendable (UInt64) -> any RecordStore = { _ in MemoryStore() }
  /// The maximum time, in milliseconds, in which the self-audit must find a missing entry of the
  /// due queue. The simulation removes such entries to test the self-audit. The value is 0 if the
  /// simulation removes no entries.
  public var graceMilliseconds: Int64 = 0
  let atlas: ZoneFixtures

  public init(years: Double, faults: Set<String>, atlas: ZoneFixtures) {
    length = Int64(years * Double(Self.yearMilliseconds))
    self.faults = faults
    self.atlas = atlas
  }

  /// Creates a random script from the seed of one home, and runs the simulation of this home.
  public func run(seed: UInt64, store: (any RecordStore)? = nil) -> Result {
    let script = Workload(
      seed: seed, length: length, faults: faults, severity: severity, purgesPerYear: purgesPerYear
    ).written()
    return run(seed: seed, script: script, hasPatient: true, length: length, store: store)
  }

  /// Runs the simulation of one home with the actions of `script`.
  public func run(
    seed: UInt64, script: [TimedAction], hasPatient: Bool, length: Int64,
    store: (any RecordStore)? = nil
  ) -> Result {
    var settings = WorldSettings(
      seed: seed, length: length, script: script, hasPatient: hasPatient)
    settings.makeDaemon = makeDaemon
    settings.graceMilliseconds = graceMilliseconds
    let world = World(settings, store: store ?? makeStore(seed), atlas: atlas)
    world.run()
    var result = Result(seed: seed)
    result.steps = world.steps
    result.events = world.audit.count
    result.rings = world.audit.ringsSounded
    result.sounds = world.plays
    result.faults = world.faults
    result.outcomes = world.audit.outcomes
    result.requests = world.requests
    result.eventCounts = world.audit.eventCounts
    result.digest = world.audit.digest
    result.violation = world.audit.violations.first
    result.performed = world.performed
    result.lastEvents = world.audit.recent.suffix(30).map(Self.line)
    return result
  }

  private static func line(_ record: Record) -> String {
    "\(record.reading.wall) \(record.event.type) \(record.event)"
  }

  /// Finds a shorter script (list of actions) that violates the same invariant as `result`.
  ///
  /// The function runs the script without a part of its actions. If this run violates the same
  /// invariant, the function removes the part from the script. The function first tries large
  /// parts, and then smaller parts.
  ///
  /// Source: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002).
  public func shrunk(_ result: Result, attempts: Int = 400) -> (script: [TimedAction], Result) {
    guard let violation = result.violation else { return (result.performed, result) }
    var best = result
    var script = result.performed
    var left = attempts
    func broken(_ script: [TimedAction]) -> Result? {
      left -= 1
      let length = violation.at + 3 * 86_400_000
      let again = run(seed: result.seed, script: script, hasPatient: false, length: length)
      return again.violation?.invariant == violation.invariant ? again : nil
    }
    guard let replayed = broken(script) else { return (script, result) }
    best = replayed
    var size = max(1, script.count / 2)
    while left > 0 {
      var start = 0
      var didShrink = false
      while start < script.count, left > 0 {
        let shorter = Array(script[..<start] + script[min(start + size, script.count)...])
        if let again = broken(shorter) {
          (script, best, didShrink) = (shorter, again, true)
        } else {
          start += size
        }
      }
      if size == 1 && !didShrink { break }
      size = max(1, size / 2)
    }
    return (script, best)
  }
}
