import Synchronization

/// The files that are being stored and of which the record does not know yet, by digest.
///
/// A file is written before the row that names it, so for a moment nothing refers to it. Whoever deletes
/// files that nothing refers to deletes them through `deleteUnlessHeld`.
public final class FileHolds: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  public init() {}

  /// Keeps a file from being deleted, whether it exists or is about to.
  package func hold(_ sha256: String) { counts.withLock { $0[sha256, default: 0] += 1 } }

  /// Ends one hold.
  package func release(_ sha256: String) {
    counts.withLock { counts in
      let left = (counts[sha256] ?? 0) - 1
      counts[sha256] = left > 0 ? left : nil
    }
  }

  /// Deletes files unless they are held; no hold begins meanwhile.
  package func deleteUnlessHeld<Failure: Error>(
    _ sha256: String, _ delete: () throws(Failure) -> Void
  ) throws(Failure) {
    let result = counts.withLock { counts -> Result<Void, Failure> in
      guard counts[sha256] == nil else { return .success(()) }
      do throws(Failure) {
        return .success(try delete())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
