import ClientKit
import Glibc
import JSONValue

/// Follows the events of the daemon, and tells the stage when to read again.
package struct DaemonFollower {
  private let home: any ScreenHome
  private let stage: Stage

  package init(home: any ScreenHome, stage: Stage) { (self.home, self.stage) = (home, stage) }

  private static let pauseMicroseconds: UInt32 = 1_000_000

  /// Never returns.
  package func follow() -> Never {
    while true {
      followOnce()
      usleep(Self.pauseMicroseconds)
    }
  }

  /// Follows one stream of events until the stream ends.
  func followOnce() {
    let stage = stage
    let reader = EventStreamReader { event in
      guard !event.data.isEmpty, let row = try? JSON(parsing: Array(event.data.utf8)),
        row["type"]?.string != "heartbeat"
      else { return }
      stage.readAgain()
    }
    do {
      // The stream has begun, so no event after the next reading can be missed.
      try home.followEvents(begin: { stage.connected() }, take: { try reader.take($0) })
      stage.lost("the daemon ended the stream of events")
    } catch let failure as Failure {
      stage.lost(failure.sentence)
    } catch {
      stage.lost("cannot read the events of the daemon: \(error)")
    }
  }
}
