import FileSystem
import Glibc

/// The directory of the stored recordings. The name of each recording is the digest of its bytes.
///
/// Therefore, a file name always identifies the same sound.
public struct ToneStore: Sendable {
  private let files: FileStore

  /// - Parameter directory: an existing directory that belongs only to the daemon.
  public init(directory: String) { files = FileStore(directory: directory) }

  /// Returns the path of a recording; nil if the recording is not stored.
  public func path(sha256: String) -> String? {
    let path = placeOf(sha256: sha256)
    return access(path, R_OK) == 0 ? path : nil
  }

  /// Returns the path of the recording with this digest, even if no such recording is stored.
  public func placeOf(sha256: String) -> String { files.path(name(sha256)) }

  private func name(_ sha256: String) -> String { "\(sha256).wav" }

  /// Returns the bytes of a recording; nil if the recording is not stored.
  public func bytes(sha256: String) -> [UInt8]? {
    // A recording is at most 60 s long and always smaller than this limit.
    try? readFile(atPath: placeOf(sha256: sha256), limit: 6 << 20)
  }

  /// Stores a canonical WAV file. The file is on the disk before the function returns. If a file
  /// with this digest is already stored, the function changes nothing.
  ///
  /// - Throws: the error of the system, for example for a full disk. After an error, the store
  ///   contains no part of the file.
  public func store(_ wav: [UInt8], sha256: String) throws(FileStoreError) {
    if path(sha256: sha256) != nil { return }
    try files.write(wav, as: name(sha256))
  }

  /// Stores a file in the same way as `store`, and protects the file from deletion until a call of
  /// `settle`.
  public func storeHeld(_ wav: [UInt8], sha256: String) throws(FileStoreError) {
    try files.hold(sha256) { () throws(FileStoreError) in try store(wav, sha256: sha256) }
  }

  /// Ends the protection that `storeHeld` began. After this call, `deleteAll` deletes the file if
  /// the home does not use the file.
  public func settle(sha256: String) { files.release(sha256) }

  /// Deletes one recording. The deletion is durable before the function returns. The function does
  /// not delete a recording that `storeHeld` protects.
  public func delete(sha256: String) throws(FileStoreError) {
    try files.delete([name(sha256)], of: sha256)
    try files.synchronise()
  }

  /// Deletes unused recordings, and the incomplete files of interrupted writes.
  ///
  /// The deletions are durable before the function returns.
  ///
  /// If a ring is playing a recording while the function deletes the file, the ring still plays to
  /// its end.
  ///
  /// - Parameters:
  ///   - seconds: the function keeps files that changed in the last `seconds` seconds.
  ///   - isUnwanted: a function that returns true if the home does not use the recording with the
  ///     given digest.
  /// - Returns: the number of deleted files.
  @discardableResult
  public func deleteAll(
    olderThan seconds: Int = 0, where isUnwanted: (String) -> Bool
  ) throws(FileStoreError) -> Int {
    var deleted = 0
    for name in try files.names() {
      // The name of an incomplete file is the final name of the file, followed by a number and
      // "new".
      let parts = name.split(separator: ".")
      guard parts.count > 1, parts[1] == "wav" else { continue }
      let sha256 = String(parts[0])
      guard parts.count > 2 || isUnwanted(sha256) else { continue }
      if seconds > 0, isRecent(files.path(name), seconds: seconds) { continue }
      if try files.delete([name], of: sha256) { deleted += 1 }
    }
    try files.synchronise()
    return deleted
  }
}

/// Returns true if the last change of a file was less than `seconds` seconds before or after the
/// present time. After a clock step, the change time of the file can be in the future.
private func isRecent(_ path: String, seconds: Int) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  return abs(time(nil) - status.st_mtim.tv_sec) < seconds
}
