import Alarms
import Engine
import Synchronization

/// So many refused requests of one user, and the last of them.
public struct Denials: Sendable, Hashable {
  public var uid: UInt32
  public var count: Int
  public var method: String
  public var path: String

  public init(uid: UInt32, count: Int, method: String, path: String) {
    self.uid = uid
    self.count = count
    self.method = method
    self.path = path
  }
}

/// Counts requests that were refused for want of a right, so that the record holds each of them and a
/// flood does not fill it: a user's first one makes a row at once, and those of the next quarter of an
/// hour make one row together.
public final class DenialLog: Sendable {
  /// How long one row waits for more.
  public static let windowSeconds = 900
  /// So many users are told apart at a time; the others are counted together, as uid 4294967295.
  public static let mostUsers = 64
  public static let others = UInt32.max

  private let waiting = Mutex<[UInt32: Denials]>([:])

  public init() {}

  /// Notes a refusal.
  ///
  /// - Returns: what is to be recorded now, in which case `close` is to be called when the window is
  ///   over; nil where one is open, in which this was counted.
  public func note(uid: UInt32, method: String, path: String) -> Denials? {
    waiting.withLock { waiting in
      let isKnown = waiting[uid] != nil || waiting.count < Self.mostUsers
      let uid = isKnown ? uid : Self.others
      guard var counted = waiting[uid] else {
        waiting[uid] = Denials(uid: uid, count: 0, method: method, path: path)
        return Denials(uid: uid, count: 1, method: method, path: path)
      }
      counted.count += 1
      (counted.method, counted.path) = (method, path)
      waiting[uid] = counted
      return nil
    }
  }

  /// Ends a user's window.
  ///
  /// - Returns: what came in it; nil where nothing did.
  public func close(uid: UInt32) -> Denials? {
    waiting.withLock { $0.removeValue(forKey: uid) }.flatMap { $0.count > 0 ? $0 : nil }
  }

  /// Ends all windows, because the daemon ends.
  public func closeAll() -> [Denials] {
    waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting.values.filter { $0.count > 0 }.sorted { $0.uid < $1.uid }
    }
  }
}

extension EngineActor {
  /// Puts refused requests into the record. Where it cannot be written, the machine's journal has them.
  public func record(_ denials: Denials) throws {
    _ = try execute(
      .denied(
        uid: denials.uid, count: denials.count, method: denials.method, path: denials.path),
      by: .daemon("socket"))
  }
}
