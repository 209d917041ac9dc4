import API
import CivilTime
import JSONValue

/// Brings what waits in an outbox to its homes, each home's changes in their order.
package struct OutboxDelivery {
  package let outbox: Outbox
  package let now: () -> Instant

  package init(outbox: Outbox, now: @escaping () -> Instant) {
    self.outbox = outbox
    self.now = now
  }

  /// What became of a change.
  package enum Result {
    case delivered(QueuedChange, HTTPReply)
    case refused(QueuedChange)
    case expired(QueuedChange)
    /// Still there: its home cannot be reached, or cannot take it now.
    case waiting(QueuedChange)
  }

  /// Tries everything that waits, once.
  ///
  /// A change leaves the outbox only after its home has said that it is done. Sent twice because an
  /// answer was lost, it takes effect once: both carry the same Idempotency-Key. A refused one is kept,
  /// to be seen, and does not hold up those behind it; an unreachable home holds up its own only.
  package func deliver() throws -> [Result] {
    try outbox.whileDelivering {
      /// The homes that did not answer, and why.
      var silent: [HomeAddress: String] = [:]
      return try outbox.changes().filter { $0.state == .waiting }.map { change in
        // Asked anew for each: the one before may have taken its time.
        if let end = change.expiresAt, now() >= end { return try expire(change) }
        if let why = silent[change.address] {
          var change = change
          change.reason = why
          return .waiting(change)
        }
        if let sentAt = change.sentAt, now() >= sentAt.adding(seconds: Self.rememberedSeconds) {
          return try forget(change, sentAt)
        }
        let result = try ask(change.address, before: change) ?? send(change)
        if case .waiting(let change) = result { silent[change.address] = change.reason }
        return result
      }
    }
  }

  /// A home remembers for seven days which changes it was sent (`IdempotencyRecord.keptMilliseconds`).
  private static let rememberedSeconds: Int64 = 6 * 86_400

  /// Asks for nothing but an answer, so that of a change that is then sent it is known whether it can
  /// have arrived.
  ///
  /// - Returns: nil where the home is there.
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
      // Too many at once, or a home that cannot write just now, is no answer to the change itself.
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

  /// Sent so long ago that a home that did it would do it again.
  private func forget(_ change: QueuedChange, _ sentAt: Instant) throws -> Result {
    var change = change
    change.state = .refused
    change.reason =
      "it was sent \(TextFormat.distance(sentAt.description, from: now())) and never answered; look whether "
      + "it was done, and then drop it or do it anew"
    try outbox.update(change)
    return .refused(change)
  }

  private func expire(_ change: QueuedChange) throws -> Result {
    var change = change
    change.state = .expired
    change.reason =
      change.sentAt == nil
      ? "its time was over" : "its time was over; it was sent, and whether it arrived is not known"
    try outbox.update(change)
    return .expired(change)
  }
}

extension HTTPReply {
  /// Whether the home says that it is at this very change already.
  fileprivate var isUnderWay: Bool {
    status == 409 && (try? document())?["field"]?.string == "Idempotency-Key"
  }
}
