import API
import Synchronization

/// The progress of long operations on a record. A client that waits for the result of an operation
/// can read the progress of the operation.
public final class ProgressTracker: Sendable {
  private let operations = Mutex<[Int: LongWork]>([:])
  private let next = Atomic(0)

  /// The long operations that are now in progress, in the order of their start.
  public var underWay: [LongWork] {
    operations.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Runs a long operation. The operation calls `progress` regularly.
  func during<Result, Failure: Error>(
    _ kind: LongWork.Kind,
    _ body: (_ progress: @escaping (Int64, Int64) -> Void) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let number = next.add(1, ordering: .relaxed).newValue
    operations.withLock { $0[number] = LongWork(kind, done: 0, total: 0) }
    defer { operations.withLock { _ = $0.removeValue(forKey: number) } }
    return try body { done, total in
      self.operations.withLock { $0[number] = LongWork(kind, done: done, total: total) }
    }
  }
}
