import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// The handler of `/v1/events`, which sends new events of the record as server-sent events.
///
/// The daemon sends the events in pieces of at most 100 events. The daemon reads a piece from the
/// record only after the kernel has accepted the previous piece. Therefore a slow client does not
/// fill the memory of the daemon. The HTTP server disconnects a client that does not read. The id
/// of each server-sent event is the sequence number (`seq`) of the row in the record. After a
/// disconnection, the client sends this id as `Last-Event-ID` and gets the events after it.
extension RequestHandler {
  /// The maximum number of events in one piece of the stream.
  private static let pieceCount = 100
  /// The maximum time for which the daemon sends no data to a client, in nanoseconds. After this
  /// time, the daemon sends a line without an event. This line is not the event `heartbeat` of the
  /// record.
  ///
  /// Only a client that is restricted to one person needs this limit. If all new events concern
  /// other people, this client gets no events for a long time.
  private static let heartbeatNanoseconds: Int64 = 15_000_000_000

  func events(_ request: APIRequest) throws -> APIResponse {
    let head = archive.head().sequence
    var (after, field) = (
      Int64(try request.integer("after", in: 0...Int.max) ?? Int(head)), "after"
    )
    if let text = request.headers["last-event-id"] {
      guard let last = Int64(text), last >= 0 else {
        throw Refusal(
          .invalidField, field: "Last-Event-ID",
          "\"\(text)\" is not the sequence number of an event")
      }
      (after, field) = (last, "Last-Event-ID")
    }
    // The client sent a sequence number that is larger than the newest sequence number in this
    // record. The client received this number from a different home, or before somebody restored an
    // older backup of this home. Therefore, the daemon cannot find the events that the client
    // missed.
    guard after <= head else {
      throw Refusal(
        .invalidField, field: field,
        "there is no event \(after) yet"
          + (request.only == nil ? ": the newest is \(head)" : "")
          + "; start a new stream without this number")
    }
    guard !request.isHeadOnly else { return Self.eventStream(AsyncThrowingStream { $0.finish() }) }
    let stream = EventStream(handler: self, request: request, after: after)
    callerStats.attached(request.actor, by: 1)
    return Self.eventStream(AsyncThrowingStream(unfolding: { try await stream.next() }))
  }

  private static func eventStream(
    _ chunks: AsyncThrowingStream<[UInt8], any Error>
  ) -> APIResponse {
    APIResponse(
      status: 200, contentType: "text/event-stream", headers: ["cache-control": "no-store"],
      body: .stream(chunks))
  }

  /// The event stream of one client. The stream stores the position in the record up to which it
  /// has read the events.
  private actor EventStream {
    private let handler: RequestHandler
    private let actor: Actor
    private let only: PersonID?
    private var after: Int64
    /// True if a study hides the names of the phases from the client.
    private var isHidingPhases = true
    private var isGreeted = false
    /// The boot time at which the handler last sent a piece of the stream, in nanoseconds.
    private var sentAt: Int64 = 0

    init(handler: RequestHandler, request: APIRequest, after: Int64) {
      self.handler = handler
      actor = request.actor
      only = request.only
      self.after = after
    }

    deinit { handler.callerStats.attached(actor, by: -1) }

    /// Waits for the next piece of the event stream; nil if the daemon stops.
    func next() async throws -> [UInt8]? {
      let piece = isGreeted ? try await nextPiece() : greeting
      isGreeted = true
      sentAt = handler.ports.now().bootNanoseconds
      return piece.map { Array($0.utf8) }
    }

    /// The first text that the stream sends.
    ///
    /// Sequence numbers count the events of all people. If the client may see only the events of
    /// one person, the client must not learn when events of other people happen. Therefore the text
    /// for this client contains no sequence number.
    private var greeting: String {
      "retry: 2000\n"
        + (only == nil ? ": after \(after), the record is at \(head)\n\n" : ": welcome\n\n")
    }

    private var heartbeat: String {
      only == nil ? ": the record is at \(head)\n\n" : ": still here\n\n"
    }

    private func nextPiece() async throws -> String? {
      while true {
        let events = try handler.archive.events(after, RequestHandler.pieceCount)
        if let last = events.last?["seq"]?.integer { after = last }
        isHidingPhases = await handler.hidesPhases(from: actor)
        let code = try only.map { try handler.archive.study.code($0) ?? "" }
        let text = events.compactMap { notified($0, code) }.joined()
        if !text.isEmpty { return text }
        if !events.isEmpty {
          // The client has no permission to see the events that the stream has just read. If the
          // client may see all people, the daemon still sends the new position in the stream, which
          // is a sequence number. If the client may see only one person, the daemon sends no new
          // position, because the client must not learn when events of other people happen.
          if only == nil { return "id: \(after)\n: \n\n" }
          // The daemon reads a long record in pieces of `pieceCount` events. If the client may see
          // no event of a full piece, the daemon sends only a line without content (`heartbeat`).
          // If the client has disconnected, this write fails, and the daemon stops reading.
          if events.count == RequestHandler.pieceCount || isQuietForLong { return heartbeat }
          continue
        }
        switch await handler.archive.newEvents(after) {
        case .some(true): continue
        case .some(false): return heartbeat
        case nil: return nil
        }
      }
    }

    private var isQuietForLong: Bool {
      handler.ports.now().bootNanoseconds - sentAt >= RequestHandler.heartbeatNanoseconds
    }

    private var head: Int64 { handler.archive.head().sequence }

    /// Returns the text of an event; nil if the client has no permission to see the event.
    ///
    /// - Parameter code: the pseudonym of the person to whom the client is restricted. The value is
    ///   nil if the client may see all people. The value is empty if the record contains no data of
    ///   the person.
    private func notified(_ event: JSON, _ code: String?) -> String? {
      guard let sequence = event["seq"]?.integer, let type = event["type"]?.string else {
        return nil
      }
      if actor.role == .courier {
        return "id: \(sequence)\ndata: {\"seq\":\(sequence)}\n\n"
      }
      if isHidingPhases, RequestHandler.phaseTypes.contains(type) { return nil }
      var event = event
      if isHidingPhases {
        event = event.hidingPhaseNames()
        // Remove the hashes. A reader who knows the hash of a row could compute the hash of the row
        // with each possible phase. The phase that gives the known hash would be the hidden phase.
        for name in ["prev_hash", "hash"] { event.set(name, .string("")) }
      }
      if actor.role == .patient {
        guard RequestHandler.patientTypes.contains(type),
          code == nil || event["person"]?.string == code
        else { return nil }
        event = .object(
          RequestHandler.patientColumns.compactMap { name in event[name].map { (name, $0) } })
      }
      return "id: \(sequence)\nevent: \(type)\ndata: \(event)\n\n"
    }
  }

  /// The types of events that a patient receives.
  ///
  /// The client of a patient shows only the tasks, so it needs only the events of prompts.
  static let patientTypes: Set<String> = [
    "planned", "due", "suppressed", "ring_intent", "ring_started", "ring_ended", "presented",
    "said_again",
    "acknowledged", "delayed", "completed", "declined", "missed", "cancelled", "superseded",
    "correction", "revised", "reward",
  ]
  /// The types of events that contain a phase or an arm of a person.
  static let phaseTypes: Set<String> = ["enrolled", "phase_changed"]
  static let patientColumns = ["seq", "type", "prompt_id", "ring_no", "alarm_id", "wall_utc_ms"]
}
