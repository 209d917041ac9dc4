import API
import CivilTime
import JSONValue

/// Delivers the changes of an outbox to their homes. Each home receives its changes in the order in
/// which the user made them.
package struct OutboxDelivery {
  package let outbox: Outbox
  package let now: () -> Instant

  package init(outbox: Outbox, now: @escaping () -> Instant) {
    self.outbox = outbox
    self.now = now
  }

  /// The result of the delivery of one change.
  package enum Result {
    case delivered(QueuedChange, HTTPReply)
    case refused(QueuedChange)
    case expired(QueuedChange)
    /// The change is still in the outbox, because its home cannot be reached or cannot accept the
    /// change now.
    case waiting(QueuedChange)
  }

  /// Tries to deliver each waiting change once.
  ///
  /// The outbox keeps each change until the home has confirmed this change. If a reply is lost and
  /// the change is sent twice, the change takes effect only once, because both requests contain the
  /// same Idempotency-Key. A refused change stays in the outbox, so that the user sees it. The
  /// delivery of later changes continues. If a home cannot be reached, only the changes for this
  /// home wait.
  package func deliver() throws -> [Result] {
    try outbox.whileDelivering {
      // The homes that did not reply, each with the reason.
      var unreachable: [HomeAddress: String] = [:]
      return try outbox.changes().filter { $0.state == .waiting }.map { change in
        // Read the time for each change, because the delivery of the previous change can take a
        // long time.
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

  /// The period after the first attempt to send a change, in seconds. During this period, the
  /// command line can send the change again.
  ///
  /// This period must be shorter than the seven days for which a home keeps idempotency records
  /// (`IdempotencyRecord.keptMilliseconds`).
  private static let rememberedSeconds: Int64 = 6 * 86_400

  /// Checks that the home replies. The delivery calls this function before it sends a change.
  ///
  /// If the check fails, the delivery does not send the change. Therefore, it is certain that the
  /// change has not reached the home.
  ///
  /// - Returns: nil if the home replies; otherwise the result for the waiting change.
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
      // Three kinds of replies mean that the home is busy or cannot write: the status 429, a status
      // of 500 or more, and "request in progress". After these replies, the change is not refused
      // and waits.
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

  /// Marks a change as refused if the home has neither accepted nor refused it within
  /// `rememberedSeconds` after the first attempt. It is possible that the home has already deleted
  /// the idempotency record of the change. Without the idempotency record, the home could apply the
  /// change twice.
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
  /// True if the home is processing the same change at this moment.
  fileprivate var isUnderWay: Bool {
    status == 409 && (try? document())?["field"]?.string == "Idempotency-Key"
  }
}
