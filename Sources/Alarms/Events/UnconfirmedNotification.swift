/// A telling of which the record does not know how it went, of a prompt that has ended as missed.
public struct UnconfirmedNotification: Hashable, Sendable {
  public var prompt: PromptID
  /// The person's place in the chain, from 0.
  public var position: Int
  public var contact: String
  public var reason: NotifyReason
}

/// Adds up from the newest events who was being told of what was missed.
///
/// Of an open prompt that is in its state. What has ended has none that anything could still happen to, and
/// whoever was being told of it while a daemon was killed is found by what was recorded alone.
public struct UnconfirmedTally: Sendable {
  private var pending: [PromptID: [Int: UnconfirmedNotification]] = [:]
  private var missed: Set<PromptID> = []

  public init() {}

  /// Adds the next event of the record.
  public mutating func take(_ event: Event) {
    switch event {
    case .escalated(let id, let position, let contact, let reason):
      pending[id, default: [:]][position] = UnconfirmedNotification(
        prompt: id, position: position, contact: contact, reason: reason)
      if reason.isOutcome { missed.insert(id) }
    case .notified(let id, let position, _, _),
      .notificationFailed(let id, let position, _, _, true, _):
      pending[id]?[position] = nil
      if pending[id]?.isEmpty == true { forget(id) }
    case .closed(let id, let outcome, _, _) where outcome.kind == .missed:
      if pending[id] != nil { missed.insert(id) }
    case .closed(let id, _, _, _), .acknowledged(let id, _, _), .delayed(let id, _, _): forget(id)
    case .planned(let prompt): forget(prompt.id)
    default: break
    }
  }

  /// Who is to be told again, in order.
  public var unconfirmed: [UnconfirmedNotification] {
    missed.flatMap { pending[$0].map { Array($0.values) } ?? [] }
      .sorted { ($0.prompt, $0.position) < ($1.prompt, $1.position) }
  }

  private mutating func forget(_ id: PromptID) {
    pending[id] = nil
    missed.remove(id)
  }
}
