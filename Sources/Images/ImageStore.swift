import FileSystem

/// The directory of the stored pictures. The name of each picture is the digest of its bytes.
///
/// The directory also contains a thumbnail of each picture.
public struct ImageStore: Sendable {
  private let files: FileStore

  /// - Parameter directory: an existing directory that belongs only to the daemon.
  public init(directory: String) { files = FileStore(directory: directory) }

  /// Stores a picture and its thumbnail. Both files are on the disk before the function returns.
  ///
  /// - Throws: the error of the system, for example for a full disk.
  public func store(_ decoded: DecodedImage, sha256: String) throws(FileStoreError) {
    // The function writes the thumbnail first. Therefore each stored picture has a thumbnail, even
    // if the daemon crashes between the two writes.
    try files.write(decoded.thumbnail, as: name(sha256, isThumbnail: true))
    try files.write(decoded.bytes, as: name(sha256, isThumbnail: false))
  }

  /// Returns the bytes of a picture or of its thumbnail; nil if the file is not stored.
  public func bytes(sha256: String, isThumbnail: Bool) -> [UInt8]? {
    try? readFile(
      atPath: files.path(name(sha256, isThumbnail: isThumbnail)),
      limit: ImageDecoder.largestOutput)
  }

  /// Stores a picture in the same way as `store`. The function also protects the picture and its
  /// thumbnail from deletion, until a call of `settle`.
  public func storeHeld(_ decoded: DecodedImage, sha256: String) throws(FileStoreError) {
    try files.hold(sha256) { () throws(FileStoreError) in try store(decoded, sha256: sha256) }
  }

  /// Ends the protection that `storeHeld` began. After this call, `sweep` deletes the files if the
  /// record does not contain the picture.
  public func settle(sha256: String) { files.release(sha256) }

  /// Deletes a picture and its thumbnail. The deletion is durable before the function returns.
  ///
  /// If `storeHeld` protects the two files, the function does not delete the files.
  public func erase(sha256: String) throws(FileStoreError) {
    try files.delete([false, true].map { name(sha256, isThumbnail: $0) }, of: sha256)
    try files.synchronise()
  }

  /// Deletes all files of pictures that the record does not contain.
  ///
  /// After an interrupted or refused upload, or after a power failure during a deletion, the
  /// directory can contain such files. The function does not delete files that `storeHeld`
  /// protects.
  ///
  /// - Returns: the number of deleted files.
  @discardableResult
  public func sweep(keeping known: Set<String>) throws(FileStoreError) -> Int {
    var deleted = 0
    for name in try files.names() {
      let sha256 = String(name.prefix(64))
      if name.hasSuffix(Self.suffix), known.contains(sha256) { continue }
      if try files.delete([name], of: sha256) { deleted += 1 }
    }
    try files.synchronise()
    return deleted
  }

  private static let suffix = ".picture"

  private func name(_ sha256: String, isThumbnail: Bool) -> String {
    "\(sha256)\(isThumbnail ? ".thumbnail" : "")\(Self.suffix)"
  }
}
