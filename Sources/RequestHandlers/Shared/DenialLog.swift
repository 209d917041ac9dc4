import Alarms
import Engine
import Synchronization

/// The number of requests that were refused for one user, and the newest of these requests.
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

/// A counter of requests that were refused because the user does not have the necessary right.
///
/// The first refused request of a user adds a row to the record at once. If more requests of this
/// user are refused in the next 15 minutes, the record gets only one more row for all these
/// requests. This second row contains the number of these requests. Therefore, many refused
/// requests do not fill the record.
public final class DenialLog: Sendable {
  /// The length of a counting period, in seconds. The first refused request of a user starts the
  /// counting period of this user.
  public static let windowSeconds = 900
  /// The maximum number of users with a separate counter. An additional counter with the uid
  /// 4294967295 counts the refused requests of all other users.
  public static let mostUsers = 64
  public static let others = UInt32.max

  private let waiting = Mutex<[UInt32: Denials]>([:])

  public init() {}

  /// Counts a refused request.
  ///
  /// - Returns: the row to record now; nil if the counting period of this user has already started.
  ///   If the method returns a row, the caller must call `close` at the end of the counting period.
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

  /// Ends the counting period of a user.
  ///
  /// - Returns: the row for the second and all further refused requests of the counting period; nil
  ///   if only one request was refused.
  public func close(uid: UInt32) -> Denials? {
    waiting.withLock { $0.removeValue(forKey: uid) }.flatMap { $0.count > 0 ? $0 : nil }
  }

  /// Ends the counting periods of all users. The daemon calls this method before it stops.
  ///
  /// - Returns: for each user, the row for the second and all further refused requests of the
  ///   counting period. The list contains no row for a user with only one refused request.
  public func closeAll() -> [Denials] {
    waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting.values.filter { $0.count > 0 }.sorted { $0.uid < $1.uid }
    }
  }
}

extension EngineActor {
  /// Records refused requests. If the record cannot be written, the function throws an error, and
  /// the caller writes the number of these requests and the uid to the journal.
  public func record(_ denials: Denials) throws {
    _ = try execute(
      .denied(
        uid: denials.uid, count: denials.count, method: denials.method, path: denials.path),
      by: .daemon("socket"))
  }
}
