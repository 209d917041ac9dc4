import Alarms
import CivilTime
import Engine

/// The interface between the daemon and the simulated world. By default, the simulated daemon runs
/// the real engine. A test of the simulator can use an engine with an intentional bug.
public protocol SimulatedDaemon {
  mutating func handle(_ input: Input) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool)
  mutating func wake() -> Bool
  var home: HomeState { get }
  /// Replaces the ports. Then a copy of the daemon can work in a copy of the world.
  mutating func connect(to ports: Ports)
  var clockCorrectionMilliseconds: Int64 { get }
}

extension EngineCore: SimulatedDaemon {}

/// The numbers of accepted and refused requests of one kind.
public struct RequestCount: Hashable, Sendable {
  public var accepted = 0
  public var refused = 0

  public init() {}

  public static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.accepted += b.accepted
    sum.refused += b.refused
    return sum
  }
}

/// The settings of a world.
public struct WorldSettings: Sendable {
  public var seed: UInt64
  /// The length of the simulation, in milliseconds of true time.
  public var length: Int64
  public var script: [TimedAction]
  /// True if a simulated patient reacts to rings. In a scenario, the value is false, because the
  /// script contains all answers.
  public var hasPatient: Bool
  public var makeDaemon: @Sendable (HomeState, Ports) -> any SimulatedDaemon = EngineCore.init(
    home:ports:)

  /// The maximum time in which the self-audit must find a missing entry of the due queue, in
  /// milliseconds. The simulation can remove such an entry on purpose. If the simulation removes no
  /// entries, the value is 0.
  public var graceMilliseconds: Int64 = 0

  public init(seed: UInt64, length: Int64, script: [TimedAction], hasPatient: Bool) {
    self.seed = seed
    self.length = length
    self.script = script
    self.hasPatient = hasPatient
  }
}

/// A home with a simulated clock, speaker, disk and power supply, and with simulated people.
///
/// The simulated home runs the real engine of the daemon.
///
/// The compiler cannot check that the class is Sendable. The class is safe, because the world and
/// its ports run on a single thread.
public final class World: @unchecked Sendable {
  /// The number of world steps between two checks of the plans if a home has a simulated patient.
  /// Without a simulated patient, the audit checks the plans in each step.
  private static let plansEvery = 64
  /// The maximum number of inputs that the daemon gets while the true time of `clock` does not
  /// advance. If there are more inputs, the daemon is in an endless loop.
  private static let mostSteps = 5_000

  public internal(set) var audit = Audit()
  let settings: WorldSettings
  var store: any RecordStore
  /// The record on a simulated disk with faults; nil if the record is in memory.
  let disk: (any BreakableStore)?
  let atlas: ZoneFixtures
  var environment: Environment
  var homeZone = "Europe/Berlin"
  var release = 1
  /// The newest requests, at most 16. The action `again` can send them again. The newest request is
  /// the last element.
  var asked: [(command: Command, actor: Actor)] = []
  var clock = SimulatedClock()
  var speaker: SimulatedSpeaker
  var daemon: (any SimulatedDaemon)?
  /// The performed actions, in order. A second world with this list as its script repeats the run
  /// of this world exactly.
  public internal(set) var performed: [TimedAction] = []
  public internal(set) var faults: [String: Int] = [:]
  public internal(set) var steps = 0
  /// The numbers of accepted and refused requests, for each kind of request.
  public internal(set) var requests: [String: RequestCount] = [:]
  var requestCount = 0
  public internal(set) var plays = 0

  var nextAction = 0
  var reactions: [TimedAction] = []
  var notifier = SimulatedNotifier()
  /// The inputs for the summaries of the day. The world passes these inputs to the daemon one after
  /// another.
  var summaries: [Command] = []
  var nextAlarm = 1
  var nextSupply = 0
  /// The newest reports of the player. The fault `forge` can send these reports again.
  var heard: [SoundReport] = []
  var armed: Instant?
  /// True if a time source set the clock after a power failure, before the daemon started again.
  var isSetAtBoot = false
  /// True if the wall clock has changed, and the world has not woken the daemon since this change.
  /// A change of the wall clock always wakes the daemon, even if the daemon sets a new timer first.
  var isClockNews = false
  /// The planned end of the daemon. `calls` is the number of calls to the ports that the daemon
  /// still makes before its end. `down` is the time from the end to the next start, in
  /// milliseconds. If the power fails, `battery` determines the time that the wall clock shows
  /// after the failure. If the power does not fail, `battery` is nil.
  var plannedCrash: (calls: Int, down: Int64, battery: Action.BatteryClock?)?
  var isDead = false
  var upAgainAt: Int64?
  var battery: Action.BatteryClock?
  var suspendedUntil: Int64 = 0
  var unwritableUntil: Int64 = 0
  /// A fault of the disk: the additional duration of each write, and the true time at which the
  /// fault ends.
  var slowness: (milliseconds: Int64, until: Int64) = (0, 0)
  var stepsAtThisTime = 0

  public init(_ settings: WorldSettings, store: any RecordStore, atlas: ZoneFixtures) {
    self.settings = settings
    self.store = store
    disk = store as? any BreakableStore
    self.atlas = atlas
    environment = atlas.environment(home: homeZone, release: release)
    audit.environment = environment
    audit.graceMilliseconds = settings.graceMilliseconds
    if settings.graceMilliseconds > 0 { audit.troubles.insert("restart") }
    speaker = SimulatedSpeaker(seed: settings.seed)
  }

  /// Makes a copy of a world. The copy and the original continue independently.
  ///
  /// - Precondition: the record is in memory, because two worlds cannot share a simulated disk.
  init(copying other: World) {
    precondition(other.disk == nil, "a world with a simulated disk cannot be copied")
    (settings, store, disk, atlas) = (other.settings, other.store, nil, other.atlas)
    (audit, environment, homeZone, release) =
      (other.audit, other.environment, other.homeZone, other.release)
    (asked, clock, speaker, daemon) = (other.asked, other.clock, other.speaker, other.daemon)
    (performed, faults, steps) = (other.performed, other.faults, other.steps)
    (requests, requestCount, plays) = (other.requests, other.requestCount, other.plays)
    (nextAction, reactions, notifier) = (other.nextAction, other.reactions, other.notifier)
    (summaries, nextAlarm, nextSupply) = (other.summaries, other.nextAlarm, other.nextSupply)
    (heard, armed, isSetAtBoot) = (other.heard, other.armed, other.isSetAtBoot)
    (isClockNews, plannedCrash, isDead) = (other.isClockNews, other.plannedCrash, other.isDead)
    (upAgainAt, battery, suspendedUntil) = (other.upAgainAt, other.battery, other.suspendedUntil)
    (unwritableUntil, slowness) = (other.unwritableUntil, other.slowness)
    stepsAtThisTime = other.stepsAtThisTime
    daemon?.connect(to: ports())
  }

  /// Runs the simulation to its end, or to the first violation of an invariant.
  public func run() {
    start()
    while audit.violations.isEmpty, let next = nextTime(), next <= settings.length { go(to: next) }
    if audit.violations.isEmpty { audit.closed(store) }
  }

  /// Performs the next action, report, timer or fault in the same way as `run`.
  ///
  /// - Returns: false if no action, report, timer or fault is left.
  func goOn() -> Bool {
    guard let next = nextTime() else { return false }
    go(to: next)
    return true
  }

  private func go(to next: Int64) {
    stepsAtThisTime = next > clock.time ? 0 : stepsAtThisTime + 1
    clock.advance(to: next)
    audit.time = clock.time
    if stepsAtThisTime > Self.mostSteps {
      audit.fail("I1", "the daemon handles the same due prompts again and again")
      return
    }
    happen()
  }

  /// Returns the true time of the next action, report, timer or fault. The result is nil if no
  /// action, report, timer or fault will follow.
  private func nextTime() -> Int64? {
    var next = summaries.isEmpty ? Int64.max : clock.time
    if nextAction < settings.script.count { next = settings.script[nextAction].at }
    if let reaction = reactions.first { next = min(next, reaction.at) }
    if let upAgainAt { next = min(next, upAgainAt) }
    if let report = speaker.nextReportAt { next = min(next, report) }
    if let report = notifier.nextReportAt { next = min(next, report) }
    if let armed { next = min(next, clock.time(of: armed)) }
    return next == .max ? nil : max(next, clock.time, suspendedUntil)
  }

  /// Performs one due action, report, timer or fault. If several of them are due at the same time,
  /// the order of the `if` statements in this function determines which one comes first.
  private func happen() {
    let time = clock.time
    if let upAgainAt, upAgainAt <= time {
      start()
    } else if let report = speaker.nextReportAt, report <= time {
      handle(speaker.takeReport())
    } else if let report = notifier.nextReportAt, report <= time {
      deliver(.notifyResult(notifier.takeReport()))
    } else if !summaries.isEmpty {
      deliver(.command(summaries.removeFirst(), .daemon("summary")))
    } else if nextAction < settings.script.count, settings.script[nextAction].at <= time {
      nextAction += 1
      perform(settings.script[nextAction - 1].action)
    } else if let reaction = reactions.first, reaction.at <= time {
      reactions.removeFirst()
      perform(reaction.action)
    } else if armed != nil {
      (armed, isClockNews) = (nil, false)
      wake()
    }
  }
}

extension World {
  /// Starts the daemon with the state in the record.
  func start() {
    upAgainAt = nil
    if let battery {
      clock.reboot()
      clock.state = isSetAtBoot ? .synced : .unsynced
      switch battery {
      case _ where isSetAtBoot: break
      case .kept: break
      case .unset: clock.errorMilliseconds = -SimulatedClock.beginning - clock.time
      case .far:
        clock.errorMilliseconds = 4_039_372_800_000 - SimulatedClock.beginning - clock.time
      }
    }
    (battery, isSetAtBoot) = (nil, false)
    isDead = false
    do {
      let snapshot = try store.restore()
      audit.restored(snapshot, count: store.count)
      let home = HomeState(snapshot: snapshot, limits: .standard, environment: environment)
      daemon = settings.makeDaemon(home, ports())
    } catch {
      audit.fail("I2", "the record cannot be restored: \(error)")
      return
    }
    deliver(.started(Start(version: "simulated")))
    wake()
  }

  /// Wakes the daemon once.
  ///
  /// If the daemon has more work, it sets its timer to the present time. Before the world wakes the
  /// daemon again, the world handles all other due inputs, for example a report of the player. The
  /// real daemon uses the same order.
  func wake() {
    guard daemon != nil else { return }
    steps += 1
    _ = daemon?.wake()
    replaceStoppedDaemon()
    settle()
  }

  /// Passes an input to the daemon. If the daemon does not run, the function does nothing.
  @discardableResult
  func deliver(_ input: Input) -> Result<Reply?, Refusal>? {
    guard daemon != nil else { return nil }
    steps += 1
    var result: Result<Reply?, Refusal>?
    do throws(Refusal) {
      if let taken = try daemon?.handle(input) { result = .success(taken.reply) }
    } catch {
      result = .failure(error)
    }
    let died = isDead
    replaceStoppedDaemon()
    settle()
    // If the daemon was killed while it handled the request, the client gets no reply.
    return died ? nil : result
  }

  /// Creates a random number generator. The seed of the generator depends on the purpose `kind` and
  /// on the present state of the simulation.
  func chance(_ kind: Int64) -> SeededRandom {
    SeededRandom(seed: settings.seed, about: kind, clock.time, Int64(steps), Int64(audit.count))
  }

  /// Returns the random seed for a power failure at the present time. The seed determines which
  /// data the power failure removes.
  func lossSeed() -> UInt64 {
    var random = chance(0)
    return random.next()
  }

  private func replaceStoppedDaemon() {
    guard isDead, daemon != nil else { return }
    battery = plannedCrash?.battery
    end(downMilliseconds: plannedCrash?.down ?? 1_000)
    plannedCrash = nil
  }

  /// Ends the daemon and every process that the daemon started.
  func end(downMilliseconds: Int64) {
    daemon = nil
    (armed, isClockNews) = (nil, false)
    speaker.die()
    notifier.die()
    summaries = []
    // The daemon can have recorded the request to say a voice again, and then ended before it
    // played the voice.
    audit.saidAgain = []
    audit.noteCrash()
    audit.troubles.insert("restart")
    disk?.die(losingPower: battery == nil ? nil : lossSeed())
    upAgainAt = max(clock.time, suspendedUntil) + downMilliseconds
  }

  func handle(_ report: SoundReport) {
    heard.append(report)
    if heard.count > 40 { heard.removeFirst(20) }
    if case .started(let prompt, let ring, _, _) = report { react(prompt, ring) }
    deliver(.sound(report))
  }

  /// Runs additional checks of the audit if the daemon has no due work. While work is due, these
  /// checks could fail although the daemon has no fault.
  private func settle() {
    guard let daemon, let armed, armed > clock.wall else { return }
    // While the daemon does not trust the wall clock, the daemon adds a correction to the time of
    // the wall clock. The audit adds the same correction.
    let correction = daemon.clockCorrectionMilliseconds
    let wall = clock.wall.adding(milliseconds: correction)
    audit.settled(
      daemon.home, armed: armed.adding(milliseconds: correction), wall: wall, speaker: speaker)
    // The function `checkPlans` takes as long as all other checks together. Therefore, if a
    // simulated patient reacts to rings, call `checkPlans` only in some steps (see `plansEvery`).
    if !settings.hasPatient || steps % Self.plansEvery == 0 {
      audit.checkPlans(daemon.home, wall: wall)
    }
  }
}
