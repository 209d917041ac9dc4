import Alarms
import NIOCore
import Synchronization

/// Counts who is in the house, so that the limits hold over all connections together.
final class Occupancy: Sendable {
  /// What a caller hears at the door.
  enum Entry: Sendable, Hashable {
    case admitted
    /// Too many connections of all users.
    case houseFull
    /// Too many connections of this user.
    case userFull
    /// So many were refused in this moment that there is not even a place to say so.
    case turnedAway
  }

  private enum Guest: Hashable {
    case user(UInt32)
    case strangers
  }

  private struct Count {
    var guests: [Guest: Int] = [:]
    var admitted = 0
    var refused = 0
    var bodyBytes = 0
    var isClosing = false
    var channels: [ObjectIdentifier: any Channel] = [:]
  }

  private let limits: GateLimits
  private let count = Mutex(Count())

  init(limits: GateLimits) { self.limits = limits }

  /// Gives a new connection its place, until its channel closes.
  func enter(_ channel: any Channel, uid: UInt32, strongest role: Role?) -> Entry {
    let guest: Guest = role == nil ? .strangers : .user(uid)
    let places = limits.connections + (role == .admin ? limits.connectionsPerUser : 0)
    let entry = count.withLock { count -> Entry in
      let entry: Entry =
        if count.isClosing {
          .turnedAway
        } else if count.guests[guest, default: 0] >= limits.connectionsPerUser {
          count.refused < limits.connections ? .userFull : .turnedAway
        } else if count.admitted >= places {
          count.refused < limits.connections ? .houseFull : .turnedAway
        } else {
          .admitted
        }
      guard entry != .turnedAway else { return entry }
      count.channels[ObjectIdentifier(channel)] = channel
      if entry == .admitted {
        count.guests[guest, default: 0] += 1
        count.admitted += 1
      } else {
        count.refused += 1
      }
      return entry
    }
    guard entry != .turnedAway else { return entry }
    channel.closeFuture.whenComplete { [self] _ in
      leave(channel, entry == .admitted ? guest : nil)
    }
    return entry
  }

  private func leave(_ channel: any Channel, _ guest: Guest?) {
    count.withLock { count in
      count.channels[ObjectIdentifier(channel)] = nil
      guard let guest else {
        count.refused -= 1
        return
      }
      count.admitted -= 1
      let left = count.guests[guest, default: 0] - 1
      count.guests[guest] = left > 0 ? left : nil
    }
  }

  /// Takes room for a part of a body; false where all bodies together would be too large.
  func takeBodyRoom(_ bytes: Int) -> Bool {
    count.withLock { count in
      guard count.bodyBytes + bytes <= limits.bodyBytes else { return false }
      count.bodyBytes += bytes
      return true
    }
  }

  /// Gives room for bodies back.
  func giveBodyRoom(_ bytes: Int) {
    count.withLock { $0.bodyBytes -= bytes }
  }

  /// No one enters any more; each connection finishes the request it is in and leaves.
  func quiesce() {
    for channel in close() {
      channel.eventLoop.execute {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      }
    }
  }

  /// No one enters any more, and everyone is put out at once.
  func clear() {
    for channel in close() { channel.close(promise: nil) }
  }

  private func close() -> [any Channel] {
    count.withLock { count in
      count.isClosing = true
      return Array(count.channels.values)
    }
  }

  /// Returns when the last connection has left.
  func whenEmpty() async throws {
    while let channel = count.withLock({ $0.channels.first?.value }) {
      // `leave` was hooked to this future first, so the channel is gone from the table afterwards.
      try await channel.closeFuture.get()
    }
  }

  /// What is held at this moment, for tests: everything is zero when nobody is there.
  var held: (admitted: Int, refused: Int, bodyBytes: Int, channels: Int, guests: Int) {
    count.withLock {
      ($0.admitted, $0.refused, $0.bodyBytes, $0.channels.count, $0.guests.count)
    }
  }
}
