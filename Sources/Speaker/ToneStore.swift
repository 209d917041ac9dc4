import FileSystem
import Glibc

/// The recordings, each under the digest of its bytes.
///
/// So no name refers to a changed sound.
public struct ToneStore: Sendable {
  private let files: FileStore

  /// - Parameter directory: exists, and belongs only to the daemon.
  public init(directory: String) { files = FileStore(directory: directory) }

  /// The path of a recording; nil if it is not stored.
  public func path(sha256: String) -> String? {
    let path = placeOf(sha256: sha256)
    return access(path, R_OK) == 0 ? path : nil
  }

  /// The path that a recording has if it is stored.
  public func placeOf(sha256: String) -> String { files.path(name(sha256)) }

  private func name(_ sha256: String) -> String { "\(sha256).wav" }

  /// The bytes of a recording; nil if it is not stored.
  public func bytes(sha256: String) -> [UInt8]? {
    // The maximum: 60 s of sound with its header.
    try? readFile(atPath: placeOf(sha256: sha256), limit: 6 << 20)
  }

  /// Stores a canonical WAV file, durably before it returns. Storing it again changes nothing.
  ///
  /// - Throws: the system's reason, for example a full disk. Nothing is left behind then.
  public func store(_ wav: [UInt8], sha256: String) throws(FileStoreError) {
    if path(sha256: sha256) != nil { return }
    try files.write(wav, as: name(sha256))
  }

  /// Stores a file as `store` does, and protects it until `settle`.
  public func storeHeld(_ wav: [UInt8], sha256: String) throws(FileStoreError) {
    try files.hold(sha256) { () throws(FileStoreError) in try store(wav, sha256: sha256) }
  }

  /// Ends the protection of `storeHeld`: the record now shows whether the file is needed.
  public func settle(sha256: String) { files.release(sha256) }

  /// Deletes one recording unless it is being stored, durably before it returns.
  public func delete(sha256: String) throws(FileStoreError) {
    try files.delete([name(sha256)], of: sha256)
    try files.synchronise()
  }

  /// Deletes unused recordings and parts of interrupted stores durably.
  ///
  /// A ring that is playing a deleted recording plays it to the end.
  ///
  /// - Parameters:
  ///   - seconds: files that changed within this time stay.
  ///   - isUnwanted: receives the digest of a recording.
  /// - Returns: the number of deleted files.
  @discardableResult
  public func deleteAll(
    olderThan seconds: Int = 0, where isUnwanted: (String) -> Bool
  ) throws(FileStoreError) -> Int {
    var deleted = 0
    for name in try files.names() {
      // A file that is being written has a number and "new" after its final name.
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

/// Whether a file changed within `seconds`, before or after now: the clock may have been set.
private func isRecent(_ path: String, seconds: Int) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  return abs(time(nil) - status.st_mtim.tv_sec) < seconds
}
