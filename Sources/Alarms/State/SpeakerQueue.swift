import CivilTime

/// Prompts that are due and wait for the voice, in the order in which they get it: what is urgent first,
/// and then whoever has waited longest.
///
/// Of a crowd only the head is looked at. Like `DueQueue` it keeps what is no longer true until that comes
/// to the top; whoever looks asks whether a place is still held.
struct SpeakerQueue: Sendable {
  enum Order: CaseIterable { case urgent, others, limits }

  private(set) var members: Set<PromptID> = []
  /// By since when each waits.
  private var urgent = Heap<DueQueue.Item>()
  private var others = Heap<DueQueue.Item>()
  /// By when each has waited too long.
  private var limits = Heap<DueQueue.Item>()

  var isEmpty: Bool { members.isEmpty }

  func contains(_ id: PromptID) -> Bool { members.contains(id) }

  /// Everybody who has a place, and some who have left.
  var placed: Set<PromptID> { Set((urgent.all + others.all).map(\.prompt)) }

  mutating func leave(_ id: PromptID) { members.remove(id) }

  /// - Parameters:
  ///   - since: when its ring was to come.
  ///   - limit: after when it has waited too long.
  mutating func join(_ id: PromptID, since: Instant, isUrgent: Bool, limit: Instant) {
    members.insert(id)
    let item = DueQueue.Item(at: since, prompt: id)
    if isUrgent { urgent.insert(item) } else { others.insert(item) }
    limits.insert(DueQueue.Item(at: limit, prompt: id))
  }

  /// Since when the one has been waiting that has waited longest.
  var longestSince: Instant? {
    switch (urgent.first?.at, others.first?.at) {
    case (let a?, let b?): min(a, b)
    case (let a, let b): a ?? b
    }
  }

  /// Everybody in order. One that has left may be among them, and one that came again may come twice.
  var places: some Sequence<DueQueue.Item> { [urgent, others].lazy.flatMap { $0.walk() } }

  /// Those that may have waited too long at `wall`, in the order in which they did.
  func overdue(at wall: Instant) -> some Sequence<DueQueue.Item> {
    limits.walk().lazy.prefix { $0.at < wall }
  }

  func first(_ order: Order) -> DueQueue.Item? {
    switch order {
    case .urgent: urgent.first
    case .others: others.first
    case .limits: limits.first
    }
  }

  package mutating func removeFirst(_ order: Order) {
    switch order {
    case .urgent: urgent.removeFirst()
    case .others: others.removeFirst()
    case .limits: limits.removeFirst()
    }
  }
}
