import Synchronization

/// Allows at most two decoders at a time in the whole process. Further decoders wait in a queue
/// (first in, first out).
///
/// Each decoder can use up to 128 MiB of memory and one processor core. Because at most two
/// decoders run, enough memory and processor time remain free for rings.
package final class DecoderTurns: Sendable {
  package static let shared = DecoderTurns()
  static let most = 2

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until a decoder may run. After the decoder has ended, the caller must call `giveBack`.
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

  /// Ends the turn of a caller whose decoder has ended. If other callers wait, the caller that has
  /// waited for the longest time may now run its decoder.
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
