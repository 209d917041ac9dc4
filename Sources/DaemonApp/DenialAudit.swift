import Engine
import Logging
import Platform
import RequestHandlers
import ServiceLifecycle

/// Records refused requests. For each user, the service records the first refused request at once.
/// During the next 15 minutes (`DenialLog.windowSeconds`), the service only counts the refused
/// requests of this user. After the 15 minutes, the service records these requests together in one
/// event.
struct DenialAudit: Service {
  let engine: EngineActor
  let logger: Logger
  private let log = DenialLog()
  private let denials: AsyncStream<Denials>
  private let noter: AsyncStream<Denials>.Continuation

  init(engine: EngineActor, logger: Logger) {
    self.engine = engine
    self.logger = logger
    (denials, noter) = AsyncStream.makeStream(of: Denials.self)
  }

  /// Counts a refused request, and returns at once. If the request starts a counting period of its
  /// user, the function also puts the request into a queue. The service records the requests in
  /// this queue.
  func note(uid: UInt32, method: String, path: String) {
    guard let first = log.note(uid: uid, method: method, path: path) else { return }
    logger.warning("denied \(method) \(path) to uid \(uid)")
    noter.yield(first)
  }

  func run() async throws {
    await withTaskGroup(of: Void.self) { windows in
      for await denials in denials.cancelOnGracefulShutdown() {
        await record(denials)
        let uid = denials.uid
        windows.addTask {
          // If the daemon is shutting down, this wait ends early.
          guard await hasSlept(milliseconds: DenialLog.windowSeconds * 1_000) else { return }
          if let rest = log.close(uid: uid) { await record(rest) }
        }
      }
      windows.cancelAll()
    }
    for rest in log.closeAll() { await record(rest) }
  }

  private func record(_ denials: Denials) async {
    do {
      try await engine.record(denials)
    } catch {
      logger.error(
        "cannot record \(denials.count) refused requests of uid \(denials.uid): \(error)")
    }
  }
}
