import Glibc

/// A directory of files that are written and deleted only as a whole.
///
/// Each file has a digest, for example the SHA-256 of its bytes. The process writes a file before
/// it writes the row of the record that refers to the file. Until this row exists, `hold` protects
/// the file from deletion.
public struct FileStore: Sendable {
  public let directory: String
  private let holds = FileHolds()

  /// - Parameter directory: an existing directory that only this process uses.
  public init(directory: String) { self.directory = directory }

  public func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Writes a whole file. When the function returns, a power failure cannot remove the file. After
  /// an error, no incomplete file has the name `name`.
  ///
  /// While the file is incomplete, it has a temporary name: `name`, a random number and `new`, with
  /// a full stop between them.
  public func write(_ bytes: [UInt8], as name: String) throws(FileStoreError) {
    // The number in the temporary name is random, because two requests can store the same file at
    // the same time.
    let temporary = "\(path(name)).\(UInt32.random(in: 0...UInt32.max)).new"
    do throws(SystemError) {
      try DurableFile.write(bytes, to: path(name), temporary: temporary)
    } catch {
      throw FileStoreError(code: error.code)
    }
  }

  /// Returns the names of all files, in no particular order.
  public func names() throws(FileStoreError) -> [String] {
    do throws(SystemError) {
      return try fileNames(in: directory)
    } catch {
      throw FileStoreError(code: error.code)
    }
  }

  /// Prevents the deletion of the files that belong to `digest`, and calls `store`.
  ///
  /// If `store` succeeds, the protection lasts until the caller calls `release`. If `store` throws
  /// an error, the protection ends at once.
  public func hold(
    _ digest: String, _ store: () throws(FileStoreError) -> Void
  ) throws(FileStoreError) {
    holds.hold(digest)
    do throws(FileStoreError) {
      try store()
    } catch {
      holds.release(digest)
      throw error
    }
  }

  /// Ends the protection that `hold` began.
  public func release(_ digest: String) { holds.release(digest) }

  /// Deletes files that belong to `digest`, unless a hold protects `digest`. `names` contains the
  /// names of these files. It is not an error if a file does not exist.
  ///
  /// A power failure can undo the deletion until the caller calls `synchronise`.
  ///
  /// - Returns: true if the files are deleted; false if a hold protects them.
  @discardableResult
  public func delete(_ names: [String], of digest: String) throws(FileStoreError) -> Bool {
    var isDeleted = false
    try holds.deleteUnlessHeld(digest) { () throws(FileStoreError) in
      for name in names {
        guard unlink(path(name)) == 0 || errno == ENOENT else { throw FileStoreError(code: errno) }
      }
      isDeleted = true
    }
    return isDeleted
  }

  /// Writes all deletions since the last call to the disk, so that a power failure cannot undo
  /// these deletions.
  public func synchronise() throws(FileStoreError) {
    do throws(SystemError) {
      try FileSystem.synchronise(directory)
    } catch {
      throw FileStoreError(code: error.code)
    }
  }
}

/// An error of the disk during an operation of a file store.
public struct FileStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The `errno` of the failed system call.
  public var code: CInt

  public init(code: CInt) { self.code = code }

  public var description: String {
    "cannot store the file: \(String(cString: strerror(code)))"
  }
}
