import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  fileprivate mutating func present(_ id: PromptID) throws(Refusal) {
    try handle(.command(.present(id), CoreFixture.patient))
  }

  fileprivate var presented: [Instant] {
    records.compactMap {
      if case .presented = $0.event { $0.reading.wall } else { nil }
    }
  }

  fileprivate func onlyPrompt() throws -> PromptID {
    try #require(replay.prompts.keys.first)
  }
}

@Suite struct `A screen reports that it shows a prompt` {
  /// The actions before the report, and the kind of the refusal; nil if the daemon accepts the
  /// report.
  private static let cases: [(before: String, refusal: Refusal.Kind?)] = [
    ("-", .notDue), ("--", nil), ("---", nil), ("---s", .notDue), ("---a", .notDue),
    ("---c", .promptOver), ("---cu", nil), ("---n", .promptOver), ("--------------", .promptOver),
    ("---k", nil),
  ]

  @Test(arguments: cases.indices)
  func `the report is accepted only while the prompt waits for an answer`(index: Int) throws {
    let (before, kind) = Self.cases[index]
    var fixture = try pills()
    _ = try fixture.timeline(before)
    let id = try fixture.onlyPrompt()
    let count = fixture.records.count
    #expect(refusal { try fixture.present(id) }?.kind == kind, "\(before)")
    #expect(fixture.records.count == count + (kind == nil ? 1 : 0), "\(before)")
    #expect((fixture.replay.prompts[id]?.presentedAt != nil) == (kind == nil))
  }

  @Test func `only the first report is recorded, also after a restart and a delay`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    let id = try fixture.onlyPrompt()
    let first = fixture.now.wall
    for happening in ["-", "k", "s", "-------", "u"] {
      try fixture.present(id)
      _ = try? fixture.timeline(happening)
    }
    #expect(fixture.presented == [first])
    #expect(fixture.home.prompt(id) == fixture.replay.prompts[id])
    #expect(fixture.home.prompt(id)?.presentedAt == first)
  }

  @Test func `a report does not change the rings, the undo or the answer`() throws {
    var fixture = try pills()
    var rings = try fixture.timeline("--")
    try fixture.present(try fixture.onlyPrompt())
    rings += try fixture.timeline("----")
    #expect(rings == "-1--2-")
    try fixture.answer(.complete)
    _ = try fixture.handle(.command(.undo(nil), CoreFixture.anna))
    #expect(fixture.home.prompt(try fixture.onlyPrompt())?.presentedAt != nil)
  }

  @Test func `an unknown prompt and a prompt in a control phase are refused`() throws {
    var fixture = CoreFixture()
    try fixture.phase(.control)
    let alarm = try fixture.add { $0.schedule = "in 15 seconds" }
    fixture.pass(seconds: 20)
    let id = try #require(fixture.home.waitingPrompts.first?.id)
    #expect(id.alarm == alarm.id)
    #expect(refusal { try fixture.present(id) }?.kind == .notDue)
    let unknown = PromptID(alarm: AlarmID("nobody"), nominalKey: 42)
    #expect(refusal { try fixture.present(unknown) }?.kind == .notFound)
    #expect(fixture.presented.isEmpty)
  }
}
