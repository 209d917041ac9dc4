import API
import Alarms
import CivilTime
import Engine
import Synchronization

/// A request with an idempotency key, while it is handled.
struct IdempotentRequest: Sendable {
  var actor: String
  var key: String
  var digest: String

  /// The idempotency record of a response to this request; nil for a stream.
  func idempotencyRecord(_ response: APIResponse, at: Instant) -> IdempotencyRecord? {
    guard case .bytes(let body) = response.body else { return nil }
    return IdempotencyRecord(
      actor: actor, key: key, requestDigest: digest, status: response.status,
      contentType: response.contentType, headers: response.headers, body: body, at: at)
  }
}

/// The keys of the requests that are being handled now.
final class InFlight: Sendable {
  private struct Key: Hashable { var actor: String, key: String }
  private let keys = Mutex<Set<Key>>([])

  func begin(_ ticket: IdempotentRequest) -> Bool {
    keys.withLock { $0.insert(Key(actor: ticket.actor, key: ticket.key)).inserted }
  }

  func end(_ ticket: IdempotentRequest) {
    keys.withLock { _ = $0.remove(Key(actor: ticket.actor, key: ticket.key)) }
  }
}

/// Requests that a client may send again.
extension RequestHandler {
  /// Handles a request with a key at most once. A repeated request gets the stored response.
  ///
  /// A refusal is not stored, because nothing has changed. The same request is then tried again.
  func once(_ key: String, _ request: APIRequest) async throws -> APIResponse {
    let ticket = IdempotentRequest(
      actor: request.actor.id, key: key, digest: archive.idempotencyRecords.digest(request.identity)
    )
    guard underWay.begin(ticket) else {
      throw Refusal(
        .conflict, field: "Idempotency-Key",
        "cannot answer yet: a request with this key is being carried out; ask again")
    }
    defer { underWay.end(ticket) }
    if let kept = try archive.idempotencyRecords.find(ticket.actor, key) {
      guard kept.requestDigest == ticket.digest else {
        throw Refusal(
          .keyReused, field: "Idempotency-Key",
          "cannot take this key: it was used for another request at \(kept.at)")
      }
      var headers = kept.headers
      headers["idempotent-replayed"] = "true"
      return APIResponse(
        status: kept.status, contentType: kept.contentType, headers: headers,
        body: .bytes(kept.body))
    }
    let written = Mutex(false)
    let response = try await RequestHandler.$ticket.withValue(
      Written(ticket: ticket) { written.withLock { $0 = true } }
    ) { try await respond(request) }
    // A response that went through `carryOut` was stored in the transaction of the change itself.
    if (200..<300).contains(response.status), !written.withLock({ $0 }),
      let idempotencyRecord = ticket.idempotencyRecord(response, at: ports.now().wall)
    {
      try archive.idempotencyRecords.keep(idempotencyRecord)
    }
    return response
  }

  /// The keyed request in progress, and a callback for its stored response.
  struct Written: Sendable {
    var ticket: IdempotentRequest
    var note: @Sendable () -> Void
  }

  @TaskLocal static var ticket: Written?

  /// Executes a command. If the request has a key, stores the response in the same transaction.
  ///
  /// - Parameter say: makes the response from the reply and the state before the command. It runs
  ///   in the engine: it must be quick and must not call the engine.
  func carryOut(
    _ command: Command, by actor: Actor,
    _ say: @escaping @Sendable (Reply, HomeState) -> APIResponse
  ) async throws(Refusal) -> APIResponse {
    try await carryOut({ _ throws(Refusal) in command }, by: actor, say)
  }

  /// Executes a command that is chosen from the state at execution.
  func carryOut(
    _ decide: @escaping @Sendable (HomeState) throws(Refusal) -> Command, by actor: Actor,
    _ say: @escaping @Sendable (Reply, HomeState) -> APIResponse
  ) async throws(Refusal) -> APIResponse {
    let written = Self.ticket
    let now = ports.now().wall
    let response = try await engine.execute(decide, by: actor, answering: say) { response in
      written?.ticket.idempotencyRecord(response, at: now)
    }
    written?.note()
    return response
  }
}
