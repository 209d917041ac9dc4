import CivilTime

/// The answer to a request that named itself with a key, kept with what the request changed, so that
/// the same request sent again changes nothing and hears the same.
///
/// It is no part of the record: it may be forgotten after `keptMilliseconds`, and is erased with the
/// person it tells of.
public struct IdempotencyRecord: Sendable, Hashable {
  /// Whose key it is. Two people may choose the same key.
  public var actor: String
  public var key: String
  /// SHA-256 of the request in hex: the same key with another request is a mistake.
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

  /// Seven days: a phone that was out of reach for a weekend and its outbox.
  public static let keptMilliseconds: Int64 = 7 * 86_400_000
  /// At most so many, the newest; `keptSlack` more for a while.
  public static let keptCount = 10_000
  /// Of one actor at most so many: a flood of one takes none of another's.
  public static let keptCountPerActor = 2_000
  public static let keptSlack = 64
}
