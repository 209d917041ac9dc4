import CivilTime

/// The stored response to a request with an idempotency key.
///
/// The response is stored together with the changes of the request. If a client sends the same
/// request again, nothing changes and the client gets the same response.
///
/// An idempotency record is not part of the record of the home. An idempotency record may be
/// deleted after `keptMilliseconds`. If the response mentions a person, the response is erased
/// together with the person.
public struct IdempotencyRecord: Sendable, Hashable {
  /// The actor who chose the key. Two actors may use the same key.
  public var actor: String
  public var key: String
  /// The SHA-256 of the request in hex. The same key with another request is an error.
  public var requestDigest: String
  public var status: Int
  public var contentType: String
  public var headers: [String: String]
  public var body: [UInt8]
  public var at: Instant

  public init(
    actor: String, key: String, requestDigest: String, status: Int, contentType: String,
    headers: [String: String], body: [UInt8], at: Instant
  ) {
    self.actor = actor
    self.key = key
    self.requestDigest = requestDigest
    self.status = status
    self.contentType = contentType
    self.headers = headers
    self.body = body
    self.at = at
  }

  /// The time for which a response is kept: seven days. A phone that cannot reach the home for a
  /// weekend can send its outbox within this time.
  public static let keptMilliseconds: Int64 = 7 * 86_400_000
  /// The maximum number of stored responses. The newest responses stay. For a short time there may
  /// be up to `keptSlack` more responses.
  public static let keptCount = 10_000
  /// The maximum for one actor. If one actor sends too many requests, the responses to other actors
  /// stay.
  public static let keptCountPerActor = 2_000
  public static let keptSlack = 64
}
