import Alarms
import CivilTime
import Dispatch

/// The engine on its own thread.
///
/// The engine processes one input completely before it starts the next input. A write to the record
/// blocks the thread of the engine on purpose, because the engine must not continue before the
/// events are durable. Therefore the actor has its own thread and does not use the thread pool of
/// the HTTP server.
public actor EngineActor {
  private let executor = EngineExecutor()
  private var core: EngineCore

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  public init(_ core: EngineCore) { self.core = core }

  /// Starts the engine with the restored state, and processes all inputs that are due.
  public func start(_ start: Start) async {
    perform(.started(start))
    await wake()
  }

  /// Processes all inputs that are due, in batches. Between two batches, the actor can process
  /// requests.
  public func wake() async {
    while core.wake() { await Task.yield() }
  }

  /// Plans all prompts again after the tzdata or the home zone has changed.
  public func zonesChanged() async {
    perform(.zonesChanged)
    await wake()
  }

  /// Processes a report of the player.
  public func handle(_ report: SoundReport) { perform(.sound(report)) }

  /// Processes the result of a notification.
  public func handle(_ report: NotifyResult) { perform(.notifyResult(report)) }

  /// Executes a command.
  ///
  /// - Throws: a refusal; see `EngineCore.handle`.
  public func execute(_ command: Command, by actor: Actor) throws(Refusal) -> Reply {
    guard let reply = try core.handle(.command(command, actor)).reply else {
      preconditionFailure("a command was carried out without a reply")
    }
    return reply
  }

  /// Executes a command and stores an idempotency record.
  ///
  /// One transaction writes the events of the command and the idempotency record.
  ///
  /// - Parameters:
  ///   - say: a closure that builds the response for the client. The arguments of the closure are
  ///     the reply and the state before the command.
  ///   - keep: a closure that builds the idempotency record from the response. If the closure
  ///     returns nil, the engine stores no idempotency record.
  /// - Throws: a refusal; see `EngineCore.handle`.
  public func execute<Answer: Sendable>(
    _ command: Command, by actor: Actor, answering say: @Sendable (Reply, HomeState) -> Answer,
    keeping keep: @Sendable (Answer) -> IdempotencyRecord?
  ) throws(Refusal) -> Answer {
    try execute({ _ throws(Refusal) in command }, by: actor, answering: say, keeping: keep)
  }

  /// Executes a command that `decide` chooses from the current state.
  ///
  /// Between the call of `decide` and the execution of the command, the engine processes no other
  /// input.
  public func execute<Answer: Sendable>(
    _ decide: @Sendable (HomeState) throws(Refusal) -> Command, by actor: Actor,
    answering say: @Sendable (Reply, HomeState) -> Answer,
    keeping keep: @Sendable (Answer) -> IdempotencyRecord?
  ) throws(Refusal) -> Answer {
    let command = try decide(core.home)
    var answer: Answer?
    try core.handle(.command(command, actor)) { reply, home in
      let said = say(reply, home)
      answer = said
      return keep(said)
    }
    guard let answer else {
      preconditionFailure("a command was carried out without a reply")
    }
    return answer
  }

  /// Records that the daemon is going to stop.
  public func stop(reason: String) { perform(.stopping(reason: reason)) }

  /// Reads the state without changing it.
  public func read<Answer: Sendable>(
    _ view: @Sendable (HomeState, _ isRecordWritable: Bool) -> Answer
  ) -> Answer {
    view(core.home, core.isRecordWritable)
  }

  /// Runs a closure while the engine processes no input.
  package func withExclusiveAccess<Answer: Sendable>(
    _ work: @Sendable () throws -> Answer
  ) rethrows -> Answer {
    try work()
  }

  private func perform(_ input: Input) {
    do {
      try core.handle(input)
    } catch {
      // The engine can refuse only a command, and this input is not a command.
      preconditionFailure("an event was refused: \(error)")
    }
  }
}

/// Runs the jobs of the engine actor on a separate dispatch queue.
private final class EngineExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "engine", qos: .userInteractive)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
