import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// `/v1/events`: the record as it grows, as server-sent events.
///
/// A stream is asked for its next piece only when the one before is with the kernel, and reads that
/// piece from the record: a slow reader costs no memory, and one that does not read at all is cut by
/// the Gate. Every event carries its `seq` as its id, so whoever was cut goes on with `Last-Event-ID`.
extension RequestHandler {
  /// Events in one piece.
  private static let pieceCount = 100
  /// A reader of one person's events hears something this often, however many events of others come. 15 s.
  private static let heartbeatNanoseconds: Int64 = 15_000_000_000

  func events(_ request: APIRequest) throws -> APIResponse {
    let head = archive.head().sequence
    var (after, field) = (
      Int64(try request.integer("after", in: 0...Int.max) ?? Int(head)), "after"
    )
    if let text = request.headers["last-event-id"] {
      guard let last = Int64(text), last >= 0 else {
        throw Refusal(
          .invalidField, field: "Last-Event-ID", "\"\(text)\" is no sequence number of an event")
      }
      (after, field) = (last, "Last-Event-ID")
    }
    // It comes from another record, or from one that was restored since: what follows in this one is not what
    // the reader is missing.
    guard after <= head else {
      throw Refusal(
        .invalidField, field: field,
        "there is no event \(after) yet"
          + (request.only == nil ? ": the record is at \(head)" : "") + "; begin anew")
    }
    let stream = EventStream(handler: self, request: request, after: after)
    presence.attached(request.actor, by: 1)
    return APIResponse(
      status: 200, contentType: "text/event-stream", headers: ["cache-control": "no-store"],
      body: .stream(AsyncThrowingStream(unfolding: { try await stream.next() })))
  }

  /// One reader's place in the record.
  private actor EventStream {
    private let handler: RequestHandler
    private let actor: Actor
    private let only: PersonID?
    private var after: Int64
    private var isGreeted = false
    /// When the last piece was handed out, by the boot clock, in nanoseconds.
    private var sentAt: Int64 = 0

    init(handler: RequestHandler, request: APIRequest, after: Int64) {
      self.handler = handler
      actor = request.actor
      only = request.only
      self.after = after
    }

    deinit { handler.presence.attached(actor, by: -1) }

    /// The next piece; nil once the house closes.
    func next() async throws -> [UInt8]? {
      let piece = isGreeted ? try await nextPiece() : greeting
      isGreeted = true
      sentAt = handler.ports.now().bootNanoseconds
      return piece.map { Array($0.utf8) }
    }

    /// The numbers of the record count everybody's events, so who sees one person's hears none.
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
        let code = try only.map { try handler.archive.study.code($0) ?? "" }
        let text = events.compactMap { notified($0, code) }.joined()
        if !text.isEmpty { return text }
        if !events.isEmpty {
          // Nothing that this reader may see. Its place in the record moves on all the same, but who
          // sees one person's events alone does not hear when others' happen.
          if only == nil { return "id: \(after)\n: \n\n" }
          // A long record is read piece by piece: a reader that left is noticed.
          if events.count == RequestHandler.pieceCount || isQuietForLong { return heartbeat }
          continue
        }
        switch await handler.archive.news(after) {
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

    /// - Parameter code: of the person of whom alone this reader hears; nil for everybody, empty for somebody
    ///   of whom nothing is recorded.
    private func notified(_ event: JSON, _ code: String?) -> String? {
      guard let sequence = event["seq"]?.integer, let type = event["type"]?.string else {
        return nil
      }
      var event = event
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

  /// What a patient's front end needs to show what is to be done: the life of prompts, and no more.
  static let patientTypes: Set<String> = [
    "planned", "due", "suppressed", "ring_intent", "ring_started", "ring_ended", "presented",
    "acknowledged", "delayed", "completed", "declined", "missed", "cancelled", "superseded",
    "correction", "reward",
  ]
  static let patientColumns = ["seq", "type", "prompt_id", "ring_no", "alarm_id", "wall_utc_ms"]
}
