import CivilTime

/// The stored response to a request with an idempotency key.
///
/// The daemon stores the response in the same transaction as the changes of the request. If a
/// client sends the same request again, the daemon changes nothing and sends the stored response.
///
/// Idempotency records are not events, and a replay does not restore these records. The daemon may
/// delete an idempotency record after `keptMilliseconds`. Each erasure deletes all idempotency
/// records, because a stored response can contain an erased text.
public struct IdempotencyRecord: Sendable, Hashable {
  /// The actor who sent the request. Two actors can use the same key.
  public var actor: String
  public var key: String
  /// The SHA-256 of the request in hex. If the actor sends a second request with the same key but a
  /// different digest, the daemon refuses the second request.
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

  /// The time for which the daemon keeps a response: seven days. If the command line could not
  /// reach the home for a weekend, the command line can safely send the changes of its outbox
  /// again.
  public static let keptMilliseconds: Int64 = 7 * 86_400_000
  /// The maximum number of stored responses. If there are more responses, the daemon deletes the
  /// oldest responses. A count is slow, so the daemon does not count the responses after each
  /// write. Therefore, after a count, the daemon can store up to 64 responses (`keptSlack`) more
  /// than the maximum.
  public static let keptCount = 10_000
  /// The maximum number of stored responses for one actor. Because of this limit, many requests of
  /// one actor do not remove the stored responses to other actors.
  public static let keptCountPerActor = 2_000
  public static let keptSlack = 64
}
