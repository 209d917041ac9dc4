import CivilTime

/// Due prompts that wait for the speaker, in the order in which they ring.
///
/// Urgent prompts are first, then the prompt that has waited longest. Only the head is examined,
/// however many prompts wait. As in `DueQueue`, an outdated entry stays until it reaches the top.
/// The caller checks whether an entry is current.
struct SpeakerQueue: Sendable {
  enum Order: CaseIterable { case urgent, others, limits }

  private(set) var members: Set<PromptID> = []
  /// Entries by the instant since which the prompt waits.
  private var urgent = Heap<DueQueue.Item>()
  private var others = Heap<DueQueue.Item>()
  /// Entries by the instant after which the prompt has waited too long.
  private var limits = Heap<DueQueue.Item>()

  var isEmpty: Bool { members.isEmpty }

  func contains(_ id: PromptID) -> Bool { members.contains(id) }

  /// Prompts that have an entry. Some of them have left the queue.
  var placed: Set<PromptID> { Set((urgent.all + others.all).map(\.prompt)) }

  mutating func leave(_ id: PromptID) { members.remove(id) }

  /// - Parameters:
  ///   - since: when its ring was due.
  ///   - limit: instant after which it has waited too long.
  mutating func join(_ id: PromptID, since: Instant, isUrgent: Bool, limit: Instant) {
    members.insert(id)
    let item = DueQueue.Item(at: since, prompt: id)
    if isUrgent { urgent.insert(item) } else { others.insert(item) }
    limits.insert(DueQueue.Item(at: limit, prompt: id))
  }

  /// Instant since which the first prompt has been waiting.
  var longestSince: Instant? {
    switch (urgent.first?.at, others.first?.at) {
    case (let a?, let b?): min(a, b)
    case (let a, let b): a ?? b
    }
  }

  /// All entries in order. A prompt that left may be among them, and one that came back may occur
  /// twice.
  var places: some Sequence<DueQueue.Item> { [urgent, others].lazy.flatMap { $0.walk() } }

  /// Entries that may have waited too long at `wall`, in the order of their limits.
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
