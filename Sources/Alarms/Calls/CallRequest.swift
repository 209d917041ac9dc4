import CivilTime

/// A change of a call. Each change is an event.
///
/// A call is a request of a person: the person asks that a contact calls back. A call is not an
/// emergency call.
public enum CallChange: Hashable, Sendable {
  /// The person asked for a call. After the result is known, an announcement with the id `reply`
  /// tells the person the result.
  case asked(reply: AlarmID)
  /// The person asked again, but the daemon does not notify a contact again. The reason is one of
  /// two: the result of the call is not known yet, or a contact was notified and the first request
  /// is less than 5 minutes old.
  case repeated
  /// The command of this contact succeeded.
  case told(contact: String)
  /// No contact was notified of the call.
  case failed(CallFailure)

  /// The event type that the codebook lists, for example `call_asked`.
  public var type: String {
    switch self {
    case .asked: "call_asked"
    case .repeated: "call_repeated"
    case .told: "call_told"
    case .failed: "call_failed"
    }
  }
}

/// The reason why no contact was notified of a call. The list of reasons is fixed.
public enum CallFailure: String, Sendable, CaseIterable {
  /// The configuration contains no contact with `calls = true`.
  case noContact = "no_contact"
  /// The command of each contact failed, or the call waited too long.
  case notReached = "not_reached"
}

/// The newest call of one person.
public struct CallRequest: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// The daemon has begun to notify a contact. The result of the call is not known yet.
    case waiting
    case told(contact: String)
    case failed(CallFailure)
  }

  /// The number of the call. No two calls of a home have the same number.
  public var number: Int64
  public var person: PersonID
  public var askedAt: Instant
  /// The id of the announcement that tells the person the result.
  var reply: AlarmID
  public var state: State
}

/// The newest call of each person.
///
/// The daemon computes a `CallBook` only from events, as a part of the `NoticeBook`.
public struct CallBook: Hashable, Sendable {
  public private(set) var newest: [PersonID: CallRequest] = [:]
  private(set) var lastNumber: Int64 = 0

  /// The types of all events about calls, as the codebook lists these types.
  static let eventTypes: Set<String> = ["call_asked", "call_repeated", "call_told", "call_failed"]

  /// Returns the newest call of a person if the result of this call is not known yet; otherwise
  /// nil.
  func waiting(of person: PersonID) -> CallRequest? {
    newest[person].flatMap { $0.state == .waiting ? $0 : nil }
  }

  mutating func apply(
    _ change: CallChange, of person: PersonID, number: Int64, at wall: Instant
  ) {
    lastNumber = max(lastNumber, number)
    switch change {
    case .asked(let reply):
      newest[person] = CallRequest(
        number: number, person: person, askedAt: wall, reply: reply, state: .waiting)
    case .repeated: break
    case .told(let contact): end(number, of: person, .told(contact: contact))
    case .failed(let failure): end(number, of: person, .failed(failure))
    }
  }

  private mutating func end(_ number: Int64, of person: PersonID, _ state: CallRequest.State) {
    if newest[person]?.number == number { newest[person]?.state = state }
  }

  mutating func forget(_ person: PersonID) { newest[person] = nil }

  mutating func shift(by milliseconds: Int64) {
    for (person, call) in newest {
      newest[person]?.askedAt = call.askedAt.adding(milliseconds: milliseconds)
    }
  }
}
