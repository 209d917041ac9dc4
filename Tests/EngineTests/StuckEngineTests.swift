import CivilTime
import Fakes
import Synchronization
import Testing

@testable import Alarms
@testable import Engine

/// Makes a home with a fault: a ring has ended, but the state says that the speaker still plays
/// this ring.
private func wrongHome(_ fakes: FakePorts) throws -> HomeState {
  let wall = fakes.state.withLock { $0.now.wall }
  let alarm = Alarm(
    id: AlarmID("alarm1"), version: 1, person: .patient, label: "Pills", instructions: "",
    schedule: .once(CivilDateTime(localSeconds: wall.seconds + 3_600)), phrase: "", zoneName: "UTC",
    tone: nil, burst: .standard, lateWindowSeconds: 1_800, delaySeconds: 300, delayLimit: 3)
  var prompt = Prompt(
    id: PromptID(alarm: alarm.id, nominal: CivilDateTime(localSeconds: wall.seconds), fold: 0),
    alarmVersion: 1, dueAt: wall, zoneName: "UTC", utcOffsetSeconds: 0)
  let ring = Ring(
    number: 1, index: 0, gainDecibels: -6, toneSHA256: nil, dueAt: wall, intendedAt: wall)
  prompt.state = .ringing(ring, deadline: wall.adding(seconds: 30))
  var home = HomeState(
    snapshot: HomeSnapshot(alarms: [alarm], openPrompts: [prompt]), limits: .standard,
    environment: FakePorts.environment)
  home.activeRing = VolatileState.ActiveRing(
    prompt: prompt.id, ring: 1, person: .patient, deadline: .distantFuture, isRepetition: false,
    isTask: true)
  return home
}

@Test func `a due step that changes nothing is reported once, and the engine does not loop`()
  throws
{
  let fakes = FakePorts()
  let lines = Mutex([LogLine]())
  var ports = fakes.ports
  ports.log = { line in lines.withLock { $0.append(line) } }
  var core = EngineCore(home: try wrongHome(fakes), ports: ports)
  fakes.pass(seconds: 29)
  var isMoreDue = core.wake()
  #expect(!isMoreDue && lines.withLock(\.isEmpty))
  let count = fakes.types.count
  for _ in 1...5 {
    fakes.pass(seconds: 1)
    isMoreDue = core.wake()
    #expect(!isMoreDue)
    let (now, wake) = fakes.state.withLock { ($0.now.wall, $0.wakeAt) }
    #expect(wake == now.adding(seconds: 1))
  }
  #expect(fakes.types.count == count)
  #expect(lines.withLock(\.count) == 1)
  #expect(lines.withLock { $0.first?.text.hasPrefix(EngineCore.stuck) } == true)
  #expect(lines.withLock { $0.first?.level } == .error)
  // The next step that changes the state also removes the fault.
  try core.handle(.heartbeat)
  #expect(fakes.types.contains("heartbeat"))
  #expect(fakes.state.withLock { $0.wakeAt } == core.home.nextWake)
}
