import MessageDigest
import Testing

@testable import StudyArchive

struct CertificateTests {
  // The bytes 1 to 60 in the PEM format. The base64 text contains a line break.
  private let pem = """
    -----BEGIN CERTIFICATE-----
    AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8w
    MTIzNDU2Nzg5Ojs8
    -----END CERTIFICATE-----

    """

  private func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\n", with: "%0A").replacing(" ", with: "%20")
      .replacing("+", with: "%2B")
  }

  @Test func `the fingerprint is the SHA-256 of the certificate`() {
    let wanted = SHA256Digest.hex((1...60).map { UInt8($0) })
    #expect(ClientCertificate.fingerprint(escaped: escaped(pem)) == wanted)
    #expect(ClientCertificate.fingerprint(escaped: escaped(pem) + "%0A%0A") == wanted)
  }

  @Test func `any other text has no fingerprint`() {
    let good = escaped(pem)
    for text in [
      "", "%", "%0", "%zz", "x", good + good, "x" + good, good + "x",
      good.replacing("AQID", with: "AQ*D"), "%FF" + good,
      "-----BEGIN%20CERTIFICATE----------END%20CERTIFICATE-----",
      "-----BEGIN%20CERTIFICATE-----%0A-----END%20CERTIFICATE-----",
    ] {
      #expect(ClientCertificate.fingerprint(escaped: text) == nil, "\(text)")
    }
  }
}
