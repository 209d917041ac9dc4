import API

/// The resources that one peer may use.
///
/// They ensure that no peer uses the resources that the next ring needs.
public struct ServerLimits: Sendable, Hashable {
  /// Maximum open connections of all users together.
  ///
  /// Admins have `connectionsPerUser` slots in addition, so that they can still inspect a full
  /// server.
  public var connections: Int
  /// Maximum open connections of one user.
  ///
  /// All users without a role share this number: they get only a refusal, and they cannot fill the
  /// server by being many.
  public var connectionsPerUser: Int
  /// Additional slots for users who can answer and have no other connection.
  ///
  /// They come after `connections` and the slots of the admins.
  public var firstConnections: Int
  /// Additional slots after all others, each for one request (`Route.isForAnswering`).
  ///
  /// They are for users who can answer a prompt and find no other slot.
  public var answerConnections: Int
  /// Maximum of `answerConnections` that one user may hold.
  public var answerConnectionsPerUser: Int
  /// Time for a head, from its first byte to its last. On a new connection, it starts with the
  /// connection.
  public var headerSeconds: Double
  /// Time for a body before `bodyBytesPerSecond` counts.
  public var bodySeconds: Double
  /// Slowest accepted rate of a body, averaged after the first `bodySeconds`.
  ///
  /// It is low enough for a recording that is sent from a phone, and high enough that a trickle of
  /// bytes does not hold a slot.
  public var bodyBytesPerSecond: Double
  /// Maximum pause within a body. After this time without a byte, the connection is closed.
  public var bodyIdleSeconds: Double
  /// Maximum time that a connection may be idle between two requests.
  public var idleSeconds: Double
  /// Maximum time for the peer to read one write of at most 64 KiB.
  public var writeStallSeconds: Double
  /// Maximum time for a peer to close after its last response.
  public var lingerSeconds: Double
  /// Maximum size of the request line and all header fields together.
  public var headerBytes: Int
  /// Maximum of the uploads of all users together: the bytes of each body after `freeBodyBytes`.
  public var uploadBytes: Int
  /// Maximum of the uploads of one user, counted in the same way.
  public var uploadBytesPerUser: Int
  /// Size of the beginning of a body that does not count.
  ///
  /// It always has room and is not part of an upload. All requests except uploads have smaller
  /// bodies, so uploads never keep another request from being served.
  public var freeBodyBytes: Int

  /// Maximum memory for bodies, in bytes: the beginning of each body, and the uploads.
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
  /// 12 MiB are the largest recording (10 MiB) and a picture at the same time. 32 MiB are the whole
  /// share of two users and most of the share of a third. Bodies take at most 39.5 MiB: 120 slots
  /// of 64 KiB, and the uploads.
  public static let standard = ServerLimits(
    connections: 64, connectionsPerUser: 8, firstConnections: 16, answerConnections: 32,
    answerConnectionsPerUser: 2, headerSeconds: 5, bodySeconds: 5, bodyBytesPerSecond: 8192,
    bodyIdleSeconds: 10, idleSeconds: 60, writeStallSeconds: 5, lingerSeconds: 1,
    headerBytes: 16 * 1024, uploadBytes: 32 * 1024 * 1024, uploadBytesPerUser: 12 * 1024 * 1024,
    freeBodyBytes: Route.smallBody)
}
