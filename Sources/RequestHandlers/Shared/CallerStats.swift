import API
import Alarms
import CivilTime
import JSONValue
import Synchronization

/// Who has been here: when each user last asked for something, how many streams of events each has
/// open, and when the patient last answered. In memory: after a restart it begins anew.
final class CallerStats: Sendable {
  struct Caller: Sendable {
    var role: Role
    var lastSeen: Instant
    var streams = 0
  }

  private struct State {
    var callers: [String: Caller] = [:]
    var lastAnswer: Instant?
    /// Whether the record was asked for an answer from before this start; it is long, and may hold none.
    var hasLookedBack = false
    var requests: [String: Int] = [:]
    var refused: [Int: Int] = [:]
  }

  /// More users than that no home has; the one that was seen first gives way.
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

  /// Whether the record is yet to be asked when the patient last answered.
  var mustLookBack: Bool { state.withLock { !$0.hasLookedBack && $0.lastAnswer == nil } }

  /// What the record said: nil where nobody ever answered.
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
  static func presence(_ presence: CallerStats, device: Instant) -> JSON {
    .object([
      ("device_seen_utc", .string(device.description)),
      ("patient_answered_utc", .optional(presence.lastAnswer?.description)),
      (
        "callers",
        .array(
          presence.callers.map { id, caller in
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
