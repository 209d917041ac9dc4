import Alarms
import CivilTime

/// What could not be written yet, in order, and what it made of everything that it touched.
struct Backlog: Sendable {
  /// About two weeks of an ordinary home.
  static let limit = 20_000

  private(set) var records: [Record] = []
  var changes = StateDelta()
  /// When the record fell silent; nil as long as it can be written.
  var since: ClockReading?
  private(set) var dropped = 0

  mutating func append(_ new: [Record]) { records += new }

  /// Takes back the newest, whose sender was told that nothing was changed.
  mutating func removeLast(_ count: Int) { records.removeLast(count) }

  mutating func clear() {
    records = []
    changes = StateDelta()
  }

  /// Forgets what can be spared once there is too much: first what changes nothing, such as
  /// heartbeats, then the oldest prompts that came and went meanwhile, each with all its events.
  ///
  /// Never one event of several: what is left must add up to the same state. That there is a hole is
  /// recorded as a gap.
  mutating func shrink() {
    guard records.count > Self.limit else { return }
    let before = records.count
    records.removeAll { !$0.event.changesState }
    forgetFinishedPrompts(downTo: Self.limit / 10 * 9)
    dropped += before - records.count
  }

  private mutating func forgetFinishedPrompts(downTo wanted: Int) {
    var counts: [PromptID: Int] = [:]
    var begun: Set<PromptID> = []
    for record in records {
      guard let id = record.event.promptID else { continue }
      if case .planned = record.event, counts[id] == nil { begun.insert(id) }
      counts[id, default: 0] += 1
    }
    let finished = begun.compactMap { id in
      changes.prompts[id].flatMap { $0.phase.isOpen ? nil : $0 }
    }
    var surplus = records.count - wanted
    var lost: Set<PromptID> = []
    for prompt in finished.sorted(by: { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }) where surplus > 0 {
      lost.insert(prompt.id)
      surplus -= counts[prompt.id] ?? 0
    }
    if lost.isEmpty { return }
    records.removeAll { $0.event.promptID.map(lost.contains) ?? false }
    for id in lost { changes.prompts[id] = nil }
  }
}

extension Event {
  /// Whether the state is another one without it.
  var changesState: Bool {
    switch self {
    case .testRing, .serviceStarted, .serviceStopped, .boot, .heartbeat, .clockSync, .audioLost,
      .audioRestored, .audioFallback, .exportMade, .purged, .rekeyed, .tzChanged, .tzdataChanged:
      false
    default: true
    }
  }
}
