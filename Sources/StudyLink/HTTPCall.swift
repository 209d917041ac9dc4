import CCurl
import Glibc

/// The home's own certificate and key, and the expected key of the archive, for a TLS connection.
public struct TLSIdentity: Sendable, Hashable {
  /// The path of the home's certificate, in PEM.
  public var certificate: String
  /// The path of the home's private key, in PEM.
  public var key: String
  /// The SHA-256 of the archive's public key: the text `sha256//`, and then the hash in Base64.
  public var pin: String

  public init(certificate: String, key: String, pin: String) {
    (self.certificate, self.key, self.pin) = (certificate, key, pin)
  }
}

/// The reason why a request got no reply.
public struct CallFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason in a few words, for example "the reply is too long".
  public var description: String
}

/// One HTTP request with libcurl.
struct HTTPCall {
  /// A reply with its whole body.
  struct Reply: Sendable, Hashable {
    var status: Int
    var body: [UInt8] = []
    /// The value of the header field `Retry-After`: the time that the client must wait before its
    /// next request, in seconds. The value is nil if the reply does not contain this field.
    var retryAfter: Int64?
  }

  var method = "GET"
  var url: String
  var headers: [(name: String, value: String)] = []
  var body: [UInt8]?
  /// The path of the server's Unix socket; nil for a server on the network.
  var socket: String?
  var identity: TLSIdentity?
  /// The maximum time for the whole request, in seconds.
  private static let seconds = 60
  /// The maximum size of the body of a reply, in bytes.
  var replyLimit = 65_536

  /// Sends the request and waits for the reply.
  ///
  /// - Parameter connection: an open connection to use. If the value is nil, the function opens a
  ///   connection for this request only, and closes it after the reply.
  func reply(over connection: HTTPConnection? = nil) throws(CallFailure) -> Reply {
    let connection = connection ?? HTTPConnection()
    guard let curl = connection.handle() else { throw CallFailure(description: "no memory") }
    defer { withExtendedLifetime(connection) {} }
    let received = Received(limit: replyLimit)
    var list: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(list) }
    for header in headers + [("Expect", "")] {
      list = curl_slist_append(
        list, "\(header.name):\(header.value.isEmpty ? "" : " ")\(header.value)")
    }
    prompter_curl_headers(curl, list)
    for (option, value) in texts { prompter_curl_text(curl, option, value) }
    for (option, value) in numbers { prompter_curl_number(curl, option, value) }
    let code = withExtendedLifetime(received) {
      prompter_curl_receivers(
        curl,
        { bytes, size, count, context in Received.at(context)?.body(bytes, size * count) ?? 0 },
        { bytes, size, count, context in Received.at(context)?.header(bytes, size * count) ?? 0 },
        Unmanaged.passUnretained(received).toOpaque())
      if let body {
        // libcurl copies the bytes of the body. An option in `numbers` has already told libcurl how
        // many bytes the body has.
        (body.isEmpty ? [0] : body).withUnsafeBufferPointer { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            _ = prompter_curl_text(curl, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
          }
        }
      }
      return curl_easy_perform(curl)
    }
    guard code == CURLE_OK else { throw CallFailure(description: Self.reason(code)) }
    return Reply(
      status: prompter_curl_status(curl), body: received.bytes, retryAfter: received.retryAfter)
  }

  private var texts: [(CURLoption, String)] {
    var texts = [
      (CURLOPT_URL, url), (CURLOPT_CUSTOMREQUEST, method), (CURLOPT_PROTOCOLS_STR, "http,https"),
    ]
    if let socket { texts.append((CURLOPT_UNIX_SOCKET_PATH, socket)) }
    if let identity {
      texts += [
        (CURLOPT_PINNEDPUBLICKEY, identity.pin), (CURLOPT_SSLCERT, identity.certificate),
        (CURLOPT_SSLKEY, identity.key),
      ]
    }
    return texts
  }

  private var numbers: [(CURLoption, Int)] {
    var numbers = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_TIMEOUT, Self.seconds), (CURLOPT_CONNECTTIMEOUT, 20),
      (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3)),
    ]
    // libcurl checks the public key of the server (the pin), and not the name, the dates or the
    // issuer of its certificate. Reason: a device can be stored without power for years, and its
    // clock can then be wrong.
    if identity != nil { numbers += [(CURLOPT_SSL_VERIFYPEER, 0), (CURLOPT_SSL_VERIFYHOST, 0)] }
    if let body { numbers += [(CURLOPT_POST, 1), (CURLOPT_POSTFIELDSIZE, body.count)] }
    return numbers
  }

  private static func reason(_ code: CURLcode) -> String {
    switch code {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      "the server has another key than the invitation says"
    case CURLE_WRITE_ERROR: "the reply is too long"
    default: String(cString: curl_easy_strerror(code))
    }
  }
}

/// Collects the parts of a reply. libcurl calls the functions of this class for each part, on the
/// thread that sends the request.
private final class Received {
  var bytes: [UInt8] = []
  var retryAfter: Int64?
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  static func at(_ context: UnsafeMutableRawPointer?) -> Received? {
    context.map { Unmanaged<Received>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Adds the next bytes of the body.
  ///
  /// - Returns: `count`; 0 if the body is too long. If the result is not `count`, libcurl ends the
  ///   request with an error.
  func body(_ pointer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let piece = UnsafeRawBufferPointer(start: pointer, count: count)
    guard bytes.count + count <= limit else { return 0 }
    bytes += piece
    return count
  }

  func header(_ pointer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let line = String(decoding: UnsafeRawBufferPointer(start: pointer, count: count), as: UTF8.self)
    let parts = line.split(separator: ":", maxSplits: 1)
    if parts.count == 2, parts[0].lowercased() == "retry-after" {
      retryAfter = Int64(parts[1].filter { $0.isNumber })
    }
    return count
  }
}
