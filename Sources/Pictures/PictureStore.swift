import Glibc
import Speaker

/// The pictures, each under the digest of its bytes, with its thumbnail beside it.
public struct PictureStore: Sendable {
  private let directory: String

  /// - Parameter directory: exists, and belongs to the daemon alone.
  public init(directory: String) { self.directory = directory }

  /// Stores a picture and its thumbnail, durably before it returns.
  ///
  /// - Throws: the system's reason, for example a full disk.
  public func store(_ decoded: DecodedPicture, sha256: String) throws(ToneStoreError) {
    // The thumbnail first: where there is a picture there is its thumbnail.
    try storeDurably(decoded.thumbnail, at: place(sha256, isThumbnail: true), in: directory)
    try storeDurably(decoded.bytes, at: place(sha256, isThumbnail: false), in: directory)
  }

  /// The bytes of a picture or of its thumbnail; nil where it is not stored.
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

  /// Takes a picture and its thumbnail from the disk, for good before it returns.
  public func erase(sha256: String) throws(ToneStoreError) {
    for isThumbnail in [false, true] {
      guard unlink(place(sha256, isThumbnail: isThumbnail)) == 0 || errno == ENOENT else {
        throw ToneStoreError(code: errno)
      }
    }
    try synchronise(directory)
  }

  /// Takes from the disk what no picture of the record is: uploads that were broken off, and pictures
  /// that were removed when the power went. Only for a start, before anything is uploaded.
  public func sweep(keeping known: Set<String>) {
    guard let stream = opendir(directory) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      let isKnown = name.hasSuffix(Self.suffix) && known.contains(String(name.prefix(64)))
      if !isKnown { unlink("\(directory)/\(name)") }
    }
  }

  private static let suffix = ".picture"

  private func place(_ sha256: String, isThumbnail: Bool) -> String {
    "\(directory)/\(sha256)\(isThumbnail ? ".thumbnail" : "")\(Self.suffix)"
  }
}
