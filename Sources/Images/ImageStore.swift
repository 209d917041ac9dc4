import FileSystem

/// The pictures, each under the digest of its bytes.
///
/// Its thumbnail is in the same directory.
public struct ImageStore: Sendable {
  private let files: FileStore

  /// - Parameter directory: exists, and belongs only to the daemon.
  public init(directory: String) { files = FileStore(directory: directory) }

  /// Stores a picture and its thumbnail, durably before it returns.
  ///
  /// - Throws: the system's reason, for example a full disk.
  public func store(_ decoded: DecodedImage, sha256: String) throws(FileStoreError) {
    // The thumbnail first: so each stored picture has its thumbnail.
    try files.write(decoded.thumbnail, as: name(sha256, isThumbnail: true))
    try files.write(decoded.bytes, as: name(sha256, isThumbnail: false))
  }

  /// The bytes of a picture or of its thumbnail; nil if it is not stored.
  public func bytes(sha256: String, isThumbnail: Bool) -> [UInt8]? {
    try? readFile(
      atPath: files.path(name(sha256, isThumbnail: isThumbnail)),
      limit: ImageDecoder.largestOutput)
  }

  /// Stores a picture as `store` does, and protects it until `settle`.
  public func storeHeld(_ decoded: DecodedImage, sha256: String) throws(FileStoreError) {
    try files.hold(sha256) { () throws(FileStoreError) in try store(decoded, sha256: sha256) }
  }

  /// Ends the protection of `storeHeld`: the record now shows whether the files are needed.
  public func settle(sha256: String) { files.release(sha256) }

  /// Deletes a picture and its thumbnail durably before it returns.
  ///
  /// Files that are being stored stay.
  public func erase(sha256: String) throws(FileStoreError) {
    try files.delete([false, true].map { name(sha256, isThumbnail: $0) }, of: sha256)
    try files.synchronise()
  }

  /// Deletes all files without a picture in the record.
  ///
  /// These are interrupted or refused uploads, and pictures whose removal was interrupted by a
  /// power cut. Files that are being stored stay.
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
