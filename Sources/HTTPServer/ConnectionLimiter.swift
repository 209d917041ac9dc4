import API
import Alarms
import NIOCore
import Synchronization

/// Counts the open connections and their upload bytes, and enforces the limits of each user and of
/// the whole server.
final class ConnectionLimiter: Sendable {
  /// The reason why a new connection cannot occupy a slot of `ServerLimits.connections`.
  enum Fullness: Sendable, Hashable {
    /// All users together already have the maximum number of open connections.
    case server
    /// The user of the new connection already has the maximum number of open connections.
    case user
  }

  /// The decision about a new connection.
  enum Entry: Sendable, Hashable {
    case admitted
    /// The connection got a slot that is reserved for one answer, because all other slots are full.
    /// From this connection, the server accepts only one request, and only if `isForAnswering` is
    /// true for its operation.
    case forOneAnswer(Fullness)
    case refused(Fullness)
    /// The server closes the new connection without a response. Either the server is closing all
    /// connections, or too many connections with `Place.leaving` are still open.
    case turnedAway
  }

  /// The result of `takeUploadRoom`.
  enum BodyRoom: Sendable, Hashable {
    case taken
    /// The new bytes are refused, because the uploads of all users together would exceed the limit.
    case serverFull
    /// The new bytes are refused, because the uploads of this user would exceed the limit.
    case userFull
  }

  /// The kind of slot that a connection occupies.
  private enum Place: Hashable {
    case ordinary, forAdmins
    /// The slot is for a user who can answer a prompt and has no other connection.
    case first
    case forOneAnswer
    /// The server has written a refusal or the last response to the connection. It is possible that
    /// the peer has not read the whole response yet.
    case leaving
  }

  /// An open connection and the kind of slot that it occupies.
  private struct Stay {
    var channel: any Channel
    var client: ClientKey
    var place: Place
  }

  private struct Count {
    var stays: [ObjectIdentifier: Stay] = [:]
    var places: [Place: Int] = [:]
    /// The number of connections of each user. This number does not include connections with a slot
    /// for one answer and connections in the state `leaving`.
    var clients: [ClientKey: Int] = [:]
    /// The number of connections of each user in slots that are reserved for one answer
    /// (`Place.forOneAnswer`).
    var answering: [ClientKey: Int] = [:]
    var uploads: [UInt32: Int] = [:]
    var isClosing = false

    var uploadTotal: Int { uploads.values.reduce(0, +) }

    mutating func add(_ stay: Stay) {
      stays[ObjectIdentifier(stay.channel)] = stay
      places[stay.place, default: 0] += 1
      switch stay.place {
      case .ordinary, .forAdmins, .first: clients[stay.client, default: 0] += 1
      case .forOneAnswer: answering[stay.client, default: 0] += 1
      case .leaving: break
      }
    }

    mutating func remove(_ channel: any Channel) -> Stay? {
      guard let stay = stays.removeValue(forKey: ObjectIdentifier(channel)) else { return nil }
      ConnectionLimiter.subtract(1, from: &places, stay.place)
      switch stay.place {
      case .ordinary, .forAdmins, .first: ConnectionLimiter.subtract(1, from: &clients, stay.client)
      case .forOneAnswer: ConnectionLimiter.subtract(1, from: &answering, stay.client)
      case .leaving: break
      }
      return stay
    }
  }

  private let limits: ServerLimits
  private let count = Mutex(Count())

  init(limits: ServerLimits) { self.limits = limits }

  /// Assigns a free slot to a new connection, if there is one. The connection occupies the slot
  /// until its channel closes.
  ///
  /// - Parameter roles: all roles of the user.
  func enter(_ channel: any Channel, uid: UInt32, roles: [Role]) -> Entry {
    let client = ClientKey(uid: uid, roles: roles)
    let entry = count.withLock { count -> Entry in
      let (entry, place) = verdict(count, client, roles)
      if let place { count.add(Stay(channel: channel, client: client, place: place)) }
      return entry
    }
    guard entry != .turnedAway else { return entry }
    channel.closeFuture.whenComplete { [self] _ in
      count.withLock { _ = $0.remove(channel) }
    }
    return entry
  }

  private func verdict(_ count: Count, _ client: ClientKey, _ roles: [Role]) -> (Entry, Place?) {
    if count.isClosing { return (.turnedAway, nil) }
    func isFree(_ place: Place, of most: Int) -> Bool { count.places[place, default: 0] < most }
    let held = count.clients[client, default: 0]
    let canAnswer = roles.contains(where: Route.answeringRoles.contains)
    var fullness = Fullness.user
    if held < limits.connectionsPerUser {
      if isFree(.ordinary, of: limits.connections) { return (.admitted, .ordinary) }
      if roles.contains(.admin), isFree(.forAdmins, of: limits.connectionsPerUser) {
        return (.admitted, .forAdmins)
      }
      if canAnswer, held == 0, isFree(.first, of: limits.firstConnections) {
        return (.admitted, .first)
      }
      fullness = .server
    }
    if canAnswer, isFree(.forOneAnswer, of: limits.answerConnections),
      count.answering[client, default: 0] < limits.answerConnectionsPerUser
    {
      return (.forOneAnswer(fullness), .forOneAnswer)
    }
    return isFree(.leaving, of: limits.connections)
      ? (.refused(fullness), .leaving) : (.turnedAway, nil)
  }

  /// Releases the slot of a connection that may send one answer. The connection calls this function
  /// after it has written the response.
  ///
  /// - Returns: true if the connection may stay open, so that the peer can read the response; false
  ///   if too many other connections are in the state `leaving`.
  func endAnswer(_ channel: any Channel) -> Bool {
    count.withLock { count in
      guard count.places[.leaving, default: 0] < limits.connections,
        var stay = count.remove(channel)
      else { return false }
      stay.place = .leaving
      count.add(stay)
      return true
    }
  }

  private static func subtract<Key>(_ amount: Int, from counts: inout [Key: Int], _ key: Key) {
    let left = counts[key, default: 0] - amount
    counts[key] = left > 0 ? left : nil
  }

  /// Counts the next bytes of an upload, if the limits permit them.
  ///
  /// - Parameter bytes: the number of new bytes. This number does not include the first
  ///   `freeBodyBytes` bytes of a body, because they do not count towards the limits.
  func takeUploadRoom(_ bytes: Int, uid: UInt32) -> BodyRoom {
    guard bytes > 0 else { return .taken }
    return count.withLock { count in
      if count.uploads[uid, default: 0] + bytes > limits.uploadBytesPerUser { return .userFull }
      if count.uploadTotal + bytes > limits.uploadBytes { return .serverFull }
      count.uploads[uid, default: 0] += bytes
      return .taken
    }
  }

  /// Subtracts `bytes` from the upload bytes that the limiter counts for this user.
  func giveUploadRoom(_ bytes: Int, uid: UInt32) {
    guard bytes > 0 else { return }
    count.withLock { Self.subtract(bytes, from: &$0.uploads, uid) }
  }

  /// Admits no further connection. Each open connection finishes its current request and then
  /// closes.
  func quiesce() {
    for channel in close() {
      channel.eventLoop.execute {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
    }
  }

  /// Refuses all new connections from now on, and closes all open connections at once.
  func clear() {
    for channel in close() { channel.close(promise: nil) }
  }

  private func close() -> [any Channel] {
    count.withLock { count in
      count.isClosing = true
      return count.stays.values.map(\.channel)
    }
  }

  /// Returns after the last connection has closed.
  func whenEmpty() async throws {
    while let channel = count.withLock({ $0.stays.first?.value.channel }) {
      // `enter` has already added a callback to `closeFuture`. The callback removes the channel
      // from `stays`, and runs before the `await` ends. Therefore, after the `await`, the channel
      // is no longer in `stays`.
      try await channel.closeFuture.get()
    }
  }

  /// The present counts of the limiter. Only tests use these counts. If no connection is open, all
  /// counts are zero.
  var held: (places: Int, leaving: Int, uploadBytes: Int, channels: Int, clients: Int) {
    count.withLock {
      (
        $0.places.values.reduce(0, +), $0.places[.leaving, default: 0], $0.uploadTotal,
        $0.stays.count, $0.clients.count + $0.answering.count + $0.uploads.count
      )
    }
  }
}
