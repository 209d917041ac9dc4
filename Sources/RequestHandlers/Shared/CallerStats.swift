import API
import Alarms
import CivilTime
import JSONValue
import Synchronization

/// Statistics about the users who send requests.
///
/// For each user, the statistics contain the time of the last request and the number of open event
/// streams. The statistics also contain the time of the last answer of a patient.
///
/// The statistics are kept only in memory, so they are empty after a restart of the daemon.
final class CallerStats: Sendable {
  struct Caller: Sendable {
    var role: Role
    var lastSeen: Instant
    var streams = 0
  }

  private struct State {
    var callers: [String: Caller] = [:]
    var lastAnswer: Instant?
    /// True if the daemon has already searched the record for the last answer that a patient gave
    /// before the daemon started.
    ///
    /// The search takes long and may find no answer, so the daemon searches only once.
    var hasLookedBack = false
    var requests: [String: Int] = [:]
    var refused: [Int: Int] = [:]
  }

  /// The maximum number of users in the statistics. No real home has more than 64 users.
  ///
  /// If the statistics are full, a new user replaces the user whose last request is the oldest. A
  /// user with an open event stream is never replaced.
  static let callersLimit = 64

  private let state = Mutex(State())

  func saw(_ actor: Actor, at now: Instant) {
    state.withLock { state in
      if state.callers[actor.id] == nil, state.callers.count >= Self.callersLimit,
        let oldest = state.callers.filter({ $0.value.streams == 0 })
          .min(by: { $0.value.lastSeen < $1.value.lastSeen })?.key
      {
        state.callers[oldest] = nil
      }
      state.callers[actor.id, default: Caller(role: actor.role, lastSeen: now)].lastSeen = now
    }
  }

  func attached(_ actor: Actor, by change: Int) {
    state.withLock { $0.callers[actor.id]?.streams += change }
  }

  func answered(at now: Instant) { state.withLock { $0.lastAnswer = now } }

  /// True if the daemon must still search the record for the last answer of a patient.
  var mustLookBack: Bool { state.withLock { !$0.hasLookedBack && $0.lastAnswer == nil } }

  /// Stores the result of the search. The result is the instant at which a patient last answered,
  /// or nil if no patient has ever answered.
  func lookedBack(_ answer: Instant?) {
    state.withLock { state in
      state.hasLookedBack = true
      state.lastAnswer = state.lastAnswer ?? answer
    }
  }

  func count(_ operation: Route.Operation, _ status: Int) {
    state.withLock {
      $0.requests[operation.rawValue, default: 0] += 1
      if status >= 400 { $0.refused[status, default: 0] += 1 }
    }
  }

  var callers: [(id: String, caller: Caller)] {
    state.withLock { $0.callers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }
  var lastAnswer: Instant? { state.withLock { $0.lastAnswer } }
  var requests: [(String, Int)] {
    state.withLock { $0.requests.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }
  var refused: [(Int, Int)] {
    state.withLock { $0.refused.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }
}

extension JSON {
  static func callerStats(_ stats: CallerStats, device: Instant) -> JSON {
    .object([
      ("device_seen_utc", .string(device.description)),
      ("patient_answered_utc", .optional(stats.lastAnswer?.description)),
      (
        "callers",
        .array(
          stats.callers.map { id, caller in
            .object([
              ("id", .string(id)), ("role", .string(caller.role.rawValue)),
              ("seen_utc", .string(caller.lastSeen.description)),
              ("watching", .bool(caller.streams > 0)),
            ])
          })
      ),
    ])
  }
}
