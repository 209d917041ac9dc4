import CivilTime
import Wire

/// Brings what waits in an outbox to its homes, each home's changes in their order.
struct Delivery {
  let outbox: Outbox
  let now: () -> Instant

  /// What became of a change.
  enum Result {
    case delivered(QueuedChange, Reply)
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
  func deliver() throws -> [Result] {
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
        let result = try send(change)
        if case .waiting(let change) = result { silent[change.address] = change.reason }
        return result
      }
    }
  }

  private func send(_ change: QueuedChange) throws -> Result {
    var change = change
    let reply: Reply
    do {
      reply = try Client(address: change.address).exchange(change.request)
    } catch Failure.unreachable(let why) {
      return try wait(&change, why)
    }
    do throws(Failure) {
      _ = try reply.accepted()
    } catch {
      // Too many at once, or a home that cannot write just now, is no answer to the change itself.
      if reply.status == 429 || reply.status >= 500 { return try wait(&change, error.sentence) }
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

  private func expire(_ change: QueuedChange) throws -> Result {
    var change = change
    change.state = .expired
    if change.tries > 0 {
      let tried = Words.counted(change.tries, "try", "tries")
      change.reason = "its time was over after \(tried): \(change.reason ?? "no answer")"
    } else {
      change.reason = "its time was over"
    }
    try outbox.update(change)
    return .expired(change)
  }
}
