import CMessageDigest

/// SHA-256.
struct Digest {
  private var context = SHA2_CTX()

  init() { SHA256Init(&context) }

  mutating func add(_ bytes: [UInt8]) { SHA256Update(&context, bytes, bytes.count) }

  mutating func hex() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256Final(&digest, &context)
    return digest.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

extension Digest {
  /// The digest of a whole file, in lower-case hex.
  ///
  /// - Throws: `Failure.badUsage` where it cannot be read.
  static func hex(ofFile path: String) throws -> String {
    var digest = Digest()
    try Files.stream(path) { digest.add($0) }
    return digest.hex()
  }
}
