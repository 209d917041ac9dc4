import Glibc
import Speaker

/// The pictures, each under the digest of its bytes.
///
/// Its thumbnail is in the same directory.
public struct ImageStore: Sendable {
  private let directory: String
  private let holds = FileHolds()

  /// - Parameter directory: exists, and belongs only to the daemon.
  public init(directory: String) { self.directory = directory }

  /// Stores a picture and its thumbnail, durably before it returns.
  ///
  /// - Throws: the system's reason, for example a full disk.
  public func store(_ decoded: DecodedImage, sha256: String) throws(ToneStoreError) {
    // The thumbnail first: so each stored picture has its thumbnail.
    try storeDurably(decoded.thumbnail, at: place(sha256, isThumbnail: true), in: directory)
    try storeDurably(decoded.bytes, at: place(sha256, isThumbnail: false), in: directory)
  }

  /// The bytes of a picture or of its thumbnail; nil if it is not stored.
  public func bytes(sha256: String, isThumbnail: Bool) -> [UInt8]? {
    guard let file = fopen(place(sha256, isThumbnail: isThumbnail), "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return ferror(file) == 0 ? bytes : nil
  }

  /// Stores a picture as `store` does, and protects it until `settle`.
  public func storeHeld(_ decoded: DecodedImage, sha256: String) throws(ToneStoreError) {
    holds.hold(sha256)
    do throws(ToneStoreError) {
      try store(decoded, sha256: sha256)
    } catch {
      holds.release(sha256)
      throw error
    }
  }

  /// Ends the protection of `storeHeld`: the record now shows whether the files are needed.
  public func settle(sha256: String) { holds.release(sha256) }

  /// Deletes a picture and its thumbnail durably before it returns.
  ///
  /// Files that are being stored stay.
  public func erase(sha256: String) throws(ToneStoreError) {
    try holds.deleteUnlessHeld(sha256) { () throws(ToneStoreError) in
      for isThumbnail in [false, true] { try remove(place(sha256, isThumbnail: isThumbnail)) }
    }
    try synchronise(directory)
  }

  /// Deletes all files without a picture in the record.
  ///
  /// These are interrupted or refused uploads, and pictures whose removal was interrupted by a
  /// power cut. Files that are being stored stay.
  ///
  /// - Returns: the number of deleted files.
  @discardableResult
  public func sweep(keeping known: Set<String>) throws(ToneStoreError) -> Int {
    var deleted = 0
    for name in try fileNames(in: directory) {
      let sha256 = String(name.prefix(64))
      if name.hasSuffix(Self.suffix), known.contains(sha256) { continue }
      try holds.deleteUnlessHeld(sha256) { () throws(ToneStoreError) in
        try remove("\(directory)/\(name)")
        deleted += 1
      }
    }
    try synchronise(directory)
    return deleted
  }

  private static let suffix = ".picture"

  private func place(_ sha256: String, isThumbnail: Bool) -> String {
    "\(directory)/\(sha256)\(isThumbnail ? ".thumbnail" : "")\(Self.suffix)"
  }
}
