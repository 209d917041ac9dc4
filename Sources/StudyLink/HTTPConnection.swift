import CCurl

/// A connection for several requests, one after the other. libcurl opens the connection with the
/// first request. If the server has closed the connection, libcurl opens it again. When the object
/// is deallocated, the connection is closed.
final class HTTPConnection {
  private let curl: UnsafeMutableRawPointer?

  init() { curl = curl_easy_init() }

  deinit { if let curl { curl_easy_cleanup(curl) } }

  /// Returns the handle of libcurl, without the options that an earlier request set. The result is
  /// nil if libcurl had too little memory for a handle.
  func handle() -> UnsafeMutableRawPointer? {
    guard let curl else { return nil }
    curl_easy_reset(curl)
    return curl
  }
}
