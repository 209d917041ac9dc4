import Alarms
import CivilTime
import Dispatch

/// The engine with a thread of its own: everything that happens to the home happens here, one event
/// after the other, none in the middle of another.
///
/// Writing the record blocks, on purpose: an event is not over before it is durable. So the actor does
/// not borrow threads from the pool that serves the sockets.
public actor EngineActor {
  private let executor = EngineExecutor()
  private var core: EngineCore

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  public init(_ core: EngineCore) { self.core = core }

  /// Comes up on the restored state and looks at everything that is due.
  public func start(_ start: Start) async {
    perform(.started(start))
    await wake()
  }

  /// Looks at everything whose time has come. Requests get their turn between batches.
  public func wake() async {
    while core.wake() { await Task.yield() }
  }

  /// Plans anew after the system's zones, or the home's, have changed.
  public func zonesChanged() async {
    perform(.zonesChanged)
    await wake()
  }

  /// Takes what the player reports.
  public func handle(_ report: SoundReport) { perform(.sound(report)) }

  /// Takes how telling somebody went.
  public func handle(_ report: NotifyResult) { perform(.notifyResult(report)) }

  /// Carries out a command.
  ///
  /// - Throws: a refusal; see `EngineCore.take`.
  public func execute(_ command: Command, by actor: Actor) throws(Refusal) -> Reply {
    guard let reply = try core.take(.command(command, actor)).reply else {
      preconditionFailure("a command was carried out without a reply")
    }
    return reply
  }

  /// Carries out a command, and keeps what is to be kept of the answer in the same transaction.
  ///
  /// - Parameters:
  ///   - say: makes the answer; it sees the home as it was before.
  ///   - keep: makes of the answer what is kept; nil for nothing.
  /// - Throws: a refusal; see `EngineCore.take`.
  public func execute<Answer: Sendable>(
    _ command: Command, by actor: Actor, answering say: @Sendable (Reply, HomeState) -> Answer,
    keeping keep: @Sendable (Answer) -> IdempotencyRecord?
  ) throws(Refusal) -> Answer {
    try execute({ _ throws(Refusal) in command }, by: actor, answering: say, keeping: keep)
  }

  /// The same for a command that depends on how the home is then: nothing happens between the look and
  /// the deed.
  public func execute<Answer: Sendable>(
    _ decide: @Sendable (HomeState) throws(Refusal) -> Command, by actor: Actor,
    answering say: @Sendable (Reply, HomeState) -> Answer,
    keeping keep: @Sendable (Answer) -> IdempotencyRecord?
  ) throws(Refusal) -> Answer {
    let command = try decide(core.home)
    var answer: Answer?
    try core.take(.command(command, actor)) { reply, home in
      let said = say(reply, home)
      answer = said
      return keep(said)
    }
    guard let answer else {
      preconditionFailure("a command was carried out without a reply")
    }
    return answer
  }

  /// Records the end of this run.
  public func stop(reason: String) { perform(.stopping(reason: reason)) }

  /// Looks at the home without touching it.
  public func read<Answer: Sendable>(
    _ view: @Sendable (HomeState, _ isRecordWritable: Bool) -> Answer
  ) -> Answer {
    view(core.home, core.isRecordWritable)
  }

  /// Does something that no event may come between.
  package func withExclusiveAccess<Answer: Sendable>(
    _ work: @Sendable () throws -> Answer
  ) rethrows -> Answer {
    try work()
  }

  private func perform(_ input: Input) {
    do {
      try core.take(input)
    } catch {
      // Only commands are refused.
      preconditionFailure("an event was refused: \(error)")
    }
  }
}

/// Runs the engine's jobs on a queue of its own.
private final class EngineExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "hallway", qos: .userInteractive)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
