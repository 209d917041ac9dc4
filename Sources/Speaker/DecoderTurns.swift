import Synchronization

/// Lets two decoders run at a time in the whole process: each may use 128 MiB and a processor, and
/// rings come first. The others wait in the order they came.
package final class DecoderTurns: Sendable {
  package static let shared = DecoderTurns()
  static let most = 2

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Returns when it is the caller's turn; `giveBack` must follow.
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

  /// Hands the turn to the one who has waited longest.
  package func reclaimSpace() {
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
