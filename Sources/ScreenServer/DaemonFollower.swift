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
  ///   - begin: a function that is called when the stream has begun.
  ///   - take: a function that gets the bytes of the stream piece by piece.
  func followEvents(
    begin: @escaping @Sendable () -> Void, take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws
}

/// A part of the page server that must know about new events.
package protocol EventListener: Sendable {
  /// The stream of events has begun.
  func connected()
  /// Something changed at home.
  func readAgain()
  /// Something changed, and it concerns only one prompt.
  func changed(promptID: String)
  /// The stream of events ended.
  func lost(_ why: String)
}

extension EventListener {
  package func changed(promptID: String) { readAgain() }
}

/// Follows the events of the daemon, and tells a listener when to read again.
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

  /// Never returns.
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
        // The first prompt of a new alarm has an event of its own.
        listener.readAgain()
      }
    }
    do {
      // The stream has begun, so no event after the next reading can be missed.
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
  /// The time without data after which the connection counts as lost, in seconds. The daemon writes
  /// at least every 15 seconds.
  private static let silenceSeconds: Int64 = 18

  /// Follows the events of the daemon until the stream of events ends.
  ///
  /// - Parameter fields: more header fields of the request.
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
