import CGcrypt

/// Computes SHA-256 with libgcrypt, in one call or in several calls.
///
/// The module uses libgcrypt for two reasons. The daemon uses libsystemd, which already loads
/// libgcrypt. And libgcrypt uses the instructions of the processor for SHA-256.
public struct SHA256Digest: ~Copyable, @unchecked Sendable {
  private let context: gcry_md_hd_t

  private static let algorithm = Int32(GCRY_MD_SHA256.rawValue)
  private static let isReady: Bool = {
    prompter_gcrypt_begin()
    return true
  }()

  public init() {
    precondition(Self.isReady)
    var context: gcry_md_hd_t?
    guard gcry_md_open(&context, Self.algorithm, 0) == 0, let context else {
      preconditionFailure("there is no memory for a digest")
    }
    self.context = context
  }

  deinit { gcry_md_close(context) }

  public mutating func update(_ bytes: [UInt8]) { gcry_md_write(context, bytes, bytes.count) }

  public mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { gcry_md_write(context, $0.baseAddress, $0.count) }
  }

  /// Returns the 32 bytes of the digest. Do not use the digest object after this call.
  public mutating func finish() -> [UInt8] {
    Array(UnsafeBufferPointer(start: gcry_md_read(context, 0), count: 32))
  }

  /// Returns the SHA-256 digest of `bytes`, in lower-case hexadecimal.
  public static func hex(_ bytes: [UInt8]) -> String {
    precondition(isReady)
    var digest = [UInt8](repeating: 0, count: 32)
    gcry_md_hash_buffer(algorithm, &digest, bytes, bytes.count)
    return hexadecimal(digest)
  }

  /// Computes the HMAC-SHA-256 (RFC 2104) of `message`. The key has at most 64 bytes.
  public static func authenticationCode(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let padded = key + [UInt8](repeating: 0, count: max(0, 64 - key.count))
    var inner = SHA256Digest()
    inner.update(padded.map { $0 ^ 0x36 })
    inner.update(message)
    var outer = SHA256Digest()
    outer.update(padded.map { $0 ^ 0x5C })
    outer.update(inner.finish())
    return outer.finish()
  }
}

/// Converts bytes to lower-case hexadecimal.
public func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  func digit(_ value: UInt8) -> UInt8 {
    value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }
  return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
    for (index, byte) in bytes.enumerated() {
      text[2 * index] = digit(byte >> 4)
      text[2 * index + 1] = digit(byte & 15)
    }
    return bytes.count * 2
  }
}

/// Converts the output of `hexadecimal` back to bytes. The result is nil if the text is not
/// hexadecimal.
public func bytes(hexadecimal text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var found: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
    guard let byte = UInt8(pair, radix: 16) else { return nil }
    found.append(byte)
  }
  return found
}
