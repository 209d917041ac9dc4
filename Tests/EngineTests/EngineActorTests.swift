import Alarms
import CivilTime
import Engine
import Fakes
import Foundation
import Synchronization
import Testing

/// The device was off for a month. In this month, an hourly alarm and a daily alarm became due many
/// times. When the device starts, the daily alarm has been due for one minute.
///
/// Each write to the record takes some time. The player reports the start of a ring at once.
@Test func `reports of the player are processed between the steps of a long list`() async throws {
  let fakes = FakePorts()
  let engine = Mutex<EngineActor?>(nil)
  var ports = fakes.ports
  let record = ports.record
  ports.record = { records, changes in
    usleep(2_000)
    try record(records, changes)
  }
  ports.play = { order in
    let engine = engine.withLock { $0 }
    Task {
      await engine?.handle(.started(order.prompt, ring: order.ring, device: "card0", level: nil))
    }
  }
  let home = HomeState(
    snapshot: HomeSnapshot(), limits: .standard, environment: FakePorts.environment)
  let shared = EngineActor(EngineCore(home: home, ports: ports))
  engine.withLock { $0 = shared }
  await shared.start(Start(version: "test"))
  let caretaker = Actor(role: .caretaker, id: "uid:1000", source: "socket")
  for (id, schedule) in [("beat", "every 1 hours"), ("pills", "every day 09:00")] {
    var form = AlarmForm()
    form.label = id
    form.schedule = schedule
    _ = try await shared.execute(.add(AlarmID(id), form), by: caretaker)
  }
  fakes.pass(seconds: 30 * 86_400 + 3_660)
  await shared.wake()
  let types = fakes.types
  let begun = try #require(types.firstIndex(of: "ring_started"))
  let listed = try #require(types.lastIndex(of: "missed"))
  #expect(begun < listed)
}
