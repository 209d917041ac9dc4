import Synchronization

/// Reads server-sent events (HTML Living Standard, 9.2.6) from pieces of any size.
package final class EventStreamReader: Sendable {
  /// A server-sent event. Most events contain a row of the record. An event without a row contains
  /// only the sequence number from which the stream can continue.
  package struct ServerSentEvent: Sendable {
    package var sequence: Int64?
    package var data: String
  }

  private struct State {
    /// The bytes of the newest line. This line is not complete yet.
    var line: [UInt8] = []
    var data: [String] = []
    var sequence: Int64?
  }
  private let state = Mutex(State())
  private let handle: @Sendable (ServerSentEvent) throws -> Void

  /// The maximum length of a line of the stream, in bytes. A line contains at most one row of the
  /// record, and every row is much shorter than this limit.
  private static let longestLine = 1 << 20

  /// - Parameter handle: a function that gets each event in order. If the function throws an error,
  ///   the reading ends.
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
            throw Failure.unreachable("cannot read the daemon's events: a line is too long")
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

  /// - Returns: the complete event if the line is empty; nil for every other line. If the event
  ///   contains only a position in the stream, its `data` is empty.
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
    default: break  // A comment, or a field that is not used here.
    }
    return nil
  }
}
