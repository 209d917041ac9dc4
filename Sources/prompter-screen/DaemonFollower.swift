import API
import ClientKit
import Glibc
import JSONValue
import Synchronization

/// Follows the events of the daemon, and tells the stage when to read again.
struct DaemonFollower {
  var home: DaemonHome
  var stage: Stage

  /// The time without data after which the connection counts as lost, in seconds. The daemon writes
  /// at least every 15 seconds.
  private static let silenceSeconds: Int64 = 18
  private static let pauseMicroseconds: UInt32 = 1_000_000

  /// Never returns.
  func follow() -> Never {
    let stage = stage
    while true {
      var request = Request(.events)
      request.timeoutSeconds = Self.silenceSeconds
      let reader = EventStreamReader { event in
        guard !event.data.isEmpty, let row = try? JSON(parsing: Array(event.data.utf8)),
          row["type"]?.string != "heartbeat"
        else { return }
        stage.readAgain()
      }
      do {
        _ = try home.client.send(request) { bytes in
          try reader.take(bytes)
        } begin: { reply in
          // The stream has begun, so no event after the next reading can be missed.
          if (200..<300).contains(reply.status) { stage.connected() }
        }
        stage.lost("the daemon ended the stream of events")
      } catch let failure as Failure {
        stage.lost(failure.sentence)
      } catch {
        stage.lost("cannot read the events of the daemon: \(error)")
      }
      usleep(Self.pauseMicroseconds)
    }
  }
}
