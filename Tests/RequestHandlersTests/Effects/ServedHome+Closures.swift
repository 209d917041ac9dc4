import Alarms
import Fakes
import Synchronization

@testable import RequestHandlers

/// The closures of a handler, which a test can replace.
struct Closures {
  var sound: SoundActions
  var recordings: RecordingActions
  var pictures: ImageActions
  var archive: Archive
  var machine: @Sendable ([Tone]) -> MachineReport
}

/// The values with which a handler called a closure, the first call first.
final class Calls<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func add(_ value: Value) { values.withLock { $0.append(value) } }
}

extension ServedHome {
  /// Returns a handler of this home with the closures that `change` sets.
  func alteredHandler(_ change: (inout Closures) -> Void) -> RequestHandler {
    var closures = Closures(
      sound: handler.sound, recordings: handler.recordings, pictures: handler.pictures,
      archive: handler.archive, machine: handler.machine)
    change(&closures)
    return RequestHandler(
      engine: engine, archive: closures.archive, sound: closures.sound,
      recordings: closures.recordings, pictures: closures.pictures, ports: handler.ports,
      version: "test", newAlarmID: handler.newAlarmID, machine: closures.machine,
      userName: handler.userName)
  }
}
