import Dispatch
import Synchronization

/// Waits for a duration. This function replaces the sleep function of Swift, which wakes the
/// process each second (see the comments of the module CThreads).
///
/// The time in which the device sleeps does not count. If the device sleeps during the wait, the
/// wait ends later.
///
/// - Returns: false if the Swift task was cancelled before the end.
public func hasSlept(milliseconds: Int) async -> Bool {
  let sleeper = Sleeper()
  return await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      sleeper.begin(continuation)
      timers.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { sleeper.end(true) }
    }
  } onCancel: {
    sleeper.end(false)
  }
}

/// The queue for the timers. A global queue of Dispatch would use the thread pool, which wakes the
/// process regularly for its own checks. A private serial queue does not use the thread pool.
private let timers = DispatchQueue(label: "sleepers")

/// A waiting Swift task. Either the timer or a cancellation resumes the task, exactly once.
private final class Sleeper: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Bool, Never>?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func begin(_ continuation: CheckedContinuation<Bool, Never>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(returning: false) }
  }

  func end(_ answer: Bool) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      if !answer { state.isCancelled = true }
      return state.continuation
    }
    continuation?.resume(returning: answer)
  }
}
