import JSONValue
import Testing

@testable import ScreenServer

/// Tests a home with more prompts than the daemon returns in one list.
@Suite struct PromptListTests {
  private func list(_ ids: String..., calling: JSON = .null) -> JSON {
    .object([
      ("prompts", .array(ids.map { .object([("id", .string($0))]) })), ("calling", calling),
      ("next_before", .string("c")),
    ])
  }

  @Test func `an open prompt that is older than the newest ones is added once`() {
    let calling = JSON.object([("id", .string("a"))])
    let merged = DaemonHome.list(list("d", "c", calling: calling), with: list("d", "a"))
    #expect(merged["prompts"]?.array?.map { $0["id"]?.string } == ["d", "c", "a"])
    #expect(merged["calling"] == calling)
  }
}
