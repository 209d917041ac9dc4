import SoundProtocol
import Testing

@testable import Speaker

/// Tests the state machine of the supervisor. The tests start no process and read no clock. The
/// caller gives each time in milliseconds.
@Suite struct SupervisionStateTests {
  private func ring(_ id: String, milliseconds: Int = 1_000) -> RingSound {
    RingSound(
      id: id, segments: [.silence(milliseconds: milliseconds)], gainDecibels: 0,
      fadeInMilliseconds: 0, leadInMilliseconds: 0)
  }

  /// Returns a state machine whose player is ready. The tests continue at 60,000 ms.
  private func settled(_ devices: [String] = ["a", "b"], level: Int? = nil) -> Supervision {
    var mind = Supervision(devices: devices.map { OutputDevice($0, levelPercent: level) })
    #expect(mind.take(.start, now: 0) == [.spawn])
    #expect(mind.take(.said(.ready), now: 10) == [])
    #expect(mind.deadline == nil)
    return mind
  }

  /// Returns a state machine in the middle of a ring. The ring takes one second and began on device
  /// `a`. The tests continue after 60,100 ms.
  private func sounding(_ devices: [String] = ["a", "b"]) -> Supervision {
    var mind = settled(devices)
    _ = mind.take(.play(ring("r")), now: 60_000)
    _ = mind.take(.said(.accepted(id: "r", totalFrames: 48_000)), now: 60_010)
    _ = mind.take(.said(.opening(device: "a")), now: 60_020)
    _ = mind.take(.said(.started(id: "r", device: "a")), now: 60_100)
    return mind
  }

  private func events(_ actions: [Supervision.Action]) -> [SpeakerEvent] {
    actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
  }

  @Test func `a successful ring leaves nothing pending`() {
    var mind = sounding()
    _ = mind.take(.said(.progress(id: "r", framesPlayed: 24_000)), now: 60_600)
    let end = PlayerMessage.ended(
      id: "r", device: "a", framesPlayed: 48_000, xruns: 1, stopped: false)
    #expect(
      events(mind.take(.said(end), now: 61_100)) == [
        .ended(id: "r", device: "a", framesPlayed: 48_000, xruns: 1, stopped: false),
        .usable(device: "a"),
      ])
    #expect(mind.isIdle && mind.deadline == 63_100, "the device is still to be closed")
    _ = mind.take(.said(.ready), now: 61_120)
    #expect(mind.deadline == nil)
  }

  @Test func `each expected report has its own deadline`() {
    var mind = settled()
    _ = mind.take(.play(ring("r")), now: 60_000)
    #expect(mind.deadline == 61_000)
    _ = mind.take(.said(.accepted(id: "r", totalFrames: 48_000)), now: 60_500)
    #expect(mind.deadline == 62_500)
    _ = mind.take(.said(.opening(device: "b")), now: 62_000)
    #expect(mind.deadline == 64_000)
    _ = mind.take(.said(.started(id: "r", device: "b")), now: 63_000)
    #expect(mind.deadline == 64_500)
    _ = mind.take(.said(.progress(id: "r", framesPlayed: 0)), now: 64_000)
    #expect(mind.deadline == 64_500, "progress that is none buys no time")
    _ = mind.take(.stop(id: "r"), now: 64_100)
    #expect(mind.deadline == 64_350)
    _ = mind.take(.stop(id: "r"), now: 64_200)
    #expect(mind.deadline == 64_350, "asking twice buys no time either")
  }

  @Test func `a ring that always makes progress still ends`() {
    var mind = sounding()
    var now: Int64 = 60_100
    var frames = 0
    var restarts = 0
    while restarts == 0, now < 200_000 {
      now += 250
      frames += 1
      _ = mind.take(.said(.progress(id: "r", framesPlayed: frames)), now: now)
      if let deadline = mind.deadline, now >= deadline {
        restarts += events(mind.take(.tick, now: now)).count { $0.isRestart }
      }
    }
    #expect(now <= 60_000 + 30_000 + 3_000 + 1_000 + 250)
  }

  @Test func `a device that hung is tried last until a self-test finds it well`() {
    var mind = sounding()
    let actions = mind.take(.tick, now: 61_600)
    #expect(actions.contains(.kill) && actions.contains(.spawn))
    #expect(actions.contains(.send(.play(ring("r"), on: [OutputDevice("b"), OutputDevice("a")]))))
    _ = mind.take(.said(.accepted(id: "r", totalFrames: 48_000)), now: 61_610)
    _ = mind.take(.said(.started(id: "r", device: "b")), now: 61_620)
    let end = PlayerMessage.ended(
      id: "r", device: "b", framesPlayed: 48_000, xruns: 0, stopped: false)
    _ = mind.take(.said(end), now: 62_620)
    _ = mind.take(.said(.ready), now: 62_630)
    #expect(mind.take(.selfTest, now: 70_000) == [.send(.test(device: "a"))])
    #expect(
      mind.take(.said(.tested(device: "a", trouble: nil)), now: 70_010)
        == [.send(.test(device: "b"))])
    #expect(
      events(mind.take(.said(.tested(device: "b", trouble: nil)), now: 70_020)) == [
        .tested([
          DeviceCheck(device: "a", trouble: nil), DeviceCheck(device: "b", trouble: nil),
        ]), .usable(device: "a"),
      ])
    #expect(
      mind.take(.play(ring("s")), now: 80_000) == [
        .send(.play(ring("s"), on: [OutputDevice("a"), OutputDevice("b")]))
      ])
  }

  @Test func `a player that hangs after a ring is replaced before the next ring`() {
    var mind = sounding()
    let end = PlayerMessage.ended(
      id: "r", device: "a", framesPlayed: 48_000, xruns: 0, stopped: false)
    _ = mind.take(.said(end), now: 61_100)
    let actions = mind.take(.tick, now: 63_100)
    #expect(actions.starts(with: [.kill]) && actions.contains(.spawn))
    #expect(events(actions) == [.playerRestarted(reason: "no end of the cleanup in time")])
  }

  @Test func `a stop while the player is replaced ends the ring without a second try`() {
    var mind = sounding()
    _ = mind.take(.said(.progress(id: "r", framesPlayed: 9_600)), now: 60_300)
    _ = mind.take(.stop(id: "r"), now: 60_400)
    let actions = mind.take(.tick, now: 60_650)
    #expect(actions.contains(.kill))
    #expect(
      events(actions).filter { $0.isEnd(of: "r") } == [
        .ended(id: "r", device: "a", framesPlayed: 9_600, xruns: 0, stopped: true)
      ])
    _ = mind.take(.said(.ready), now: 60_700)
    #expect(mind.isIdle && mind.deadline == nil)
  }

  @Test func `a player that is only starting is not killed by a stop`() {
    var mind = Supervision(devices: [OutputDevice("a")])
    _ = mind.take(.start, now: 0)
    _ = mind.take(.play(ring("r")), now: 1)
    _ = mind.take(.stop(id: "r"), now: 2)
    #expect(mind.deadline == 3_000)
    _ = mind.take(.said(.accepted(id: "r", totalFrames: 48_000)), now: 500)
    #expect(mind.deadline == 750)
  }

  @Test func `players that die early are restarted with growing pauses, which is reported once`() {
    var mind = Supervision(devices: [OutputDevice("a")])
    var now: Int64 = 0
    var pauses: [Int64] = []
    var reported: [SpeakerEvent] = []
    _ = mind.take(.start, now: now)
    for _ in 0..<12 {
      reported += events(mind.take(.gone(reason: "exit status 1"), now: now))
      guard let respawnAt = mind.respawnAt else { continue }
      pauses.append(respawnAt - now)
      now = respawnAt
      #expect(mind.take(.tick, now: now) == [.spawn])
    }
    #expect(pauses == pauses.sorted() && pauses.last == 30_000)
    #expect(reported.count { $0 == .unusable(reason: "exit status 1") } == 1)
    // For a new ring, the supervisor starts a new player at once, and does not wait for the end of
    // the pause.
    _ = mind.take(.gone(reason: "exit status 1"), now: now)
    #expect(mind.take(.play(ring("r")), now: now).contains(.spawn))
  }

  @Test func `a self-test continues after one device hangs its player`() {
    var mind = settled()
    _ = mind.take(.selfTest, now: 60_000)
    let actions = mind.take(.tick, now: 63_000)
    #expect(actions.contains(.kill) && actions.contains(.send(.test(device: "b"))))
    let trouble = "open: No such file or directory"
    let verdict = events(
      mind.take(.said(.tested(device: "b", trouble: trouble)), now: 63_100))
    guard case .unusable(let reason) = verdict.last else {
      Issue.record("\(verdict)")
      return
    }
    #expect(reason.contains("a: no answer") && reason.contains("b: open: No such"))
    #expect(mind.isIdle && mind.deadline == nil)
  }

  @Test func `a ring that waits for the speaker sounds before a self-test that waits longer`() {
    var mind = sounding()
    _ = mind.take(.selfTest, now: 60_200)
    _ = mind.take(.play(ring("s")), now: 60_300)
    let end = PlayerMessage.ended(
      id: "r", device: "a", framesPlayed: 48_000, xruns: 0, stopped: false)
    #expect(
      mind.take(.said(end), now: 61_100).last
        == .send(.play(ring("s"), on: [OutputDevice("a"), OutputDevice("b")])))
  }

  @Test func `a ring does not wait for the rest of a self-test`() {
    var mind = settled()
    _ = mind.take(.selfTest, now: 60_000)
    _ = mind.take(.play(ring("r")), now: 60_010)
    let actions = mind.take(.said(.tested(device: "a", trouble: nil)), now: 60_020)
    #expect(
      actions == [.send(.play(ring("r"), on: [OutputDevice("a"), OutputDevice("b")]))])
    _ = mind.take(.said(.accepted(id: "r", totalFrames: 48_000)), now: 60_030)
    _ = mind.take(.said(.started(id: "r", device: "a")), now: 60_040)
    let end = PlayerMessage.ended(
      id: "r", device: "a", framesPlayed: 48_000, xruns: 0, stopped: false)
    #expect(mind.take(.said(end), now: 61_100).last == .send(.test(device: "b")))
    let found = events(mind.take(.said(.tested(device: "b", trouble: "gone")), now: 61_200))
    #expect(
      found == [
        .tested([
          DeviceCheck(device: "a", trouble: nil), DeviceCheck(device: "b", trouble: "gone"),
        ])
      ])
  }

  @Test func `a level applies from the next ring on, to its device only`() {
    var mind = settled(level: 80)
    #expect(mind.take(.level(percent: 90, device: "b"), now: 60_000) == [])
    #expect(mind.take(.usualLevel(percent: 60), now: 60_000) == [])
    #expect(played(&mind, "one") == ["a": 60, "b": 90])
    // If a device is removed from the list, the state machine keeps the level of this device. Only
    // a new value for the level, or nil, changes the level.
    _ = mind.take(.devices(["a"]), now: 60_000)
    _ = mind.take(.devices(["c", "b"]), now: 60_000)
    #expect(played(&mind, "two") == ["c": 60, "b": 90])
    _ = mind.take(.level(percent: nil, device: "b"), now: 60_000)
    #expect(played(&mind, "three") == ["c": 60, "b": 60])
  }

  @Test func `no level changes a mixer that the configuration leaves alone`() {
    var mind = settled()
    _ = mind.take(.level(percent: 90, device: "b"), now: 60_000)
    _ = mind.take(.usualLevel(percent: 60), now: 60_000)
    #expect(played(&mind, "one") == ["a": nil, "b": nil])
  }

  @Test func `a test ring uses only its device and level, and reports nothing of the others`() {
    var mind = settled(level: 80)
    _ = mind.take(.level(percent: 90, device: "b"), now: 60_000)
    let trial = SpeakerTrialRun(device: "b", levelPercent: 30)
    #expect(played(&mind, "try", trial) == ["b": 30])
    #expect(
      played(&mind, "all", SpeakerTrialRun(device: nil, levelPercent: 30)) == ["a": 30, "b": 30])
    _ = mind.take(.play(ring("bad"), trial), now: 60_002)
    let said = events(mind.take(.said(.failed(id: "bad", reason: "gone")), now: 60_003))
    #expect(said == [.failed(id: "bad", reason: "gone")])
    #expect(played(&mind, "ring") == ["a": 80, "b": 90])
  }

  /// Plays a ring that ends at once. Returns the devices of the ring, and the level of each device.
  private func played(
    _ mind: inout Supervision, _ id: String, _ trial: SpeakerTrialRun? = nil
  ) -> [String: Int?] {
    var found: [String: Int?] = [:]
    for case .send(.play(_, on: let devices)) in mind.take(.play(ring(id), trial), now: 60_001) {
      for device in devices { found.updateValue(device.levelPercent, forKey: device.name) }
    }
    _ = mind.take(.said(.accepted(id: id, totalFrames: 48)), now: 60_001)
    _ = mind.take(.stop(id: id), now: 60_001)
    let end = PlayerMessage.ended(id: id, device: "", framesPlayed: 0, xruns: 0, stopped: true)
    _ = mind.take(.said(end), now: 60_001)
    return found
  }

  @Test func `early stops are kept, but only a limited number`() {
    var mind = settled()
    for number in 0..<100 { _ = mind.take(.stop(id: "\(number)"), now: 60_000) }
    #expect(mind.prevented.count == 64)
    #expect(events(mind.take(.play(ring("99")), now: 60_001)).count == 1)
    #expect(mind.isIdle)
  }

  @Test func `after shutdown nothing starts, and every play still gets its end`() {
    var mind = sounding()
    _ = mind.take(.play(ring("waiting")), now: 60_200)
    let actions = mind.take(.shutdown, now: 60_300)
    #expect(events(actions).count { $0.isEnd(of: "waiting") } == 1)
    #expect(actions.contains(.send(.stop(id: "r"))))
    #expect(events(mind.take(.play(ring("late")), now: 60_310)).count { $0.isEnd(of: "late") } == 1)
    let last = mind.take(.tick, now: 60_550)
    #expect(last.contains(.kill) && !last.contains(.spawn))
    #expect(events(last).count { $0.isEnd(of: "r") } == 1)
    #expect(mind.isIdle)
  }
}
