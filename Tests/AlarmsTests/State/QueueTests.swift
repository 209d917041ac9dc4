import CivilTime
import Testing

@testable import Alarms

/// Checks the queue of due prompts and the speaker queue.
@Suite struct QueueTests {
  private func id(_ name: String) -> PromptID { PromptID(alarm: AlarmID(name), nominalKey: 2) }

  private func item(_ seconds: Int64, _ name: String) -> DueQueue.Item {
    DueQueue.Item(at: Instant(seconds: seconds), prompt: id(name))
  }

  @Test func `due prompts are found up to the present second, each once, up to a limit`() {
    var queue = DueQueue()
    #expect(queue.first == nil && queue.due(at: Instant(seconds: 9), limit: 9) { _ in true } == [])
    let items = [item(5, "b"), item(3, "c"), item(5, "a"), item(7, "c"), item(8, "d")]
    for item in items { queue.insert(item) }
    func due(_ at: Int64, _ limit: Int, outdated: DueQueue.Item? = nil) -> String {
      queue.due(at: Instant(seconds: at), limit: limit) { $0 != outdated }.map(\.alarm.text)
        .joined()
    }
    #expect(queue.first == item(3, "c") && queue.all == Set(items))
    let cases: [(Int64, Int, String)] = [
      (2, 9, ""), (3, 9, "c"), (4, 9, "c"), (5, 9, "cab"), (6, 9, "cab"), (7, 9, "cab"),
      (8, 9, "cabd"), (8, 4, "cabd"), (8, 3, "cab"), (8, 1, "c"), (8, 0, ""),
    ]
    for (at, limit, expected) in cases { #expect(due(at, limit) == expected, "\(at) \(limit)") }
    #expect(due(8, 9, outdated: item(3, "c")) == "abcd")
    #expect(due(8, 3, outdated: item(3, "c")) == "abc")
    #expect(item(3, "b") < item(4, "a") && item(3, "a") < item(3, "b"))
    #expect(!(item(4, "a") < item(3, "b")) && !(item(3, "a") < item(3, "a")))
    queue.removeFirst()
    #expect(queue.first == item(5, "a"))
  }

  @Test func `urgent prompts come first, and then the prompt that has waited longest`() {
    var queue = SpeakerQueue()
    #expect(queue.isEmpty && queue.longestSince == nil && queue.placed.isEmpty)
    func join(_ name: String, _ since: Int64, _ limit: Int64, isUrgent: Bool = false) {
      queue.join(
        id(name), since: Instant(seconds: since), isUrgent: isUrgent,
        limit: Instant(seconds: limit))
    }
    func names(_ items: some Sequence<DueQueue.Item>) -> String {
      items.map(\.prompt.alarm.text).joined()
    }
    join("b", 4, 20)
    #expect(queue.longestSince == Instant(seconds: 4))
    join("a", 3, 30)
    #expect(queue.longestSince == Instant(seconds: 3))
    join("d", 6, 10, isUrgent: true)
    #expect(queue.longestSince == Instant(seconds: 3))
    join("c", 2, 25, isUrgent: true)
    #expect(queue.longestSince == Instant(seconds: 2))
    #expect(names(queue.places) == "cdab" && queue.members.count == 4)
    #expect(queue.placed == Set(["a", "b", "c", "d"].map { id($0) }))
    let overdue: [(Int64, String)] = [
      (10, ""), (11, "d"), (20, "d"), (21, "db"), (25, "db"), (26, "dbc"), (30, "dbc"),
      (31, "dbca"),
    ]
    for (at, expected) in overdue {
      #expect(names(queue.overdue(at: Instant(seconds: at))) == expected, "\(at)")
    }
    #expect(
      SpeakerQueue.Order.allCases.map { queue.first($0)?.prompt.alarm.text } == ["c", "a", "d"])
    queue.leave(id("c"))
    #expect(!queue.contains(id("c")) && queue.contains(id("d")) && !queue.isEmpty)
    #expect(names(queue.places) == "cdab")
    for order in SpeakerQueue.Order.allCases { queue.removeFirst(order) }
    #expect(names(queue.places) == "db")
    #expect(
      SpeakerQueue.Order.allCases.map { queue.first($0)?.prompt.alarm.text } == ["d", "b", "b"])
    queue.removeFirst(.urgent)
    #expect(queue.longestSince == Instant(seconds: 4))
    var urgent = SpeakerQueue()
    urgent.join(id("a"), since: Instant(seconds: 9), isUrgent: true, limit: Instant(seconds: 10))
    #expect(urgent.longestSince == Instant(seconds: 9))
  }

  @Test func `the clock was set if the difference of the two clocks has changed`() {
    var (first, later) = (ClockMemory(), ClockMemory())
    #expect(!first.isSet(before: later))
    later.offsetMilliseconds = 5
    #expect(!first.isSet(before: later))
    first.offsetMilliseconds = 5
    #expect(!first.isSet(before: later))
    first.offsetMilliseconds = 6
    #expect(first.isSet(before: later))
  }
}
