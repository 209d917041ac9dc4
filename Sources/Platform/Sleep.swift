import Dispatch
import Synchronization

/// Waits, without the once-a-second wake-ups that Swift's own sleep leaves behind: see CThreads.
///
/// The time for which the device is suspended does not count.
///
/// - Returns: false where the task was cancelled meanwhile.
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

/// A serial queue: its threads are none that libdispatch looks after.
private let timers = DispatchQueue(label: "sleepers")

/// Somebody who is woken once: by the time or by cancellation, whichever comes first.
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
