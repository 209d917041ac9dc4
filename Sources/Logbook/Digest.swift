import CMessageDigest

/// SHA-256, incrementally or at once, from the library that every Debian has for its own package
/// manager.
public struct SHA256Digest: Sendable {
  private var context = SHA2_CTX()

  init() { SHA256Init(&context) }

  mutating func update(_ bytes: [UInt8]) { SHA256Update(&context, bytes, bytes.count) }

  mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { SHA256Update(&context, $0.baseAddress, $0.count) }
  }

  /// The 32 bytes of the digest. The context is spent after this.
  mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256Final(&digest, &context)
    return digest
  }

  /// The digest of all the bytes, in lower-case hex.
  public static func hex(_ bytes: [UInt8]) -> String {
    var digest = SHA256Digest()
    digest.update(bytes)
    return hexadecimal(digest.finish())
  }

  /// HMAC-SHA-256 (RFC 2104) for keys of at most 64 bytes.
  static func authenticationCode(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
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

/// Bytes in lower-case hex.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
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

/// What `hexadecimal` wrote; nil where the text is not that.
func bytes(hexadecimal text: String) -> [UInt8]? {
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
