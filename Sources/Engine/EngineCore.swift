import Alarms
import CivilTime

/// The loop of the engine: input → `step` → record → merge → act.
///
/// `EngineCore` processes one input at a time. `EngineCore` is a value type and starts no threads.
/// Therefore the simulator can use it. In the daemon, `EngineActor` runs `EngineCore` on a separate
/// thread.
public struct EngineCore: Sendable {
  /// The time between two heartbeats: 15 minutes. A heartbeat shows that the daemon was running.
  public static let heartbeatMilliseconds: Int64 = 15 * 60 * 1_000
  /// If `step` did not handle a due instant, the engine calls `step` again after this delay: 1
  /// second.
  static let stuckMilliseconds: Int64 = 1_000
  /// The time between two attempts to write the record after a failed write: 1 minute.
  ///
  /// The interval is short, because the daemon loses unwritten answers if it crashes.
  static let retryMilliseconds: Int64 = 60_000
  public private(set) var home: HomeState
  private var ports: Ports
  private var nextHeartbeat: Instant
  private var backlog = Backlog()
  private var clock: TrustedClock
  /// The due instant that the last call of `step` did not handle; nil if the last call handled all
  /// due instants.
  private var stuckSince: Instant?

  /// - Parameter home: the state that the logbook restored from the record.
  public init(home: HomeState, ports: Ports) {
    self.home = home
    self.ports = ports
    clock = TrustedClock(last: home.lastRecord?.reading)
    nextHeartbeat = clock.read(ports.now()).wall.adding(milliseconds: Self.heartbeatMilliseconds)
  }

  /// Replaces the ports. The simulator copies a home, and connects each copy to different ports.
  public mutating func connect(to ports: Ports) { self.ports = ports }

  /// True if the last attempt to write the record succeeded.
  public var isRecordWritable: Bool { backlog.since == nil }

  /// The correction of the wall clock in milliseconds; 0 while the daemon trusts the wall clock.
  public var clockCorrectionMilliseconds: Int64 { clock.correctionMilliseconds }

  private mutating func now() -> ClockReading { clock.read(ports.now()) }

  /// Processes one input completely.
  ///
  /// - Returns: the reply to a command, and `isMoreDue`. If `isMoreDue` is true, the caller should
  ///   send the input `woke` at once.
  /// - Throws: the refusal of a command. A refused command changes nothing, with one exception: an
  ///   answer that cannot be recorded still stops the sound.
  @discardableResult
  public mutating func handle(
    _ input: Input
  ) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool) {
    try handle(input, idempotencyRecord: { _, _ in nil })
  }

  /// Processes one input, and stores an idempotency record if the input is a command with a reply.
  ///
  /// - Parameter idempotencyRecord: builds the idempotency record from the reply and from the state
  ///   before the command. If the closure returns nil, the engine stores no idempotency record. The
  ///   engine writes the idempotency record in the same transaction as the events.
  @discardableResult
  public mutating func handle(
    _ input: Input, idempotencyRecord: (Reply, HomeState) -> IdempotencyRecord?
  ) throws(Refusal) -> (reply: Reply?, isMoreDue: Bool) {
    let environment = ports.environment()
    if !isSpaceReserved(for: input), let lowSpaceReason = ports.lowSpaceReason() {
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
      case .writeSummary(let contact, let day): ports.writeSummary(contact, day)
      case .cancelNotification(let subject): ports.cancelNotification(subject)
      }
    }
    if backlog.since != nil, refusal == nil { noteGap() }
    armTimer(isMoreDue: decision.isMoreDue)
    if let refusal, case .command = input { throw refusal }
    return (decision.reply, decision.isMoreDue)
  }

  /// Processes all inputs that are due, including the heartbeat.
  ///
  /// - Returns: true if an input is still due after this call.
  public mutating func wake() -> Bool {
    let now = now().wall
    // If the wall clock was set back, the planned heartbeat can be too far in the future. In this
    // case, the engine handles a heartbeat now.
    let isFarAhead = nextHeartbeat > now.adding(milliseconds: Self.heartbeatMilliseconds)
    let beats = now >= nextHeartbeat || isFarAhead
    if beats { nextHeartbeat = now.adding(milliseconds: Self.heartbeatMilliseconds) }
    do {
      if beats, let freeBytes = ports.freeBytes() { try handle(.disk(freeBytes: freeBytes)) }
      let isMoreDue = try handle(beats ? .heartbeat : .woke).isMoreDue
      return isMoreDue && stuckSince == nil
    } catch {
      // The engine can refuse only a command, and this input is not a command.
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
    // `next` is an instant of the corrected time (see `TrustedClock`). The timer uses the wall
    // clock of the system. Therefore the code subtracts the correction.
    ports.wake(next.adding(milliseconds: -correction))
    // A heartbeat does not wake a suspended device. The daemon records the time in which the device
    // was suspended as a gap.
    let needed = stuckSince == nil ? home.nextWake : next
    ports.wakeDevice(needed?.adding(milliseconds: -correction))
  }

  /// Detects a due instant that `step` did not handle.
  ///
  /// If `step` does not handle a due instant, `step` has a defect. Without this check, the timer
  /// would fire again and again without a pause. With this check, the timer fires only once each
  /// second, and the engine still handles the other prompts at their due instants.
  private mutating func detectLivelock(_ decision: Decision, _ awaited: Instant?, at wall: Instant)
  {
    let former = stuckSince
    stuckSince = nil
    guard let awaited, awaited <= wall, awaited == home.nextWake, decision.isIdle else { return }
    stuckSince = awaited
    if former == awaited { return }
    ports.log(LogLine(.error, "\(Self.stuck) \(awaited), and nothing carries it out"))
  }

  /// The first words of the log message about a due instant that `step` did not handle.
  public static let stuck =
    "this is a fault in Prompter, please report it: a step has been due since"

  /// Returns true for an input that takes effect even if the engine cannot record its events.
  ///
  /// An input that is not a command of a user takes effect, because an alarm must ring even if the
  /// disk is full. An answer takes effect, because an answer must stop the ring. If the engine
  /// cannot record any other command, it refuses the command.
  private func takesEffectUnrecorded(_ input: Input) -> Bool {
    switch input {
    case .command(.answer, _), .command(.completeShowing, _): true
    case .command: false
    default: true
    }
  }

  /// Returns true if the daemon may use the reserve to record the events of an input.
  ///
  /// These inputs may use the reserve: answers, responses, the undo of an answer, the requests of a
  /// screen, the reward at the end of a day, and all inputs that do not come from a user. A change
  /// by a caretaker must not use the reserve.
  private func isSpaceReserved(for input: Input) -> Bool {
    switch input {
    case .command(.respond, _), .command(.undo, _), .command(.reward, _), .command(.present, _),
      .command(.sayAgain, _):
      true
    default: takesEffectUnrecorded(input)
    }
  }

  /// - Returns: nil if the engine wrote all events; otherwise the refusal for the sender of the
  ///   input.
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

  /// Writes the backlog and the new events in one transaction. If the write fails, the backlog
  /// stays in memory. The new events also stay in memory, unless the engine refuses the input.
  ///
  /// The backlog can be large. Therefore the function adds the new events to the property
  /// `backlog`, and does not copy the backlog.
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
    // The transaction succeeded. `clear` does not change `backlog.since`. `noteGap` later computes
    // the gap event from this value.
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

  /// Records a gap event for the period in which the daemon could not write the record.
  ///
  /// Before this call, the caller must write the backlog to the record and merge its changes into
  /// the state. If the backlog contains a clock step, `step` already knows this clock step.
  /// Therefore `step` does not record the clock step again.
  private mutating func noteGap() {
    guard let since = backlog.since else { return }
    let now = now()
    // The code computes the length of the gap from the boot time, because a person or a time source
    // can set the wall clock during the gap.
    let elapsed = (now.bootNanoseconds - since.bootNanoseconds) / 1_000_000
    let from = now.wall.adding(milliseconds: -elapsed)
    let environment = ports.environment()
    do {
      let noted = try step(home, .recordReturned(since: from), at: now, in: environment)
      try ports.record(noted.records, noted.changes)
      home.merge(noted, environment: environment)
    } catch {
      // The engine does not log this error, because it has already logged the first failed write.
      // The engine tries again after one minute.
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
  /// Adds the changes of `newer` to this set of changes. If a key is in both sets, the value in
  /// `newer` replaces the old value.
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
    supplies.merge(newer.supplies) { _, new in new }
    for id in newer.removedSupplies { supplies[id] = nil }
    removedSupplies.formUnion(newer.removedSupplies)
    for id in newer.forgottenPeople { people[id] = nil }
    forgottenPeople.formUnion(newer.forgottenPeople)
  }
}
