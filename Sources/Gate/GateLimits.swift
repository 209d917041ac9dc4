/// What one peer may take from the house, so that no peer can take what the next ring needs.
public struct GateLimits: Sendable, Hashable {
  /// Open connections of all users together.
  ///
  /// Admins have `connectionsPerUser` places beyond it: a full house can still be looked at.
  public var connections: Int
  /// Open connections of one user. All users without a role share this number between them: they
  /// get nothing but a refusal, and cannot use up the house by being many.
  public var connectionsPerUser: Int
  /// From the first byte of a head (on a new connection: from its start) to its last.
  public var headerSeconds: Double
  /// The time a body has before `bodyBytesPerSecond` counts.
  public var bodySeconds: Double
  /// The slowest body that is waited for, averaged after the first `bodySeconds`: a recording comes
  /// through a telephone's uplink, a trickle does not keep a place.
  public var bodyBytesPerSecond: Double
  /// How long a connection may rest between two requests.
  public var idleSeconds: Double
  /// How long one write of at most 64 KiB may wait for the peer to read.
  public var writeStallSeconds: Double
  /// How long a peer that was answered for the last time may take to leave.
  public var lingerSeconds: Double
  /// The request line and all header fields together.
  public var headerBytes: Int
  /// The bodies of all requests under way together.
  public var bodyBytes: Int

  public init(
    connections: Int, connectionsPerUser: Int, headerSeconds: Double, bodySeconds: Double,
    bodyBytesPerSecond: Double, idleSeconds: Double, writeStallSeconds: Double,
    lingerSeconds: Double, headerBytes: Int, bodyBytes: Int
  ) {
    self.connections = connections
    self.connectionsPerUser = connectionsPerUser
    self.headerSeconds = headerSeconds
    self.bodySeconds = bodySeconds
    self.bodyBytesPerSecond = bodyBytesPerSecond
    self.idleSeconds = idleSeconds
    self.writeStallSeconds = writeStallSeconds
    self.lingerSeconds = lingerSeconds
    self.headerBytes = headerBytes
    self.bodyBytes = bodyBytes
  }

  /// The limits of the shipped daemon. 32 MiB of bodies are three of the largest recordings at once.
  public static let standard = GateLimits(
    connections: 64, connectionsPerUser: 8, headerSeconds: 5, bodySeconds: 5,
    bodyBytesPerSecond: 8192, idleSeconds: 60, writeStallSeconds: 5, lingerSeconds: 1,
    headerBytes: 16 * 1024, bodyBytes: 32 * 1024 * 1024)
}
