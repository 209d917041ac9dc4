import Alarms
import CivilTime
import Engine

/// The interface of the daemon to the world: the shipped engine, or an engine with a planted bug.
public protocol SimulatedDaemon {
  mutating func handle(_ input: Input) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool)
  mutating func wake() -> Bool
  var home: HomeState { get }
  var clockCorrectionMilliseconds: Int64 { get }
}

extension EngineCore: SimulatedDaemon {}

/// Accepted and refused requests of one kind.
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

/// The start conditions of a world.
public struct WorldSettings: Sendable {
  public var seed: UInt64
  /// True time until the end, in milliseconds.
  public var length: Int64
  public var script: [TimedAction]
  /// Whether a simulated patient reacts to rings. A script alone does not need a patient.
  public var hasPatient: Bool
  public var makeDaemon: @Sendable (HomeState, Ports) -> any SimulatedDaemon = EngineCore.init(
    home:ports:)

  /// Time in which the self-audit finds a lost step, in milliseconds; 0 if no step is lost.
  public var graceMilliseconds: Int64 = 0

  public init(seed: UInt64, length: Int64, script: [TimedAction], hasPatient: Bool) {
    self.seed = seed
    self.length = length
    self.script = script
    self.hasPatient = hasPatient
  }
}

/// A simulated home from its first day: clocks, speaker, people, disk and power are simulated.
///
/// The daemon in it is the shipped code.
///
/// It is Sendable although the compiler cannot check it: one thread runs the world and calls the
/// ports.
public final class World: @unchecked Sendable {
  /// Number of steps between two checks that everything to come is planned. It holds for random
  /// homes.
  private static let plansEvery = 64
  /// More steps than this at one time are a loop without progress.
  private static let mostSteps = 5_000

  public let audit = Audit()
  let settings: WorldSettings
  let store: any RecordStore
  /// The store, if its disk can fail.
  let disk: (any BreakableStore)?
  let atlas: ZoneFixtures
  var environment: Environment
  var homeZone = "Europe/Berlin"
  var release = 1
  /// The newest requests, oldest first.
  var asked: [(command: Command, actor: Actor)] = []
  var clock = SimulatedClock()
  var speaker: SimulatedSpeaker
  var daemon: (any SimulatedDaemon)?
  /// The performed actions, in order: a script that repeats the same year.
  public internal(set) var performed: [TimedAction] = []
  public internal(set) var faults: [String: Int] = [:]
  public internal(set) var steps = 0
  /// The requests that the daemon answered, by kind.
  public internal(set) var requests: [String: RequestCount] = [:]
  var requestCount = 0
  public internal(set) var plays = 0

  var nextAction = 0
  var reactions: [TimedAction] = []
  var notifier = SimulatedNotifier()
  var nextAlarm = 1
  /// Reports of the player that the fault `forge` may repeat.
  var heard: [SoundReport] = []
  var armed: Instant?
  /// Whether a time source was found before the daemon started.
  var isSetAtBoot = false
  /// Whether the daemon must still be woken because the clock was set. A later timer of the daemon
  /// cannot prevent this wake-up.
  var isClockNews = false
  /// The end of the daemon: after this number of further calls to the ports.
  var plannedCrash: (calls: Int, down: Int64, battery: Action.BatteryClock?)?
  var isDead = false
  var upAgainAt: Int64?
  var battery: Action.BatteryClock?
  var suspendedUntil: Int64 = 0
  var unwritableUntil: Int64 = 0
  /// The additional duration of each write, and its end in true time.
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

  /// Runs until the end, or until an invariant is violated.
  public func run() {
    start()
    while audit.violations.isEmpty, let next = nextTime(), next <= settings.length {
      stepsAtThisTime = next > clock.time ? 0 : stepsAtThisTime + 1
      clock.advance(to: next)
      audit.time = clock.time
      if stepsAtThisTime > Self.mostSteps {
        audit.fail("I1", "the daemon handles the same due prompts again and again")
        return
      }
      happen()
    }
    if audit.violations.isEmpty { audit.closed(store) }
  }

  /// The time of the next thing that happens.
  private func nextTime() -> Int64? {
    var next = Int64.max
    if nextAction < settings.script.count { next = settings.script[nextAction].at }
    if let reaction = reactions.first { next = min(next, reaction.at) }
    if let upAgainAt { next = min(next, upAgainAt) }
    if let report = speaker.nextReportAt { next = min(next, report) }
    if let report = notifier.nextReportAt { next = min(next, report) }
    if let armed { next = min(next, clock.time(of: armed)) }
    return next == .max ? nil : max(next, clock.time, suspendedUntil)
  }

  /// Performs the one thing that is due, in a fixed order.
  private func happen() {
    let time = clock.time
    if let upAgainAt, upAgainAt <= time {
      start()
    } else if let report = speaker.nextReportAt, report <= time {
      handle(speaker.takeReport())
    } else if let report = notifier.nextReportAt, report <= time {
      deliver(.notifyResult(notifier.takeReport()))
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
  /// Starts the daemon with the state that the record contains.
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
  /// If the daemon has more to do at once, its timer is set for now. Things that are due by then
  /// come in between, for example a report of the player while the disk was slow. The shipped
  /// engine behaves in the same way.
  func wake() {
    guard daemon != nil else { return }
    steps += 1
    _ = daemon?.wake()
    buryIfDead()
    settle()
  }

  /// Passes an input to the daemon, if it runs.
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
    buryIfDead()
    settle()
    // A client gets no reply from a daemon that died.
    return died ? nil : result
  }

  /// A generator of random numbers for one purpose at the present time.
  func chance(_ kind: Int64) -> SeededRandom {
    SeededRandom(seed: settings.seed, about: kind, clock.time, Int64(steps), Int64(audit.count))
  }

  /// A seed that decides which data a power failure loses now.
  func lossSeed() -> UInt64 {
    var random = chance(0)
    return random.next()
  }

  private func buryIfDead() {
    guard isDead, daemon != nil else { return }
    battery = plannedCrash?.battery
    end(downMilliseconds: plannedCrash?.down ?? 1_000)
    plannedCrash = nil
  }

  /// Ends the daemon and everything that it started.
  func end(downMilliseconds: Int64) {
    daemon = nil
    (armed, isClockNews) = (nil, false)
    speaker.die()
    notifier.die()
    audit.crashes += 1
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

  /// Runs the audit when everything that is due is done: no prompt may be forgotten.
  private func settle() {
    guard let daemon, let armed, armed > clock.wall else { return }
    // The daemon may have reasons not to believe the clock.
    let correction = daemon.clockCorrectionMilliseconds
    let wall = clock.wall.adding(milliseconds: correction)
    audit.settled(
      daemon.home, armed: armed.adding(milliseconds: correction), wall: wall, speaker: speaker)
    // The check takes as long as all others together. It runs after each step of a scenario, and
    // now and then in a random home.
    if !settings.hasPatient || steps % Self.plansEvery == 0 {
      audit.checkPlans(daemon.home, wall: wall)
    }
  }
}
