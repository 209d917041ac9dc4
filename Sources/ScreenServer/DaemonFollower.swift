import API
import ClientKit
import Glibc
import JSONValue
import NIOPosix

/// A source of the events of the daemon.
package protocol EventSource: Sendable {
  /// Follows the events of the daemon until the stream of events ends.
  ///
  /// - Parameters:
  ///   - begin: a function that this function calls when the stream has begun.
  ///   - take: a function that receives the bytes of the stream, piece by piece.
  func followEvents(
    begin: @escaping @Sendable () -> Void, take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws
}

/// A part of the page server that must react to new events.
package protocol EventListener: Sendable {
  /// Called when the stream of events has begun.
  func connected()
  /// Called when something in the home has changed.
  func readAgain()
  /// Called when a change concerns only one prompt.
  func changed(promptID: String)
  /// Called when the stream of events has ended.
  func lost(_ why: String)
}

extension EventListener {
  package func changed(promptID: String) { readAgain() }
}

/// Follows the events of the daemon, and tells a listener when to read from the daemon again.
package struct DaemonFollower: Sendable {
  private let source: any EventSource
  private let listener: any EventListener

  package init(source: any EventSource, listener: any EventListener) {
    (self.source, self.listener) = (source, listener)
  }

  /// Follows the events on another thread.
  package func start() {
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    thread.submit { _ in follow() }
  }

  private static let pauseMicroseconds: UInt32 = 1_000_000

  /// Follows the events in this thread. The function never returns.
  package func follow() -> Never {
    while true {
      followOnce()
      usleep(Self.pauseMicroseconds)
    }
  }

  /// Follows one stream of events until the stream ends.
  func followOnce() {
    let listener = listener
    let reader = EventStreamReader { event in
      guard !event.data.isEmpty, let row = try? JSON(parsing: Array(event.data.utf8)),
        row["type"]?.string != "heartbeat"
      else { return }
      if let promptID = row["prompt_id"]?.string {
        listener.changed(promptID: promptID)
      } else if row["type"]?.string != "alarm_created" {
        // After `alarm_created`, no reading is necessary, because a separate event names the first
        // prompt of the new alarm.
        listener.readAgain()
      }
    }
    do {
      // When `connected` runs, the stream has already begun. Therefore the listener misses no event
      // after its next reading.
      try source.followEvents(begin: { listener.connected() }, take: { try reader.take($0) })
      listener.lost("the daemon ended the stream of events")
    } catch let failure as Failure {
      listener.lost(failure.sentence)
    } catch {
      listener.lost("cannot read the events of the daemon: \(error)")
    }
  }
}

extension Client {
  /// The time without data after which the connection counts as lost, in seconds. The daemon sends
  /// data at least every 15 seconds.
  private static let silenceSeconds: Int64 = 18

  /// Follows the events of the daemon until the stream of events ends.
  ///
  /// - Parameter fields: additional header fields for the request.
  func followEvents(
    fields: [(name: String, value: String)] = [], begin: @escaping @Sendable () -> Void,
    take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws {
    var request = Request(.events)
    request.headers += fields
    request.timeoutSeconds = Self.silenceSeconds
    _ = try send(request, consume: take) { reply in
      if (200..<300).contains(reply.status) { begin() }
    }
  }
}
