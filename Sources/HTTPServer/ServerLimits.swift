import API

/// The resources that one peer may use.
///
/// With these limits, no peer can use up the memory or the connections that the daemon needs for
/// the next ring.
public struct ServerLimits: Sendable, Hashable {
  /// The maximum number of open connections of all users together.
  ///
  /// Admins have `connectionsPerUser` additional slots, so that an admin can still inspect a full
  /// server.
  public var connections: Int
  /// The maximum number of open connections of one user.
  ///
  /// This is also the maximum number of open connections of all users without a role together. The
  /// server refuses all requests of users without a role. Because of the common limit, even very
  /// many users without a role cannot use all connections.
  public var connectionsPerUser: Int
  /// The number of additional slots for users who can answer a prompt and have no other connection.
  ///
  /// The server uses these slots if all slots of `connections` are full. An admin gets one of these
  /// slots only if the additional slots for admins are also full.
  public var firstConnections: Int
  /// The number of additional slots for answers. Each of these slots serves only one request whose
  /// operation is `isForAnswering`.
  ///
  /// If all other slots are full, the server gives these slots to users who can answer a prompt.
  public var answerConnections: Int
  /// The maximum number of slots of `answerConnections` that one user may use at the same time.
  public var answerConnectionsPerUser: Int
  /// The maximum time for the head of a request, from its first byte to its last byte. For the
  /// first request of a connection, the time starts when the connection opens.
  public var headerSeconds: Double
  /// The time after which the limit `bodyBytesPerSecond` applies to a body.
  public var bodySeconds: Double
  /// The minimum average rate of a body, in bytes per second. The limit applies after
  /// `bodySeconds`.
  ///
  /// With this rate, a phone with a slow connection can still upload a recording. But a peer cannot
  /// keep a slot if it sends only a few bytes per second.
  public var bodyBytesPerSecond: Double
  /// The maximum time without a new byte of a body. After this time, the server closes the
  /// connection.
  public var bodyIdleSeconds: Double
  /// The maximum time that a connection may be idle between two requests.
  public var idleSeconds: Double
  /// The maximum time that the peer may take to read one piece of at most 64 KiB.
  public var writeStallSeconds: Double
  /// The maximum time that a peer may take to close the connection after its last response.
  public var lingerSeconds: Double
  /// The maximum size of the request line and all header fields together, in bytes.
  public var headerBytes: Int
  /// The maximum size of the uploads of all users together, in bytes.
  ///
  /// The first `freeBodyBytes` bytes of each body are free. Only the other bytes of the body count
  /// towards this limit.
  public var uploadBytes: Int
  /// The maximum total size of all running uploads of one user, in bytes. The first `freeBodyBytes`
  /// bytes of each body do not count towards this limit.
  public var uploadBytesPerUser: Int
  /// The size of the first part of each body, in bytes. The bytes of this part do not count towards
  /// the limits for uploads.
  ///
  /// The server always has memory for the first part of each body. If a body is larger than
  /// `freeBodyBytes`, it is an upload. Therefore, even if uploads use all of their memory, the
  /// server can serve other requests.
  public var freeBodyBytes: Int

  /// The maximum memory for request bodies, in bytes. The value is the memory for the first part of
  /// each body plus the memory for uploads.
  public var mostBodyBytes: Int {
    let places = connections + connectionsPerUser + firstConnections + answerConnections
    return places * freeBodyBytes + uploadBytes
  }

  public init(
    connections: Int, connectionsPerUser: Int, firstConnections: Int, answerConnections: Int,
    answerConnectionsPerUser: Int, headerSeconds: Double, bodySeconds: Double,
    bodyBytesPerSecond: Double, bodyIdleSeconds: Double, idleSeconds: Double,
    writeStallSeconds: Double, lingerSeconds: Double, headerBytes: Int, uploadBytes: Int,
    uploadBytesPerUser: Int, freeBodyBytes: Int
  ) {
    self.connections = connections
    self.connectionsPerUser = connectionsPerUser
    self.firstConnections = firstConnections
    self.answerConnections = answerConnections
    self.answerConnectionsPerUser = answerConnectionsPerUser
    self.headerSeconds = headerSeconds
    self.bodySeconds = bodySeconds
    self.bodyBytesPerSecond = bodyBytesPerSecond
    self.bodyIdleSeconds = bodyIdleSeconds
    self.idleSeconds = idleSeconds
    self.writeStallSeconds = writeStallSeconds
    self.lingerSeconds = lingerSeconds
    self.headerBytes = headerBytes
    self.uploadBytes = uploadBytes
    self.uploadBytesPerUser = uploadBytesPerUser
    self.freeBodyBytes = freeBodyBytes
  }

  /// The limits of the shipped daemon.
  ///
  /// The limit of 12 MiB for the uploads of one user is enough for the largest recording (10 MiB)
  /// and a picture at the same time. The limit of 32 MiB for the uploads of all users is enough for
  /// two users with full uploads (24 MiB) and 8 MiB of a third user. Bodies use at most 39.5 MiB of
  /// memory: 7.5 MiB for 120 slots of 64 KiB each, and 32 MiB for uploads.
  public static let standard = ServerLimits(
    connections: 64, connectionsPerUser: 8, firstConnections: 16, answerConnections: 32,
    answerConnectionsPerUser: 2, headerSeconds: 5, bodySeconds: 5, bodyBytesPerSecond: 8192,
    bodyIdleSeconds: 10, idleSeconds: 60, writeStallSeconds: 5, lingerSeconds: 1,
    headerBytes: 16 * 1024, uploadBytes: 32 * 1024 * 1024, uploadBytesPerUser: 12 * 1024 * 1024,
    freeBodyBytes: Route.smallBody)
}
