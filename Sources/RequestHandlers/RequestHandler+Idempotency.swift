import API
import Alarms
import CivilTime
import Engine
import Synchronization

/// The actor, the idempotency key and the digest of a request that the daemon handles now.
struct IdempotentRequest: Sendable {
  var actor: String
  var key: String
  var digest: String

  /// Returns the response in the form that the daemon stores; nil if the response is a stream.
  func idempotencyRecord(_ response: APIResponse, at: Instant) -> IdempotencyRecord? {
    guard case .bytes(let body) = response.body else { return nil }
    return IdempotencyRecord(
      actor: actor, key: key, requestDigest: digest, status: response.status,
      contentType: response.contentType, headers: response.headers, body: body, at: at)
  }
}

/// The idempotency keys of the requests that the daemon is handling now.
final class InFlight: Sendable {
  private struct Key: Hashable { var actor: String, key: String }
  private let keys = Mutex<Set<Key>>([])

  func begin(_ keyedRequest: IdempotentRequest) -> Bool {
    keys.withLock { $0.insert(Key(actor: keyedRequest.actor, key: keyedRequest.key)).inserted }
  }

  func end(_ keyedRequest: IdempotentRequest) {
    keys.withLock { _ = $0.remove(Key(actor: keyedRequest.actor, key: keyedRequest.key)) }
  }
}

/// Handles requests with an idempotency key.
extension RequestHandler {
  /// Handles a request with an idempotency key at most once. A repeated request gets the stored
  /// response.
  ///
  /// The daemon does not store a refusal, because a refused request changes nothing. If the client
  /// repeats a refused request, the daemon handles the request again.
  func once(_ key: String, _ request: APIRequest) async throws -> APIResponse {
    let keyedRequest = IdempotentRequest(
      actor: request.actor.id, key: key, digest: archive.idempotencyRecords.digest(request.identity)
    )
    guard inFlight.begin(keyedRequest) else {
      throw Refusal(
        .conflict, field: "Idempotency-Key",
        "cannot answer yet: a request with this key is in progress; try again")
    }
    defer { inFlight.end(keyedRequest) }
    if let kept = try archive.idempotencyRecords.find(keyedRequest.actor, key) {
      guard kept.requestDigest == keyedRequest.digest else {
        throw Refusal(
          .keyReused, field: "Idempotency-Key",
          "cannot use this key: it was used for another request at \(kept.at); choose another key")
      }
      var headers = kept.headers
      headers["idempotent-replayed"] = "true"
      return APIResponse(
        status: kept.status, contentType: kept.contentType, headers: headers,
        body: .bytes(kept.body))
    }
    let written = Mutex(false)
    let response = try await RequestHandler.$keyedRequest.withValue(
      Written(keyedRequest: keyedRequest) { written.withLock { $0 = true } }
    ) { try await respond(await withKnownNames(request)) }
    // If the handler called `carryOut`, the engine has already stored the response in the
    // transaction of the events.
    if (200..<300).contains(response.status), !written.withLock({ $0 }),
      let idempotencyRecord = keyedRequest.idempotencyRecord(response, at: ports.now().wall)
    {
      try archive.idempotencyRecords.keep(idempotencyRecord)
    }
    return response
  }

  /// The request that the current Swift task handles, if this request has an idempotency key. When
  /// the engine has stored the response to this request, `carryOut` calls the closure `note`. The
  /// function `once` then does not store the response a second time.
  struct Written: Sendable {
    var keyedRequest: IdempotentRequest
    var note: @Sendable () -> Void
  }

  @TaskLocal static var keyedRequest: Written?

  /// Executes a command. If the request has a key, the engine stores the response in the same
  /// transaction as the events of the command.
  ///
  /// - Parameter say: a closure that creates the response. The arguments of this closure are the
  ///   reply of the engine and the state of the home before the command. The closure runs in the
  ///   engine, so it must be quick and must not call the engine.
  func carryOut(
    _ command: Command, by actor: Actor,
    _ say: @escaping @Sendable (Reply, HomeState) -> APIResponse
  ) async throws(Refusal) -> APIResponse {
    try await carryOut({ _ throws(Refusal) in command }, by: actor, say)
  }

  /// Executes the command that `decide` returns for the current state.
  func carryOut(
    _ decide: @escaping @Sendable (HomeState) throws(Refusal) -> Command, by actor: Actor,
    _ say: @escaping @Sendable (Reply, HomeState) -> APIResponse
  ) async throws(Refusal) -> APIResponse {
    let written = Self.keyedRequest
    let now = ports.now().wall
    let response = try await engine.execute(decide, by: actor, answering: say) { response in
      written?.keyedRequest.idempotencyRecord(response, at: now)
    }
    written?.note()
    return response
  }
}
