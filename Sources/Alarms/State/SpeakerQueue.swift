import CivilTime

/// The due prompts that wait for the speaker, in the order in which they ring.
///
/// Urgent prompts ring before prompts that are not urgent. In each of these two groups, the prompt
/// that has waited longest rings first.
///
/// The queue keeps its entries in three heaps. If a prompt leaves the queue, its entries are
/// outdated. As in `DueQueue`, an outdated entry is removed only when this entry is the first entry
/// of its heap. The queue does not detect an outdated entry, so the caller must check each entry.
struct SpeakerQueue: Sendable {
  enum Order: CaseIterable { case urgent, others, limits }

  private(set) var members: Set<PromptID> = []
  /// The entries of urgent prompts, ordered by the instant at which each prompt began to wait.
  /// `others` contains the entries of all prompts that are not urgent, in the same order.
  private var urgent = Heap<DueQueue.Item>()
  private var others = Heap<DueQueue.Item>()
  /// The entries of all prompts in the queue, urgent or not, ordered by the end of the late window
  /// of each prompt.
  private var limits = Heap<DueQueue.Item>()

  var isEmpty: Bool { members.isEmpty }

  func contains(_ id: PromptID) -> Bool { members.contains(id) }

  /// The prompts that have an entry in the heap `urgent` or in the heap `others`. If a prompt
  /// leaves the queue, its entry in the heap can remain.
  var placed: Set<PromptID> { Set((urgent.all + others.all).map(\.prompt)) }

  mutating func leave(_ id: PromptID) { members.remove(id) }

  /// Adds a prompt to the queue.
  ///
  /// - Parameters:
  ///   - since: the instant at which the ring was due. The queue keeps the urgent prompts and the
  ///     other prompts in two separate heaps, and sorts both heaps by this instant.
  ///   - limit: the end of the late window of the prompt.
  mutating func join(_ id: PromptID, since: Instant, isUrgent: Bool, limit: Instant) {
    members.insert(id)
    let item = DueQueue.Item(at: since, prompt: id)
    if isUrgent { urgent.insert(item) } else { others.insert(item) }
    limits.insert(DueQueue.Item(at: limit, prompt: id))
  }

  /// The earliest instant at which a prompt in the queue began to wait.
  var longestSince: Instant? {
    switch (urgent.first?.at, others.first?.at) {
    case (let a?, let b?): min(a, b)
    case (let a, let b): a ?? b
    }
  }

  /// All entries in order, including outdated entries. A prompt can have two entries, because a
  /// prompt can leave the queue and join the queue again.
  var places: some Sequence<DueQueue.Item> { [urgent, others].lazy.flatMap { $0.walk() } }

  /// Returns the entries of prompts whose late window ended before `wall`, earliest end first.
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
