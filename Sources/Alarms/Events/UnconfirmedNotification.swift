/// A pending notification about a missed prompt: the notification has begun, and its result is
/// unknown.
public struct UnconfirmedNotification: Hashable, Sendable {
  public var prompt: PromptID
  /// The index of the contact in the escalation, from 0.
  public var position: Int
  public var contact: String
  public var reason: NotifyReason
}

/// Finds the pending notifications about missed prompts in the newest events of the record.
///
/// The state of an open prompt contains its pending notifications. The state of a closed prompt
/// does not contain its pending notifications. If the daemon ended while it notified a contact
/// about a missed prompt, the restarted daemon can find this notification only in the events of the
/// record.
public struct UnconfirmedTally: Sendable {
  private var pending: [PromptID: [Int: UnconfirmedNotification]] = [:]
  private var missed: Set<PromptID> = []

  public init() {}

  /// Updates the pending notifications with the next event of the record.
  public mutating func apply(_ event: Event) {
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

  /// The notifications that the daemon must repeat, sorted by prompt and then by the index of the
  /// contact.
  public var unconfirmed: [UnconfirmedNotification] {
    missed.flatMap { pending[$0].map { Array($0.values) } ?? [] }
      .sorted { ($0.prompt, $0.position) < ($1.prompt, $1.position) }
  }

  private mutating func forget(_ id: PromptID) {
    pending[id] = nil
    missed.remove(id)
  }
}
