/// A telling of which the record does not know how it went, of a prompt that has ended as missed.
public struct Untold: Hashable, Sendable {
  public var prompt: PromptID
  /// The person's place in the chain, from 0.
  public var grade: Int
  public var contact: String
  public var reason: TellReason
}

/// Adds up from the newest events who was being told of what was missed.
///
/// Of an open prompt that is in its state. What has ended has none that anything could still happen to, and
/// whoever was being told of it while a daemon was killed is found by what was recorded alone.
public struct UntoldTally: Sendable {
  private var pending: [PromptID: [Int: Untold]] = [:]
  private var missed: Set<PromptID> = []

  public init() {}

  /// Adds the next event of the record.
  public mutating func take(_ event: Event) {
    switch event {
    case .escalated(let id, let grade, let contact, let reason):
      pending[id, default: [:]][grade] = Untold(
        prompt: id, grade: grade, contact: contact, reason: reason)
      if reason.isOutcome { missed.insert(id) }
    case .told(let id, let grade, _, _), .tellingFailed(let id, let grade, _, _, true, _):
      pending[id]?[grade] = nil
      if pending[id]?.isEmpty == true { forget(id) }
    case .closed(let id, let outcome, _, _) where outcome.kind == .missed:
      if pending[id] != nil { missed.insert(id) }
    case .closed(let id, _, _, _), .acknowledged(let id, _, _), .delayed(let id, _, _): forget(id)
    case .planned(let prompt): forget(prompt.id)
    default: break
    }
  }

  /// Who is to be told again, in order.
  public var untold: [Untold] {
    missed.flatMap { pending[$0].map { Array($0.values) } ?? [] }
      .sorted { ($0.prompt, $0.grade) < ($1.prompt, $1.grade) }
  }

  private mutating func forget(_ id: PromptID) {
    pending[id] = nil
    missed.remove(id)
  }
}
