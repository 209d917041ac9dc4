import CCurl

/// A connection for several requests, one after the other. libcurl opens it with the first request, and
/// again if the server closed it. It is closed when the object ends.
final class HTTPConnection {
  private let curl: UnsafeMutableRawPointer?

  init() { curl = curl_easy_init() }

  deinit { if let curl { curl_easy_cleanup(curl) } }

  /// Returns the handle of libcurl without the options of an earlier request. The result is nil if the
  /// memory is full.
  func handle() -> UnsafeMutableRawPointer? {
    guard let curl else { return nil }
    curl_easy_reset(curl)
    return curl
  }
}
