import CCurl

/// The TLS sessions with a server. A new connection that goes on with a session costs both sides less
/// than a new session. libcurl compares the pin on each connection.
///
/// Only one thread at a time may use the sessions and their connections.
final class TLSSessions {
  /// The handle of libcurl. It is nil if the memory is full. Then each connection begins a new session.
  fileprivate let share: UnsafeMutableRawPointer?

  init() {
    share = curl_share_init()
    if let share { _ = prompter_curl_share_sessions(share) }
  }

  deinit { if let share { curl_share_cleanup(share) } }
}

/// A connection for several requests, one after the other. libcurl opens it with the first request, and
/// again if the server closed it. It is closed when the object ends.
final class HTTPConnection {
  private let curl: UnsafeMutableRawPointer?
  private let sessions: TLSSessions?

  init(_ sessions: TLSSessions? = nil) {
    (curl, self.sessions) = (curl_easy_init(), sessions)
  }

  deinit { if let curl { curl_easy_cleanup(curl) } }

  /// Returns the handle of libcurl without the options of an earlier request. The result is nil if the
  /// memory is full.
  func handle() -> UnsafeMutableRawPointer? {
    guard let curl else { return nil }
    curl_easy_reset(curl)
    if let share = sessions?.share { _ = prompter_curl_share(curl, share) }
    return curl
  }
}
