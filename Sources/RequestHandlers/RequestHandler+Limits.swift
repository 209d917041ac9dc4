import API
import Alarms
import CivilTime
import Engine
import Synchronization

// Limits how often a client can send the same kind of request for one prompt. Each of these
// requests adds a row to the record, so a client without a limit could fill the record. The limits
// do not apply to an answer that ends the rings, such as "done".
extension RequestHandler {
  /// The maximum number of acknowledgements of one prompt. This number is also the maximum number
  /// of undos for one prompt.
  static let mostRepeats = 20

  /// Refuses a request if the prompt has already received the maximum number of requests of this
  /// kind.
  ///
  /// - Parameter type: the type of the event that the daemon records for a request of this kind.
  func refuseRepeated(_ id: PromptID, _ type: String) async throws {
    let count = try archive.history(id).count { $0.event.type == type }
    guard count >= Self.mostRepeats else { return }
    throw Refusal(
      .limit,
      type == "correction"
        ? "cannot undo: answers to this prompt were undone \(Self.mostRepeats) times, which is the "
          + "limit; answer it again, or ask a caretaker"
        : "cannot acknowledge: this prompt was acknowledged \(Self.mostRepeats) times, which is the "
          + "limit; complete, delay or decline it")
  }

  func refuseRepeatedUndo(_ id: PromptID?, _ request: APIRequest) async throws {
    let now = ports.now().wall
    let only = request.only
    let named = await engine.read { home, _ in id ?? home.undoable(at: now, of: only)?.id }
    if let named { try await refuseRepeated(named, "correction") }
  }
}

/// A rate limit per user for requests that add a row to the record.
final class Rate: Sendable {
  private let most: Int
  private let windowNanoseconds: Int64
  private let asked: Mutex<[String: [Int64]]> = Mutex([:])

  /// Creates a rate limit.
  ///
  /// - Parameters:
  ///   - most: the maximum number of requests of one user in a time window.
  ///   - windowSeconds: the length of the time window.
  init(most: Int, windowSeconds: Int64) {
    self.most = most
    windowNanoseconds = windowSeconds * 1_000_000_000
  }

  /// Counts a request of a user if the rate limit permits the request.
  ///
  /// - Parameter bootNanoseconds: the present boot time.
  /// - Returns: false if the user has already made the maximum number of requests in the time
  ///   window. In this case, the function does not count the request.
  func takes(_ user: String, at bootNanoseconds: Int64) -> Bool {
    asked.withLock { asked in
      let since = bootNanoseconds - windowNanoseconds
      asked = asked.compactMapValues { times in
        let recent = times.filter { $0 > since }
        return recent.isEmpty ? nil : recent
      }
      guard asked[user, default: []].count < most else { return false }
      asked[user, default: []].append(bootNanoseconds)
      return true
    }
  }
}
