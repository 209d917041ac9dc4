import Glibc

/// The recordings, each under the digest of its bytes.
///
/// So no name refers to a changed sound.
public struct ToneStore: Sendable {
  private let directory: String
  private let holds = FileHolds()

  /// - Parameter directory: exists, and belongs only to the daemon.
  public init(directory: String) { self.directory = directory }

  /// The path of a recording; nil if it is not stored.
  public func path(sha256: String) -> String? {
    let path = placeOf(sha256: sha256)
    return access(path, R_OK) == 0 ? path : nil
  }

  /// The path that a recording has if it is stored.
  public func placeOf(sha256: String) -> String { "\(directory)/\(sha256).wav" }

  /// The bytes of a recording; nil if it is not stored.
  public func bytes(sha256: String) -> [UInt8]? {
    guard let path = path(sha256: sha256), let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // Room for the maximum: 60 s of sound with its header.
    var bytes = [UInt8](repeating: 0, count: 6 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return ferror(file) == 0 ? Array(bytes[..<count]) : nil
  }

  /// Stores a canonical WAV file, durably before it returns. Storing it again changes nothing.
  ///
  /// - Throws: the system's reason, for example a full disk. Nothing is left behind then.
  public func store(_ wav: [UInt8], sha256: String) throws(ToneStoreError) {
    if path(sha256: sha256) != nil { return }
    try storeDurably(wav, at: placeOf(sha256: sha256), in: directory)
  }

  /// Stores a file as `store` does, and protects it until `settle`.
  public func storeHeld(_ wav: [UInt8], sha256: String) throws(ToneStoreError) {
    holds.hold(sha256)
    do throws(ToneStoreError) {
      try store(wav, sha256: sha256)
    } catch {
      holds.release(sha256)
      throw error
    }
  }

  /// Ends the protection of `storeHeld`: the record now shows whether the file is needed.
  public func settle(sha256: String) { holds.release(sha256) }

  /// Deletes one recording unless it is being stored, durably before it returns.
  public func delete(sha256: String) throws(ToneStoreError) {
    try holds.deleteUnlessHeld(sha256) { () throws(ToneStoreError) in
      try remove(placeOf(sha256: sha256))
    }
    try synchronise(directory)
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
  ) throws(ToneStoreError) -> Int {
    var deleted = 0
    for name in try fileNames(in: directory) {
      // A file that is being written has a number and "new" after its final name.
      let parts = name.split(separator: ".")
      guard parts.count > 1, parts[1] == "wav" else { continue }
      let sha256 = String(parts[0])
      guard parts.count > 2 || isUnwanted(sha256) else { continue }
      let path = "\(directory)/\(name)"
      if seconds > 0, isRecent(path, seconds: seconds) { continue }
      try holds.deleteUnlessHeld(sha256) { () throws(ToneStoreError) in
        try remove(path)
        deleted += 1
      }
    }
    try synchronise(directory)
    return deleted
  }
}

/// The names in a directory, in no order.
package func fileNames(in directory: String) throws(ToneStoreError) -> [String] {
  guard let stream = opendir(directory) else { throw ToneStoreError(code: errno) }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Deletes a file; a file that does not exist is not an error.
package func remove(_ path: String) throws(ToneStoreError) {
  guard unlink(path) == 0 || errno == ENOENT else { throw ToneStoreError(code: errno) }
}

/// Whether a file changed within `seconds`, before or after now: the clock may have been set.
private func isRecent(_ path: String, seconds: Int) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  return abs(time(nil) - status.st_mtim.tv_sec) < seconds
}

/// The reason why a file could not be stored.
public struct ToneStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's `errno`.
  public var code: CInt

  public init(code: CInt) { self.code = code }

  public var description: String {
    "cannot store the file: \(String(cString: strerror(code)))"
  }
}

/// Writes a whole file durably into a directory, or nothing.
package func storeDurably(
  _ bytes: [UInt8], at final: String, in directory: String
) throws(ToneStoreError) {
  // Two uploads of the same file may be stored at the same time.
  let temporary = "\(final).\(UInt32.random(in: 0...UInt32.max)).new"
  do throws(ToneStoreError) {
    try write(bytes, to: temporary)
    guard rename(temporary, final) == 0 else { throw ToneStoreError(code: errno) }
    try synchronise(directory)
  } catch {
    unlink(temporary)
    throw error
  }
}

private func write(_ bytes: [UInt8], to path: String) throws(ToneStoreError) {
  let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw ToneStoreError(code: errno) }
  defer { close(file) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { throw ToneStoreError(code: errno) }
    rest = rest.dropFirst(count)
  }
  guard fsync(file) == 0 else { throw ToneStoreError(code: errno) }
}

/// Makes renames and removals in a directory durable against a power cut.
package func synchronise(_ path: String) throws(ToneStoreError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw ToneStoreError(code: errno) }
  defer { close(descriptor) }
  guard fsync(descriptor) == 0 else { throw ToneStoreError(code: errno) }
}
