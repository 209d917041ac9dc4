import FoundationEssentials
import MessageDigest

/// The certificate of a home, as nginx passes it to the archive.
package enum ClientCertificate {
  /// The name of the header field that contains the certificate. nginx sets this field to the value
  /// of its variable `$ssl_client_escaped_cert`.
  package static let field = "Prompter-Certificate"

  private static let begin = "-----BEGIN CERTIFICATE-----"
  private static let end = "-----END CERTIFICATE-----"

  /// Converts a certificate to DER, and returns the SHA-256 of the DER bytes in lower-case
  /// hexadecimal.
  ///
  /// - Parameter escaped: one certificate in PEM, with percent escapes.
  /// - Returns: nil if the text is not exactly one certificate.
  package static func fingerprint(escaped: String) -> String? {
    guard let text = unescaped(escaped) else { return nil }
    var pem = text[...]
    while pem.last?.isWhitespace == true { pem.removeLast() }
    guard pem.hasPrefix(begin), pem.hasSuffix(end), pem.count > begin.count + end.count else {
      return nil
    }
    let middle = pem.dropFirst(begin.count).dropLast(end.count).filter { !$0.isWhitespace }
    guard let der = Data(base64Encoded: String(middle)), !der.isEmpty else { return nil }
    return SHA256Digest.hex(Array(der))
  }

  private static func unescaped(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
