import API

/// What one peer may take from the house, so that no peer can take what the next ring needs.
public struct ServerLimits: Sendable, Hashable {
  /// Open connections of all users together.
  ///
  /// Admins have `connectionsPerUser` places beyond it: a full house can still be looked at.
  public var connections: Int
  /// Open connections of one user. All users without a role share this number between them: they
  /// get nothing but a refusal, and cannot use up the house by being many.
  public var connectionsPerUser: Int
  /// Places beyond `connections` and those of the admins, each for a user who can answer a prompt
  /// and has no other connection.
  public var firstConnections: Int
  /// Places beyond all others, for one answer each (`Route.isForAnswering`): of users who can answer
  /// a prompt and find no other place.
  public var answerConnections: Int
  /// The most of `answerConnections` that one user holds.
  public var answerConnectionsPerUser: Int
  /// From the first byte of a head (on a new connection: from its start) to its last.
  public var headerSeconds: Double
  /// The time a body has before `bodyBytesPerSecond` counts.
  public var bodySeconds: Double
  /// The slowest body that is waited for, averaged after the first `bodySeconds`: a recording comes
  /// through a telephone's uplink, a trickle does not keep a place.
  public var bodyBytesPerSecond: Double
  /// How long a body may pause: without a byte for this time, the connection is closed.
  public var bodyIdleSeconds: Double
  /// How long a connection may rest between two requests.
  public var idleSeconds: Double
  /// How long one write of at most 64 KiB may wait for the peer to read.
  public var writeStallSeconds: Double
  /// How long a peer that was answered for the last time may take to leave.
  public var lingerSeconds: Double
  /// The request line and all header fields together.
  public var headerBytes: Int
  /// The uploads of all users together: what their bodies hold beyond `freeBodyBytes` each.
  public var uploadBytes: Int
  /// The uploads of one user together, counted in the same way.
  public var uploadBytesPerUser: Int
  /// The beginning of each body that always has room, and is not counted as an upload. All requests
  /// but uploads have smaller bodies, so uploads never keep another request out.
  public var freeBodyBytes: Int

  /// The most memory that bodies take, in bytes: each connection's beginning, and the uploads.
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
  /// 12 MiB are the largest recording (10 MiB) and a picture at once. 32 MiB are two users' whole
  /// share and most of a third's. Bodies take at most 39.5 MiB: 120 places of 64 KiB, and the uploads.
  public static let standard = ServerLimits(
    connections: 64, connectionsPerUser: 8, firstConnections: 16, answerConnections: 32,
    answerConnectionsPerUser: 2, headerSeconds: 5, bodySeconds: 5, bodyBytesPerSecond: 8192,
    bodyIdleSeconds: 10, idleSeconds: 60, writeStallSeconds: 5, lingerSeconds: 1,
    headerBytes: 16 * 1024, uploadBytes: 32 * 1024 * 1024, uploadBytesPerUser: 12 * 1024 * 1024,
    freeBodyBytes: Route.smallBody)
}
