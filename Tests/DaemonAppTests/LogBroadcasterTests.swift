import Testing

@testable import DaemonApp

@Suite struct `The log broadcaster` {
  @Test func `answers at once if there are newer events`() async {
    let broadcaster = LogBroadcaster()
    broadcaster.post(7)
    #expect(await broadcaster.waitForEvents(after: 6) == true)
  }

  @Test func `wakes each reader that waits`() async {
    let broadcaster = LogBroadcaster()
    broadcaster.post(7)
    let readers = (0..<20).map { _ in Task { await broadcaster.waitForEvents(after: 7) } }
    // Some readers wait before the new event, and other readers begin to wait after it. All readers
    // are told about the new event.
    await Task.yield()
    broadcaster.post(8)
    for reader in readers { #expect(await reader.value == true) }
  }

  @Test func `never goes back`() async {
    let broadcaster = LogBroadcaster()
    broadcaster.post(9)
    broadcaster.post(3)
    #expect(await broadcaster.waitForEvents(after: 8) == true)
  }

  @Test func `ends all readers when it is closed, and takes no new ones`() async {
    let broadcaster = LogBroadcaster()
    let reader = Task { await broadcaster.waitForEvents(after: 0) }
    await Task.yield()
    broadcaster.close()
    #expect(await reader.value == nil)
    #expect(await broadcaster.waitForEvents(after: 0) == nil)
  }

  @Test func `ends a reader that is cancelled`() async {
    let broadcaster = LogBroadcaster()
    let reader = Task { await broadcaster.waitForEvents(after: 0) }
    reader.cancel()
    #expect(await reader.value == nil)
  }
}
