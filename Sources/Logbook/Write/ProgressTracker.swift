import Synchronization

/// How far long operations on a record have come, for clients that wait.
public final class ProgressTracker: Sendable {
  public struct Task: Sendable, Hashable {
    /// `verify`, `export` or `backup`.
    public var what: String
    /// Events that are processed, and the total.
    public var done: Int64
    public var total: Int64
  }

  private let tasks = Mutex<[Int: Task]>([:])
  private let next = Atomic(0)

  /// The operations in progress, the oldest first.
  public var underWay: [Task] {
    tasks.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Runs an operation that reports its progress from time to time.
  func during<Result, Failure: Error>(
    _ what: String, _ body: (_ progress: @escaping (Int64, Int64) -> Void) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let number = next.add(1, ordering: .relaxed).newValue
    tasks.withLock { $0[number] = Task(what: what, done: 0, total: 0) }
    defer { tasks.withLock { _ = $0.removeValue(forKey: number) } }
    return try body { done, total in
      self.tasks.withLock { $0[number] = Task(what: what, done: done, total: total) }
    }
  }
}
