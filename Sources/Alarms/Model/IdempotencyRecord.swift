import CivilTime

/// Stored response to a request with an idempotency key.
///
/// It is stored together with the changes of the request. If a client sends the same request again,
/// nothing changes and the client gets the same response.
///
/// It is not part of the record. It may be deleted after `keptMilliseconds`, and it is erased
/// together with the person whom it mentions.
public struct IdempotencyRecord: Sendable, Hashable {
  /// Actor who chose the key. Two actors may use the same key.
  public var actor: String
  public var key: String
  /// SHA-256 of the request in hex. The same key with another request is an error.
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

  /// Seven days: enough for a phone, and its outbox, that was out of reach for a weekend.
  public static let keptMilliseconds: Int64 = 7 * 86_400_000
  /// Maximum stored responses; the newest stay. For a while there may be `keptSlack` more.
  public static let keptCount = 10_000
  /// Maximum for one actor. Too many requests of one actor do not remove the responses to another.
  public static let keptCountPerActor = 2_000
  public static let keptSlack = 64
}
