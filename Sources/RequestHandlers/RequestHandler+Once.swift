import API
import Alarms
import CivilTime
import Engine
import Synchronization

/// A request that named itself with a key, on its way.
struct IdempotentRequest: Sendable {
  var actor: String
  var key: String
  var digest: String

  /// The answer to this request, to be kept.
  func idempotencyRecord(_ response: APIResponse, at: Instant) -> IdempotencyRecord? {
    guard case .bytes(let body) = response.body else { return nil }
    return IdempotencyRecord(
      actor: actor, key: key, requestDigest: digest, status: response.status,
      contentType: response.contentType, headers: response.headers, body: body, at: at)
  }
}

/// The keys of the requests that are being answered at this moment.
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

/// Requests that may be sent again.
extension RequestHandler {
  /// Answers a request with a key: once by doing it, from then on from what was kept. A refusal is
  /// not kept, for nothing has changed: sent again, the request is tried again.
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
    // What went through `carryOut` was kept in the transaction of the change itself.
    if (200..<300).contains(response.status), !written.withLock({ $0 }),
      let idempotencyRecord = ticket.idempotencyRecord(response, at: ports.now().wall)
    {
      try archive.idempotencyRecords.keep(idempotencyRecord)
    }
    return response
  }

  /// The ticket of the request being answered, and whom to tell that its answer is kept.
  struct Written: Sendable {
    var ticket: IdempotentRequest
    var note: @Sendable () -> Void
  }

  @TaskLocal static var ticket: Written?

  /// Carries out a command, and keeps the answer in the same transaction where the request has a key.
  ///
  /// - Parameter say: what the reply becomes, seen beside the home as it was before. It runs in the
  ///   engine: it must be quick and must not look at the engine itself.
  func carryOut(
    _ command: Command, by actor: Actor,
    _ say: @escaping @Sendable (Reply, HomeState) -> APIResponse
  ) async throws(Refusal) -> APIResponse {
    try await carryOut({ _ throws(Refusal) in command }, by: actor, say)
  }

  /// The same for a command that depends on how the home is when it is its turn.
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
