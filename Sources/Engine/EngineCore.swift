import Alarms
import CivilTime

/// The way of every event: event → `step` → record → merge → act. One event at a time.
///
/// A value without threads, so that a simulator can walk it. `EngineActor` gives it one.
public struct EngineCore: Sendable {
  /// A heartbeat this often says that the device was watching. 15 minutes.
  public static let heartbeatMilliseconds: Int64 = 15 * 60 * 1_000
  /// A step that is due and of which nothing comes is looked at again so much later. 1 second.
  static let stuckMilliseconds: Int64 = 1_000
  /// As long as the record cannot be written, it is tried so often: a crash meanwhile would lose what
  /// somebody answered. 1 minute.
  static let retryMilliseconds: Int64 = 60_000
  public private(set) var home: HomeState
  private let ports: Ports
  private var nextHeartbeat: Instant
  private var backlog = Backlog()
  private var clock: TrustedClock
  /// What the newest waking found due and made nothing of.
  private var stuckSince: Instant?

  /// - Parameter home: what the record restored.
  public init(home: HomeState, ports: Ports) {
    self.home = home
    self.ports = ports
    clock = TrustedClock(last: home.lastRecord?.reading)
    nextHeartbeat = clock.read(ports.now()).wall.adding(milliseconds: Self.heartbeatMilliseconds)
  }

  /// Whether the last attempt to write the record worked.
  public var isRecordWritable: Bool { backlog.since == nil }

  /// What is added to the wall clock while it is not believed, in milliseconds; else 0.
  public var clockCorrectionMilliseconds: Int64 { clock.correctionMilliseconds }

  private mutating func now() -> ClockReading { clock.read(ports.now()) }

  /// Takes one event the whole way.
  ///
  /// - Returns: the reply to a command, and whether more is due and `woke` should follow at once.
  /// - Throws: a refusal of a command. Nothing has changed then, except that an answer which could
  ///   not be recorded has taken effect all the same: it stops.
  @discardableResult
  public mutating func take(
    _ input: Input
  ) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool) {
    try take(input, idempotencyRecord: { _, _ in nil })
  }

  /// The same for a command whose answer is to be kept.
  ///
  /// - Parameter receipt: makes of a reply what is kept of it, in the same transaction; nil for
  ///   nothing. It sees the home as it was before.
  @discardableResult
  public mutating func take(
    _ input: Input, idempotencyRecord: (Reply, HomeState) -> IdempotencyRecord?
  ) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool) {
    let environment = ports.environment()
    if !isRoomKept(for: input), let lowSpaceReason = ports.lowSpaceReason() {
      throw Refusal(.storage, "nothing was changed: \(lowSpaceReason)")
    }
    let reading = now()
    let awaited = home.nextWake
    var decision = try step(home, input, at: reading, in: environment)
    if let reply = decision.reply, let kept = idempotencyRecord(reply, home) {
      decision.changes.idempotencyRecords = [kept]
    }
    let refusal = write(decision, for: input)
    if let refusal, !takesEffectUnrecorded(input) {
      armTimer(isMoreDue: false)
      throw refusal
    }
    home.merge(decision, environment: environment)
    detectLivelock(decision, awaited, at: reading.wall)
    for effect in decision.effects {
      switch effect {
      case .play(let order): ports.play(order)
      case .stop(let prompt, let ring): ports.stop(prompt, ring)
      case .rehearse(let words): ports.rehearse(words)
      case .setLevel(let device, let percent): ports.setLevel(device, percent)
      case .notify(let order): ports.notify(order)
      case .cancelNotification(let subject): ports.cancelNotification(subject)
      }
    }
    if backlog.since != nil, refusal == nil { noteGap() }
    armTimer(isMoreDue: decision.isMoreDue)
    if let refusal, case .command = input { throw refusal }
    return (decision.reply, decision.isMoreDue)
  }

  /// Looks at everything whose time has come, the heartbeat included.
  ///
  /// - Returns: whether more is due than was dealt with.
  public mutating func wake() -> Bool {
    let now = now().wall
    // A clock that was stepped back must not silence the heartbeat until it has caught up.
    let isFarAhead = nextHeartbeat > now.adding(milliseconds: Self.heartbeatMilliseconds)
    let beats = now >= nextHeartbeat || isFarAhead
    if beats { nextHeartbeat = now.adding(milliseconds: Self.heartbeatMilliseconds) }
    do {
      if beats, let freeBytes = ports.freeBytes() { try take(.disk(freeBytes: freeBytes)) }
      let isMoreDue = try take(beats ? .heartbeat : .woke).isMoreDue
      return isMoreDue && stuckSince == nil
    } catch {
      // Only commands are refused.
      preconditionFailure("a timer was refused: \(error)")
    }
  }

  private mutating func armTimer(isMoreDue: Bool) {
    let correction = clock.correctionMilliseconds
    var next = isMoreDue ? now().wall : min(home.nextWake ?? nextHeartbeat, nextHeartbeat)
    if stuckSince != nil { next = now().wall.adding(milliseconds: Self.stuckMilliseconds) }
    if backlog.since != nil {
      next = min(next, now().wall.adding(milliseconds: Self.retryMilliseconds))
    }
    // The timer goes by the clock as it is shown.
    ports.wake(next.adding(milliseconds: -correction))
    // A heartbeat is no reason to wake a device: asleep, it is a gap with a cause.
    let needed = stuckSince == nil ? home.nextWake : next
    ports.wakeDevice(needed?.adding(milliseconds: -correction))
  }

  /// Notices a step that is due, of which nothing comes, and which stays due: the timer would fire without
  /// end. What lies behind it is looked at every second all the same.
  private mutating func detectLivelock(_ decision: Decision, _ awaited: Instant?, at wall: Instant)
  {
    let former = stuckSince
    stuckSince = nil
    guard let awaited, awaited <= wall, awaited == home.nextWake, decision.isIdle else { return }
    stuckSince = awaited
    if former == awaited { return }
    ports.log(LogLine(.error, "\(Self.stuck) \(awaited), and nothing comes of it"))
  }

  /// How the complaint about such a step begins.
  public static let stuck = "this is a fault in Prompter, please report it: a step is due since"

  /// What happens by itself happens, written or not: a full disk must not silence an alarm. An answer
  /// silences the ring all the same. Only what a caretaker sets is refused while it cannot be kept.
  private func takesEffectUnrecorded(_ input: Input) -> Bool {
    switch input {
    case .command(.answer, _), .command(.completeShowing, _): true
    case .command: false
    default: true
    }
  }

  /// What room is left on a full disk is kept for what happens, and an answer, its correction and the
  /// end of a day are that; what a caretaker sets can wait.
  private func isRoomKept(for input: Input) -> Bool {
    switch input {
    case .command(.respond, _), .command(.undo, _), .command(.reward, _): true
    default: takesEffectUnrecorded(input)
    }
  }

  /// - Returns: nil once everything is written; else the refusal of whoever waits for it.
  private mutating func write(_ decision: Decision, for input: Input) -> Refusal? {
    if decision.records.isEmpty && backlog.records.isEmpty
      && decision.changes.idempotencyRecords.isEmpty
    {
      return nil
    }
    do {
      if backlog.since == nil {
        try ports.record(decision.records, decision.changes)
      } else {
        try writeBehind(decision, for: input)
      }
    } catch {
      if backlog.since == nil { fallBehind(decision, for: input, because: error) }
      return takesEffectUnrecorded(input)
        ? Refusal(
          .unrecorded,
          "it took effect, but the record cannot be written now (\(error)); "
            + "it will be recorded as soon as it can be")
        : Refusal(.storage, "cannot record the change, so nothing was changed: \(error)")
    }
    return nil
  }

  /// Writes what waits and what is new in one piece, or keeps both. In place: what waits may be much.
  private mutating func writeBehind(_ decision: Decision, for input: Input) throws {
    let former = takesEffectUnrecorded(input) ? nil : backlog.changes
    backlog.append(decision.records)
    backlog.changes.add(decision.changes)
    do {
      try ports.record(backlog.records, backlog.changes)
    } catch {
      if let former {
        backlog.removeLast(decision.records.count)
        backlog.changes = former
      } else {
        backlog.shrink()
      }
      throw error
    }
    // Written, but that there was a gap is yet to be recorded.
    backlog.clear()
  }

  private mutating func fallBehind(
    _ decision: Decision, for input: Input, because error: any Error
  ) {
    backlog.since = now()
    ports.log(LogLine(.error, "cannot write the record, ringing goes on: \(error)"))
    guard takesEffectUnrecorded(input) else { return }
    backlog.append(decision.records)
    backlog.changes = decision.changes
    backlog.shrink()
  }

  /// Records that, and since when, the record was silent. What was kept has been written and merged
  /// before this, so that nothing which happened meanwhile is noticed a second time.
  private mutating func noteGap() {
    guard let since = backlog.since else { return }
    let now = now()
    // By boot time: the wall clock may have been stepped meanwhile.
    let elapsed = (now.bootNanoseconds - since.bootNanoseconds) / 1_000_000
    let from = now.wall.adding(milliseconds: -elapsed)
    let environment = ports.environment()
    do {
      let noted = try step(home, .recordReturned(since: from), at: now, in: environment)
      try ports.record(noted.records, noted.changes)
      home.merge(noted, environment: environment)
    } catch {
      // That the record cannot be written was said when it fell silent; it is tried again in a minute.
      return
    }
    ports.log(
      LogLine(
        .warning,
        "the record can be written again; it could not since \(from), "
          + "and \(backlog.dropped) events of that time are lost"))
    backlog = Backlog()
  }
}

extension StateDelta {
  /// Puts newer changes over these.
  mutating func add(_ newer: StateDelta) {
    alarms.merge(newer.alarms) { _, new in new }
    for id in newer.deletedAlarms { alarms[id] = nil }
    deletedAlarms.formUnion(newer.deletedAlarms)
    prompts.merge(newer.prompts) { _, new in new }
    for name in newer.tones.keys { removedTones.remove(name) }
    tones.merge(newer.tones) { _, new in new }
    for name in newer.removedTones { tones[name] = nil }
    removedTones.formUnion(newer.removedTones)
    idempotencyRecords += newer.idempotencyRecords
    people.merge(newer.people) { _, new in new }
    levels.merge(newer.levels) { _, new in new }
    for sha256 in newer.pictures.keys { removedPictures.remove(sha256) }
    pictures.merge(newer.pictures) { _, new in new }
    for sha256 in newer.removedPictures { pictures[sha256] = nil }
    removedPictures.formUnion(newer.removedPictures)
    for id in newer.forgottenPeople { people[id] = nil }
    forgottenPeople.formUnion(newer.forgottenPeople)
  }
}
