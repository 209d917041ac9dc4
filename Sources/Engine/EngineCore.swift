import Alarms
import CivilTime

/// The loop: input → `step` → record → merge → act. It processes one input at a time.
///
/// It is a value without threads, so that the simulator can run it. `EngineActor` gives it a
/// thread.
public struct EngineCore: Sendable {
  /// Time between heartbeats, which show that the device was monitoring. 15 minutes.
  public static let heartbeatMilliseconds: Int64 = 15 * 60 * 1_000
  /// Delay before another attempt if a due step had no result. 1 second.
  static let stuckMilliseconds: Int64 = 1_000
  /// Time between attempts to write while the record cannot be written. 1 minute.
  ///
  /// A crash during this time would lose answers.
  static let retryMilliseconds: Int64 = 60_000
  public private(set) var home: HomeState
  private let ports: Ports
  private var nextHeartbeat: Instant
  private var backlog = Backlog()
  private var clock: TrustedClock
  /// Instant of a due step that had no result at the newest wake-up.
  private var stuckSince: Instant?

  /// - Parameter home: the state that was restored from the record.
  public init(home: HomeState, ports: Ports) {
    self.home = home
    self.ports = ports
    clock = TrustedClock(last: home.lastRecord?.reading)
    nextHeartbeat = clock.read(ports.now()).wall.adding(milliseconds: Self.heartbeatMilliseconds)
  }

  /// Whether the last attempt to write the record succeeded.
  public var isRecordWritable: Bool { backlog.since == nil }

  /// Milliseconds added to the wall clock while it is not believed; else 0.
  public var clockCorrectionMilliseconds: Int64 { clock.correctionMilliseconds }

  private mutating func now() -> ClockReading { clock.read(ports.now()) }

  /// Processes one input completely.
  ///
  /// - Returns: the reply to a command, and whether more is due. If more is due, `woke` should
  ///   follow at once.
  /// - Throws: the refusal of a command. Nothing has changed then, with one exception: an answer
  ///   that could not be recorded has taken effect, so the sound stops.
  @discardableResult
  public mutating func handle(
    _ input: Input
  ) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool) {
    try handle(input, idempotencyRecord: { _, _ in nil })
  }

  /// Processes one input and records the idempotency record of its reply.
  ///
  /// - Parameter idempotencyRecord: makes the idempotency record from the reply, or returns nil to
  ///   record none. It is written in the same transaction. The closure receives the state from
  ///   before the command.
  @discardableResult
  public mutating func handle(
    _ input: Input, idempotencyRecord: (Reply, HomeState) -> IdempotencyRecord?
  ) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool) {
    let environment = ports.environment()
    if !isRoomKept(for: input), let lowSpaceReason = ports.lowSpaceReason() {
      throw Refusal(.storage, "cannot save the change: \(lowSpaceReason)")
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

  /// Processes everything that is due, the heartbeat included.
  ///
  /// - Returns: whether more is due than this call processed.
  public mutating func wake() -> Bool {
    let now = now().wall
    // If the clock was stepped back, the heartbeat must not wait until the clock has caught up.
    let isFarAhead = nextHeartbeat > now.adding(milliseconds: Self.heartbeatMilliseconds)
    let beats = now >= nextHeartbeat || isFarAhead
    if beats { nextHeartbeat = now.adding(milliseconds: Self.heartbeatMilliseconds) }
    do {
      if beats, let freeBytes = ports.freeBytes() { try handle(.disk(freeBytes: freeBytes)) }
      let isMoreDue = try handle(beats ? .heartbeat : .woke).isMoreDue
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
    // The timer runs on the wall clock as the system shows it, without the correction.
    ports.wake(next.adding(milliseconds: -correction))
    // A heartbeat does not wake a suspended device: that time is a gap with a cause.
    let needed = stuckSince == nil ? home.nextWake : next
    ports.wakeDevice(needed?.adding(milliseconds: -correction))
  }

  /// Detects a due step that has no result and stays due.
  ///
  /// Without this, the timer would fire without end. The engine still wakes every second and
  /// processes the steps behind it.
  private mutating func detectLivelock(_ decision: Decision, _ awaited: Instant?, at wall: Instant)
  {
    let former = stuckSince
    stuckSince = nil
    guard let awaited, awaited <= wall, awaited == home.nextWake, decision.isIdle else { return }
    stuckSince = awaited
    if former == awaited { return }
    ports.log(LogLine(.error, "\(Self.stuck) \(awaited), and nothing carries it out"))
  }

  /// Beginning of the log message about such a step.
  public static let stuck =
    "this is a fault in Prompter, please report it: a step has been due since"

  /// Whether an input takes effect although it cannot be recorded.
  ///
  /// Everything that happens by itself takes effect: a full disk must not keep an alarm from
  /// ringing. An answer stops the ring, too. Only changes that a caretaker makes are refused while
  /// they cannot be recorded.
  private func takesEffectUnrecorded(_ input: Input) -> Bool {
    switch input {
    case .command(.answer, _), .command(.completeShowing, _): true
    case .command: false
    default: true
    }
  }

  /// Whether the reserved space of a full disk is for this input.
  ///
  /// It is reserved for everything that happens by itself, for answers, corrections of answers, and
  /// the end of a day. Changes that a caretaker makes can wait.
  private func isRoomKept(for input: Input) -> Bool {
    switch input {
    case .command(.respond, _), .command(.undo, _), .command(.reward, _): true
    default: takesEffectUnrecorded(input)
    }
  }

  /// - Returns: nil after everything is written; else the refusal for the caller that waits.
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
            + "the daemon records it as soon as possible")
        : Refusal(.storage, "cannot save the change: \(error); nothing was changed")
    }
    return nil
  }

  /// Writes the backlog and new events in one transaction, or keeps both.
  ///
  /// It works in place, because the backlog can be large.
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
    // The events are written, but the gap is still to be recorded.
    backlog.clear()
  }

  private mutating func fallBehind(
    _ decision: Decision, for input: Input, because error: any Error
  ) {
    backlog.since = now()
    ports.log(LogLine(.error, "cannot write the record: \(error); alarms still ring"))
    guard takesEffectUnrecorded(input) else { return }
    backlog.append(decision.records)
    backlog.changes = decision.changes
    backlog.shrink()
  }

  /// Records the gap: that the record could not be written, and since when.
  ///
  /// The backlog has been written and merged before this. Therefore nothing that happened during
  /// the gap is detected a second time.
  private mutating func noteGap() {
    guard let since = backlog.since else { return }
    let now = now()
    // Elapsed time is boot time: the wall clock may have been stepped during the gap.
    let elapsed = (now.bootNanoseconds - since.bootNanoseconds) / 1_000_000
    let from = now.wall.adding(milliseconds: -elapsed)
    let environment = ports.environment()
    do {
      let noted = try step(home, .recordReturned(since: from), at: now, in: environment)
      try ports.record(noted.records, noted.changes)
      home.merge(noted, environment: environment)
    } catch {
      // The error was logged when the record failed first. The next attempt is in one minute.
      return
    }
    ports.log(
      LogLine(
        .warning,
        "the record can be written again; it could not be written since \(from), "
          + "and \(backlog.dropped) events of that time are lost"))
    backlog = Backlog()
  }
}

extension StateDelta {
  /// Applies newer changes on top of these.
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
