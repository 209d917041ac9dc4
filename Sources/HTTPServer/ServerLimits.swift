import API

/// The limits on the resources that one peer may use.
///
/// With these limits, no peer can use up the memory or the connections that the daemon needs for
/// the next ring.
public struct ServerLimits: Sendable, Hashable {
  /// The number of ordinary slots for all users together. Each open connection occupies one slot.
  ///
  /// In addition, `connectionsPerUser` slots are reserved for admins. Therefore, an admin can
  /// inspect the server even if all ordinary slots are in use.
  public var connections: Int
  /// The maximum number of open connections of one user.
  ///
  /// All users without a role share one limit of the same size. The server refuses all their
  /// requests. Because of the shared limit, even very many such users cannot occupy all
  /// connections.
  public var connectionsPerUser: Int
  /// The number of additional slots for users who can answer a prompt and have no open connection.
  ///
  /// The server uses these slots if all slots of `connections` are full. An admin gets one of these
  /// slots only if the additional slots for admins are also full.
  public var firstConnections: Int
  /// The number of additional slots for answers. If all other slots are full, the server gives
  /// these slots to users who can answer a prompt.
  ///
  /// On a connection in such a slot, the server accepts only one request. `isForAnswering` must be
  /// true for the operation of this request.
  public var answerConnections: Int
  /// The maximum number of slots of `answerConnections` that one user may use at the same time.
  public var answerConnectionsPerUser: Int
  /// The maximum time for the head of a request, from its first byte to its last byte. For the
  /// first request of a connection, the time starts when the connection opens.
  public var headerSeconds: Double
  /// The period after the start of a body in which the limit `bodyBytesPerSecond` does not apply,
  /// in seconds.
  public var bodySeconds: Double
  /// The minimum average rate of a body, in bytes per second. The limit applies only after the
  /// first `bodySeconds` seconds of a body.
  ///
  /// With this rate, a phone with a slow connection can still upload a recording. But a peer that
  /// sends only a few bytes per second loses its connection.
  public var bodyBytesPerSecond: Double
  /// The maximum time without a new byte of a body. After this time, the server closes the
  /// connection.
  public var bodyIdleSeconds: Double
  /// The maximum idle time of a connection between two requests.
  public var idleSeconds: Double
  /// The maximum time without progress while the server writes a response. After this time, the
  /// server closes the connection. The peer makes progress when it reads at least 8 KiB, which is
  /// one piece of a response.
  public var writeStallSeconds: Double
  /// The maximum time between the last response and the end of the connection. The peer should
  /// close the connection before this time has passed.
  public var lingerSeconds: Double
  /// The maximum size of the request line and all header fields together, in bytes.
  public var headerBytes: Int
  /// The maximum size of the uploads of all users together, in bytes.
  ///
  /// The first `freeBodyBytes` bytes of each body do not count towards this limit.
  public var uploadBytes: Int
  /// The maximum total size of all running uploads of one user, in bytes. The first `freeBodyBytes`
  /// bytes of each body do not count towards this limit.
  public var uploadBytesPerUser: Int
  /// The number of bytes at the start of each body that do not count towards the limits for
  /// uploads.
  ///
  /// The server always has memory for these bytes. A body is an upload only if it is larger than
  /// `freeBodyBytes`. Therefore, even if uploads use all memory for uploads, the server can handle
  /// all requests that are not uploads.
  public var freeBodyBytes: Int

  /// The maximum memory for request bodies, in bytes. The value is the sum of two limits: the
  /// memory for the first `freeBodyBytes` bytes of each body, and the memory for uploads.
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

  /// The limits that the daemon uses.
  ///
  /// The limit of 12 MiB for the uploads of one user is enough for the largest recording (10 MiB)
  /// and a picture at the same time. The limit of 32 MiB for the uploads of all users is enough if
  /// two users upload 12 MiB each and a third user uploads 8 MiB. All request bodies together use
  /// at most 39.5 MiB of memory. Of this memory, 32 MiB are for uploads. The other 7.5 MiB are for
  /// the first 64 KiB of each body, because at most 120 connections can send a body at the same
  /// time.
  public static let standard = ServerLimits(
    connections: 64, connectionsPerUser: 8, firstConnections: 16, answerConnections: 32,
    answerConnectionsPerUser: 2, headerSeconds: 5, bodySeconds: 5, bodyBytesPerSecond: 8192,
    bodyIdleSeconds: 10, idleSeconds: 60, writeStallSeconds: 60, lingerSeconds: 1,
    headerBytes: 16 * 1024, uploadBytes: 32 * 1024 * 1024, uploadBytesPerUser: 12 * 1024 * 1024,
    freeBodyBytes: Route.smallBody)
}
