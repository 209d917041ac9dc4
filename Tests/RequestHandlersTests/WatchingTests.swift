import Alarms
import CivilTime
import Engine
import Fakes
import RequestHandlers
import Synchronization
import Testing

/// Tests the events that the running daemon records about its machine.
@Suite struct `Watching the machine` {
  private func asleep(_ home: ServedHome, seconds: Int64) {
    home.fakes.pass(seconds: seconds)
    home.fakes.state.withLock { $0.now.asleepMilliseconds += seconds * 1_000 }
  }

  private func events(_ home: ServedHome) -> [Event] {
    home.fakes.state.withLock { $0.records.map(\.event) }
  }

  @Test func `a sleep of any length is recorded at waking as a gap of its length`() async {
    let home = await ServedHome()
    let began = home.fakes.state.withLock { $0.now.wall }
    home.fakes.pass(seconds: 100)
    await home.engine.wake()
    #expect(!home.fakes.types.contains("suspend"))
    asleep(home, seconds: 90)
    await home.engine.wake()
    let from = began.adding(seconds: 100)
    let to = began.adding(seconds: 190)
    #expect(
      events(home).suffix(3) == [
        .suspended(from: from), .resumed(asleepMilliseconds: 90_000),
        .gap(from: from, to: to, cause: .suspended),
      ])
    let count = home.fakes.types.count
    home.fakes.pass(seconds: 5)
    await home.engine.wake()
    #expect(home.fakes.types.count == count)
  }

  @Test func `monitored times and gaps add up to the elapsed time`() async {
    let home = await ServedHome()
    let began = home.fakes.state.withLock { $0.now.wall }
    for _ in 0..<20 {
      home.fakes.pass(seconds: 15 * 60)
      await home.engine.wake()
      asleep(home, seconds: 3 * 3_600)
      await home.engine.wake()
    }
    let gaps = events(home).reduce(into: Int64(0)) { sum, event in
      if case .gap(let from, let to, _) = event { sum += to.milliseconds(since: from) }
    }
    let ended = home.fakes.state.withLock { $0.now.wall }
    #expect(ended.milliseconds(since: began) - gaps == 20 * 15 * 60_000)
    #expect(home.fakes.types.filter { $0 == "heartbeat" }.count >= 20)
  }

  @Test func `a disk that fills up is recorded once, and so is its new space`() async {
    let home = await ServedHome()
    for free: Int64 in [1 << 30, 60 << 20, 50 << 20, 70 << 20, 200 << 20, 70 << 20] {
      home.fakes.state.withLock { $0.freeBytes = free }
      home.fakes.pass(seconds: 15 * 60)
      await home.engine.wake()
    }
    #expect(
      events(home).filter { $0.type.hasPrefix("disk") } == [
        .disk(isLow: true, freeBytes: 60 << 20), .disk(isLow: false, freeBytes: 200 << 20),
      ])
  }

  @Test
  func `a clock that gains or loses its time source is recorded, and every row has its error`()
    async
  {
    let home = await ServedHome()
    for state in [ClockState.unsynced, .unsynced, .synced] {
      home.fakes.state.withLock {
        $0.now.clockState = state
        $0.now.clockErrorMilliseconds = state == .synced ? 7 : nil
      }
      home.fakes.pass(seconds: 60)
      await home.engine.wake()
    }
    let records = home.fakes.state.withLock { $0.records }
    let syncs = records.filter { $0.event.type.hasPrefix("clock_sync") }
    #expect(syncs.map(\.event.type) == ["clock_sync_lost", "clock_sync_gained"])
    #expect(syncs.map(\.reading.clockState) == [.unsynced, .synced])
    #expect(syncs.map(\.reading.clockErrorMilliseconds) == [nil, 7])
  }
}
