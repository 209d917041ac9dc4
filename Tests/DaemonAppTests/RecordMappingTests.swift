import Alarms
import CivilTime
import Logbook
import RequestHandlers
import Testing

@testable import DaemonApp

@Suite struct `A filter of prompts` {
  private let now = Instant(seconds: 1_800_000_000)

  private func query(_ state: PromptFilter.State?) -> PromptQuery {
    var filter = PromptFilter(limit: 10)
    filter.state = state
    return PromptQuery(filter, now: now)
  }

  @Test func `without a state asks for everything`() {
    let query = query(nil)
    #expect(query.state == .any && query.outcomes == nil && query.limit == 10)
  }

  @Test func `for current prompts ends now, and for planned prompts begins now`() {
    #expect(query(.current).dueThrough == now && query(.current).state == .open)
    #expect(query(.planned).dueAfter == now && query(.planned).state == .open)
  }

  @Test func `for missed prompts names each outcome of the kind missed`() {
    let missed = Set(Outcome.allCases.filter { $0.kind == .missed })
    #expect(query(.missed).outcomes == missed && missed.contains(.unknownCrash))
    #expect(query(.completed).outcomes == [.completed, .completedOutOfWindow])
    #expect(query(.incomplete).includesOpen)
  }
}
