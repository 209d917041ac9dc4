import Synchronization

/// The digests of files that are on the disk before a row of the record refers to them.
///
/// The process writes a file first and the row of the file second. Between the two writes, a hold
/// protects the file from deletion. All deletions of unused files use `deleteUnlessHeld`.
final class FileHolds: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// Protects a file from deletion, even if the file does not exist yet.
  func hold(_ sha256: String) { counts.withLock { $0[sha256, default: 0] += 1 } }

  /// Ends one hold of a file. The file stays protected if another hold exists.
  func release(_ sha256: String) {
    counts.withLock { counts in
      let left = (counts[sha256] ?? 0) - 1
      counts[sha256] = left > 0 ? left : nil
    }
  }

  /// Deletes a file unless it is held. During the deletion, a new hold must wait.
  func deleteUnlessHeld<Failure: Error>(
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
