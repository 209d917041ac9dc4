import Alarms
import Engine
import Synchronization

/// The count of one user's refused requests, and the last one.
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

/// Counts requests that were refused because the user lacks a right.
///
/// The record counts each of them, but a flood does not fill it: the first request of a user makes
/// a row at once, and the requests of the next 15 minutes make one row together.
public final class DenialLog: Sendable {
  /// The length of a window. Requests within a window share one row.
  public static let windowSeconds = 900
  /// The maximum number of users that are counted separately. All others share the uid 4294967295.
  public static let mostUsers = 64
  public static let others = UInt32.max

  private let waiting = Mutex<[UInt32: Denials]>([:])

  public init() {}

  /// Counts a refused request.
  ///
  /// - Returns: the row to record now. The caller must then call `close` at the end of the window.
  ///   Nil if the request was counted in an open window.
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

  /// Ends the window of a user.
  ///
  /// - Returns: the requests of the window; nil if there were none.
  public func close(uid: UInt32) -> Denials? {
    waiting.withLock { $0.removeValue(forKey: uid) }.flatMap { $0.count > 0 ? $0 : nil }
  }

  /// Ends all windows, because the daemon stops.
  public func closeAll() -> [Denials] {
    waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting.values.filter { $0.count > 0 }.sorted { $0.uid < $1.uid }
    }
  }
}

extension EngineActor {
  /// Records refused requests. If the record cannot be written, they are in the journal of the
  /// machine.
  public func record(_ denials: Denials) throws {
    _ = try execute(
      .denied(
        uid: denials.uid, count: denials.count, method: denials.method, path: denials.path),
      by: .daemon("socket"))
  }
}
