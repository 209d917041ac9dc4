import Alarms
import CivilTime
import Engine

/// What the world needs of a daemon: the engine as shipped, or one with a fault put in on purpose.
public protocol SimulatedDaemon {
  mutating func take(_ input: Input) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool)
  mutating func wake() -> Bool
  var home: HomeState { get }
  var clockCorrectionMilliseconds: Int64 { get }
}

extension EngineCore: SimulatedDaemon {}

/// What became of requests of one kind.
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

/// How a world begins.
public struct WorldSettings: Sendable {
  public var seed: UInt64
  /// True time in milliseconds until it ends.
  public var length: Int64
  public var script: [TimedAction]
  /// Whether the patient reacts to what is heard; a script alone does not need one.
  public var hasPatient: Bool
  public var makeDaemon: @Sendable (HomeState, Ports) -> any SimulatedDaemon = EngineCore.init(
    home:ports:)

  /// How long a step may be lost before the self-audit finds it; 0 where none is lost.
  public var graceMilliseconds: Int64 = 0

  public init(seed: UInt64, length: Int64, script: [TimedAction], hasPatient: Bool) {
    self.seed = seed
    self.length = length
    self.script = script
    self.hasPatient = hasPatient
  }
}

/// A home from its first day on: clocks, speaker, people, disk and mains, all pretended, and the
/// daemon in the middle as it is shipped.
///
/// Sendable by promise: one thread walks it, and the ports are called on that thread only.
public final class World: @unchecked Sendable {
  /// After how many steps of a life it is checked that all that is to come is planned.
  private static let plansEvery = 64
  /// More steps than this at one moment are a circle.
  private static let mostSteps = 5_000

  public let audit = Audit()
  let settings: WorldSettings
  let store: any RecordStore
  /// The store, where its disk can break.
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
  /// What was done, in order: a script that does the same again.
  public internal(set) var performed: [TimedAction] = []
  public internal(set) var faults: [String: Int] = [:]
  public internal(set) var steps = 0
  /// What was asked of the daemon and answered, by kind.
  public internal(set) var requests: [String: RequestCount] = [:]
  var requestCount = 0
  public internal(set) var plays = 0

  var nextAction = 0
  var reactions: [TimedAction] = []
  var notifier = SimulatedNotifier()
  var nextAlarm = 1
  /// Reports of the player that a forger may repeat.
  var heard: [SoundReport] = []
  var armed: Instant?
  /// Whether a time source was there before the daemon came up.
  var isSetAtBoot = false
  /// Whether the clock was set and the daemon not yet woken for it: however it sets its timer meanwhile, it will be.
  var isClockNews = false
  /// What ends the daemon, and after how many more calls to the ports.
  var doom: (calls: Int, down: Int64, battery: Action.BatteryClock?)?
  var isDead = false
  var upAgainAt: Int64?
  var battery: Action.BatteryClock?
  var suspendedUntil: Int64 = 0
  var unwritableUntil: Int64 = 0
  /// How much longer each write takes, and until when.
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

  /// Lives until the end, or until the first promise is broken.
  public func run() {
    start()
    while audit.violations.isEmpty, let next = nextTime(), next <= settings.length {
      stepsAtThisTime = next > clock.time ? 0 : stepsAtThisTime + 1
      clock.advance(to: next)
      audit.time = clock.time
      if stepsAtThisTime > Self.mostSteps {
        audit.fail("I1", "the daemon turns in circles")
        return
      }
      happen()
    }
    if audit.violations.isEmpty { audit.closed(store) }
  }

  /// When the next thing happens.
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

  /// The one thing whose time has come, in a fixed order.
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
  /// Brings the daemon up on what the record holds.
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

  /// Wakes the daemon once. If it has more to do at once, it has set its timer so: whatever has its turn by
  /// then, such as a report of the player while the disk was slow, comes in between, as in the engine.
  func wake() {
    guard daemon != nil else { return }
    steps += 1
    _ = daemon?.wake()
    buryIfDead()
    settle()
  }

  /// Hands an event to the daemon, if there is one.
  @discardableResult
  func deliver(_ input: Input) -> Result<Reply?, Refusal>? {
    guard daemon != nil else { return nil }
    steps += 1
    var result: Result<Reply?, Refusal>?
    do throws(Refusal) {
      if let taken = try daemon?.take(input) { result = .success(taken.reply) }
    } catch {
      result = .failure(error)
    }
    let died = isDead
    buryIfDead()
    settle()
    // Who asked never hears of a daemon that died.
    return died ? nil : result
  }

  /// SeededRandom for something that happens now, of a kind.
  func chance(_ kind: Int64) -> SeededRandom {
    SeededRandom(seed: settings.seed, about: kind, clock.time, Int64(steps), Int64(audit.count))
  }

  /// What a loss of power takes now.
  func lossSeed() -> UInt64 {
    var random = chance(0)
    return random.next()
  }

  private func buryIfDead() {
    guard isDead, daemon != nil else { return }
    battery = doom?.battery
    end(downMilliseconds: doom?.down ?? 1_000)
    doom = nil
  }

  /// The daemon is gone, and everything that it had started.
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

  /// When all that is due was dealt with, nothing may be forgotten.
  private func settle() {
    guard let daemon, let armed, armed > clock.wall else { return }
    // The daemon may have its reasons not to believe the clock.
    let correction = daemon.clockCorrectionMilliseconds
    let wall = clock.wall.adding(milliseconds: correction)
    audit.settled(
      daemon.home, armed: armed.adding(milliseconds: correction), wall: wall, speaker: speaker)
    // It takes as long as all the rest: each time in a story, now and then in a life.
    if !settings.hasPatient || steps % Self.plansEvery == 0 {
      audit.checkPlans(daemon.home, wall: wall)
    }
  }
}
