import API
import CivilTime
import JSONValue

/// Delivers the changes of an outbox to their homes, for each home in order.
package struct OutboxDelivery {
  package let outbox: Outbox
  package let now: () -> Instant

  package init(outbox: Outbox, now: @escaping () -> Instant) {
    self.outbox = outbox
    self.now = now
  }

  /// The result for one change.
  package enum Result {
    case delivered(QueuedChange, HTTPReply)
    case refused(QueuedChange)
    case expired(QueuedChange)
    /// Still in the outbox: its home cannot be reached, or cannot accept it now.
    case waiting(QueuedChange)
  }

  /// Tries each waiting change once.
  ///
  /// A change leaves the outbox only after its home has confirmed it. If an answer is lost and the
  /// change is sent twice, it takes effect once: both requests have the same Idempotency-Key. A
  /// refused change is kept, so that the user sees it, and does not delay the changes after it. An
  /// unreachable home delays only its own changes.
  package func deliver() throws -> [Result] {
    try outbox.whileDelivering {
      // The homes that did not answer, and why.
      var unreachable: [HomeAddress: String] = [:]
      return try outbox.changes().filter { $0.state == .waiting }.map { change in
        // The time is read for each change: the change before it may have taken long.
        if let end = change.expiresAt, now() >= end { return try expire(change) }
        if let why = unreachable[change.address] {
          var change = change
          change.reason = why
          return .waiting(change)
        }
        if let sentAt = change.sentAt, now() >= sentAt.adding(seconds: Self.rememberedSeconds) {
          return try forget(change, sentAt)
        }
        let result = try ask(change.address, before: change) ?? send(change)
        if case .waiting(let change) = result { unreachable[change.address] = change.reason }
        return result
      }
    }
  }

  /// Time after which a change is not sent again, in seconds.
  ///
  /// A home keeps idempotency records for seven days (`IdempotencyRecord.keptMilliseconds`).
  private static let rememberedSeconds: Int64 = 6 * 86_400

  /// Checks that the home answers before a change is sent.
  ///
  /// So it is known for each change whether it can have arrived.
  ///
  /// - Returns: nil if the home answers.
  private func ask(_ address: HomeAddress, before change: QueuedChange) throws -> Result? {
    do {
      _ = try Client(address: address).exchange(Request(.status))
      return nil
    } catch Failure.unreachable(let why) {
      var change = change
      return try wait(&change, why)
    }
  }

  private func send(_ change: QueuedChange) throws -> Result {
    var change = change
    if change.sentAt == nil {
      change.sentAt = now()
      try outbox.update(change)
    }
    let reply: HTTPReply
    do {
      reply = try Client(address: change.address).exchange(change.request)
    } catch Failure.unreachable(let why) {
      return try wait(&change, why)
    }
    do throws(Failure) {
      _ = try reply.accepted()
    } catch {
      // These statuses say that the home is busy or cannot write; they do not refuse the change.
      if reply.status == 429 || reply.status >= 500 || reply.isUnderWay {
        return try wait(&change, error.sentence)
      }
      change.state = .refused
      change.reason = error.sentence
      try outbox.update(change)
      return .refused(change)
    }
    try outbox.remove(change.number)
    return .delivered(change, reply)
  }

  private func wait(_ change: inout QueuedChange, _ why: String) throws -> Result {
    change.tries += 1
    change.reason = why
    try outbox.update(change)
    return .waiting(change)
  }

  /// Refuses a change that was sent so long ago that the home could apply it a second time.
  private func forget(_ change: QueuedChange, _ sentAt: Instant) throws -> Result {
    var change = change
    change.state = .refused
    change.reason =
      "it was sent \(TextFormat.distance(sentAt.description, from: now())) and got no answer; "
      + "check whether it took effect, then drop it or make the change again"
    try outbox.update(change)
    return .refused(change)
  }

  private func expire(_ change: QueuedChange) throws -> Result {
    var change = change
    change.state = .expired
    change.reason =
      change.sentAt == nil
      ? "it was not delivered in time"
      : "it was sent in time, but it is not known whether it arrived"
    try outbox.update(change)
    return .expired(change)
  }
}

extension HTTPReply {
  /// Whether the home is processing this change now.
  fileprivate var isUnderWay: Bool {
    status == 409 && (try? document())?["field"]?.string == "Idempotency-Key"
  }
}
