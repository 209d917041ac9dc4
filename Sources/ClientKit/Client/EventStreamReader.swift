import Synchronization

/// Reads server-sent events (HTML Living Standard, 9.2.6) out of pieces that come as they like.
package final class EventStreamReader: Sendable {
  /// An event with the record's row in it.
  package struct ServerSentEvent: Sendable {
    package var sequence: Int64?
    package var data: String
  }

  private struct State {
    /// The line that has not ended yet.
    var line: [UInt8] = []
    var data: [String] = []
    var sequence: Int64?
  }
  private let state = Mutex(State())
  private let handle: @Sendable (ServerSentEvent) throws -> Void

  /// Far more than a row of the record has; what is longer is none.
  private static let longestLine = 1 << 20

  /// - Parameter handle: takes each event, in order; what it throws ends the reading.
  package init(handle: @escaping @Sendable (ServerSentEvent) throws -> Void) {
    self.handle = handle
  }

  package func take(_ bytes: [UInt8]) throws {
    let events = try state.withLock { state in
      var events: [ServerSentEvent] = []
      for byte in bytes {
        guard byte == UInt8(ascii: "\n") else {
          state.line.append(byte)
          guard state.line.count <= Self.longestLine else {
            throw Failure.unreachable("cannot understand the daemon's events: a line has no end")
          }
          continue
        }
        if state.line.last == UInt8(ascii: "\r") { state.line.removeLast() }
        let line = String(decoding: state.line, as: UTF8.self)
        state.line = []
        if let event = Self.read(line, &state) { events.append(event) }
      }
      return events
    }
    for event in events { try handle(event) }
  }

  /// - Returns: the event that an empty line ends; one without data only moves the place on.
  private static func read(_ line: String, _ state: inout State) -> ServerSentEvent? {
    if line.isEmpty {
      defer { (state.data, state.sequence) = ([], nil) }
      guard !state.data.isEmpty || state.sequence != nil else { return nil }
      return ServerSentEvent(sequence: state.sequence, data: state.data.joined(separator: "\n"))
    }
    let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = sides.count < 2 ? "" : sides[1].hasPrefix(" ") ? sides[1].dropFirst() : sides[1]
    switch sides[0] {
    case "id": state.sequence = Int64(value)
    case "data": state.data.append(String(value))
    default: break  // A comment, or what we have no use for.
    }
    return nil
  }
}
