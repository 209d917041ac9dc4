import Alarms
import CivilTime

/// The events that the daemon could not write to the record yet, in order. The backlog also
/// contains the changes of the state that these events cause.
struct Backlog: Sendable {
  /// The maximum number of events in the backlog. A typical home records about 20,000 events in two
  /// weeks.
  static let limit = 20_000

  private(set) var records: [Record] = []
  var changes = StateDelta()
  /// The clock reading at the first failed write; nil while the daemon can write the record.
  var since: ClockReading?
  private(set) var dropped = 0

  mutating func append(_ new: [Record]) { records += new }

  /// Removes the newest `count` events. Call this function if the daemon refuses the request that
  /// caused these events.
  mutating func removeLast(_ count: Int) { records.removeLast(count) }

  mutating func clear() {
    records = []
    changes = StateDelta()
  }

  /// Removes the least important events if the backlog contains more than `limit` events.
  ///
  /// The function first removes events that change no state, for example heartbeats. Then the
  /// function removes all events of the oldest prompts whose first and last events are both in the
  /// backlog. The function stops when the number of events in the backlog is at most 90 % of
  /// `limit`. For each prompt, the function removes either all events or no event, because a replay
  /// of the remaining events must succeed. Later, a gap event in the record says that events are
  /// missing.
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
      // This prompt has an event that changes the amount of a supply. Without this event, a replay
      // would compute a wrong amount. Therefore the function keeps all events of this prompt.
      if case .supply = record.event { begun.remove(id) }
      counts[id, default: 0] += 1
    }
    let finished = begun.compactMap { id in
      changes.prompts[id].flatMap { $0.state.isOpen ? nil : $0 }
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
  /// True if the event changes the state. `shrink` first removes the events that change no state.
  var changesState: Bool {
    switch self {
    case .testRing, .serviceStarted, .serviceStopped, .boot, .heartbeat, .clockSync, .audioLost,
      .audioRestored, .audioFallback, .exportMade, .purged, .rekeyed, .tzChanged, .tzdataChanged:
      false
    default: true
    }
  }
}
