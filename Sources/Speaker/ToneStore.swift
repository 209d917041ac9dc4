import Glibc

/// The recordings, each under the digest of its bytes, so that no name can point at a changed sound.
public struct ToneStore: Sendable {
  private let directory: String

  /// - Parameter directory: exists, and belongs to the daemon alone.
  public init(directory: String) { self.directory = directory }

  /// The path of a recording; nil where it is not stored.
  public func path(sha256: String) -> String? {
    let path = placeOf(sha256: sha256)
    return access(path, R_OK) == 0 ? path : nil
  }

  /// The path that a recording has if it is stored.
  public func placeOf(sha256: String) -> String { "\(directory)/\(sha256).wav" }

  /// The bytes of a recording; nil where it is not stored.
  public func bytes(sha256: String) -> [UInt8]? {
    guard let path = path(sha256: sha256), let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // 60 s of sound with its header, at most.
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

  /// Deletes the recordings that are not wanted any more, and what an interrupted store left, durably
  /// before it returns. What a ring is playing sounds to its end.
  ///
  /// - Parameter isUnwanted: told a recording's digest.
  public func deleteAll(where isUnwanted: (String) -> Bool) throws(ToneStoreError) {
    guard let stream = opendir(directory) else { throw ToneStoreError(code: errno) }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasSuffix(".wav"), isUnwanted(String(name.dropLast(4))) else { continue }
      guard unlink("\(directory)/\(name)") == 0 || errno == ENOENT else {
        throw ToneStoreError(code: errno)
      }
    }
    try synchronise(directory)
  }
}

/// Why a file could not be stored.
public struct ToneStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's `errno`.
  public var code: CInt

  public init(code: CInt) { self.code = code }

  public var description: String {
    "cannot store the file: \(String(cString: strerror(code)))"
  }
}

/// Writes a whole file into a directory, or nothing; it is there for good when this returns.
package func storeDurably(
  _ bytes: [UInt8], at final: String, in directory: String
) throws(ToneStoreError) {
  // Two uploads of one file may be stored at once.
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

/// What was renamed or removed in a directory stays so, whatever happens to the power.
package func synchronise(_ path: String) throws(ToneStoreError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw ToneStoreError(code: errno) }
  defer { close(descriptor) }
  guard fsync(descriptor) == 0 else { throw ToneStoreError(code: errno) }
}
