import Platform
import ServiceLifecycle
import Synchronization

/// Wakes readers that wait for new events in the record.
final class LogBroadcaster: Sendable {
  private struct State {
    var sequence: Int64 = 0
    var isClosed = false
    var number = 0
    var waiting: [Int: CheckedContinuation<Bool?, Never>] = [:]
  }

  /// The maximum time without data in a stream of events, in milliseconds.
  ///
  /// If a stream has no events for this time, the daemon sends a line without an event. If the
  /// client has ended, the daemon cannot send this line. If the daemon has ended, the client
  /// receives no line. Therefore, the daemon detects the end of the client, and the client detects
  /// the end of the daemon.
  private static let heartbeatMilliseconds = 15_000

  private let state = Mutex(State())

  /// Stores the sequence number of the newest event, and wakes all readers that wait for a new
  /// event.
  func post(_ sequence: Int64) {
    let waiting = state.withLock { state in
      state.sequence = max(state.sequence, sequence)
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for waiter in waiting { waiter.resume(returning: true) }
  }

  /// Wakes all waiting readers. After this call, `waitForEvents` returns nil at once.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for waiter in waiting { waiter.resume(returning: nil) }
  }

  /// Waits until the record has events after `sequence`.
  ///
  /// - Returns: true if the record has new events; false if the record got no event for 15 seconds
  ///   (`heartbeatMilliseconds`); nil if the broadcaster is closed or the Swift task is cancelled.
  func waitForEvents(after sequence: Int64) async -> Bool? {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let clock = Task {
      if await hasSlept(milliseconds: Self.heartbeatMilliseconds) { self.resume(number, false) }
    }
    defer { clock.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> Bool?? in
          if state.isClosed || Task.isCancelled { return .some(nil) }
          if state.sequence > sequence { return .some(true) }
          state.waiting[number] = continuation
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      resume(number, nil)
    }
  }

  private func resume(_ number: Int, _ answer: Bool?) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
  }
}

/// Ends the event streams before the HTTP server waits for the last requests.
struct EventStreamShutdown: Service {
  let broadcaster: LogBroadcaster

  func run() async throws {
    try? await gracefulShutdown()
    broadcaster.close()
  }
}
