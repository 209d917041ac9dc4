import Synchronization

/// Protects a new file from deletion until a row of the record refers to the file. A digest
/// identifies the file.
///
/// The process writes a file before it writes the row of the record that refers to the file.
/// Between these two writes, no row refers to the file. Therefore, the process calls `hold` before
/// it writes the file. The hold protects the file until the process calls `release`. Use
/// `deleteUnlessHeld` for every deletion of unused files, because this function does not delete a
/// protected file.
final class FileHolds: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// Protects a file from deletion, even if the file does not exist yet.
  func hold(_ sha256: String) { counts.withLock { $0[sha256, default: 0] += 1 } }

  /// Ends one hold that protects a file from deletion. If a second hold of this file exists, the
  /// file stays protected.
  func release(_ sha256: String) {
    counts.withLock { counts in
      let left = (counts[sha256] ?? 0) - 1
      counts[sha256] = left > 0 ? left : nil
    }
  }

  /// Deletes a file, unless a hold protects the file. Other threads cannot add a hold during the
  /// deletion.
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
