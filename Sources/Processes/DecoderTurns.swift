import Synchronization

/// Allows two decoders at a time in the whole process. Further decoders wait, and the first to wait
/// is the first to run.
///
/// Each decoder may use 128 MiB and one processor core, and rings have priority.
package final class DecoderTurns: Sendable {
  package static let shared = DecoderTurns()
  static let most = 2

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until a decoder may run. The caller must call `giveBack` after the run.
  package func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.running < Self.most {
          state.running += 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Ends a run. The caller that has waited longest may run its decoder.
  package func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
