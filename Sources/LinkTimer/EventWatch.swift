import Glibc

/// Detects that the daemon has recorded new events.
///
/// The watch reads the event stream of the daemon (`GET /v1/events`), but ignores the content of
/// the events. Therefore the watch sends one fixed request itself, and does not use libcurl. With
/// libcurl, the program would always need about 10 MB more memory.
final class EventWatch {
  /// The time between two attempts to open the stream, in seconds.
  private static let retrySeconds: Int64 = 5

  private enum State {
    case closed(until: Int64)
    /// The watch has sent its request. The first line of the response is not complete yet.
    case opening(CInt, received: [UInt8])
    /// The stream is open. `end` contains the last received bytes, because these bytes can be the
    /// beginning of the text `data:`, which each event contains.
    case open(CInt, end: [UInt8])
  }

  private let socket: String
  private let quietLimit: Int64
  private var state = State.closed(until: 0)
  private var lastByte: Int64 = 0
  private var wasOpen = false

  /// Opens the event stream. If the stream cannot be opened, `wait` tries again.
  ///
  /// - Parameter quietLimit: the maximum time without a byte from the daemon, in seconds. After
  ///   this time, the watch opens the stream again. Without new events, a working daemon sends a
  ///   line every 15 s.
  init(socket: String, quietLimit: Int64 = 60) {
    (self.socket, self.quietLimit) = (socket, quietLimit)
    open()
  }

  /// Waits for new events.
  ///
  /// If the stream was interrupted and is open again, the result is also true. Reason: the daemon
  /// can have recorded events during the interruption.
  ///
  /// - Returns: false if no event arrived within `seconds` seconds.
  func wait(seconds: Int64) -> Bool {
    let end = bootSeconds() + seconds
    while true {
      let rest = max(0, end - bootSeconds())
      switch state {
      case .closed(let time):
        if bootSeconds() >= time { open() }
        if case .closed = state { sleep(UInt32(min(rest, 1))) }
      case .opening(let descriptor, _), .open(let descriptor, _):
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&waiting, 1, Int32(min(rest, 1) * 1_000)) > 0 {
          if takeBytes(descriptor) { return true }
        } else if bootSeconds() - lastByte > quietLimit {
          close(descriptor)
        }
      }
      if bootSeconds() >= end { return false }
    }
  }

  /// Reads all bytes that have arrived.
  ///
  /// - Returns: true if the bytes contain an event, or if the stream is open again.
  private func takeBytes(_ descriptor: CInt) -> Bool {
    var hasEvents = false
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return hasEvents }
      guard count > 0 else {
        close(descriptor)
        return hasEvents
      }
      lastByte = bootSeconds()
      hasEvents = take(bytes[..<count], descriptor) || hasEvents
      if case .closed = state { return hasEvents }
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>, _ descriptor: CInt) -> Bool {
    switch state {
    case .closed: return false
    case .opening(_, let received):
      let text = received + bytes
      guard let line = text.firstIndex(of: UInt8(ascii: "\n")) else {
        state = .opening(descriptor, received: text)
        return false
      }
      guard text.starts(with: "HTTP/1.1 200".utf8) else {
        // The daemon refuses the request. The next regular contact reports this problem.
        close(descriptor)
        return false
      }
      state = .open(descriptor, end: [])
      let isAgain = wasOpen
      wasOpen = true
      return take(text[line...], descriptor) || isAgain
    case .open(_, let end):
      let text = end + bytes
      let mark = Array("data:".utf8)
      // While no event happens, the daemon sends lines that begin with a colon. Ignore these lines.
      state = .open(descriptor, end: Array(text.suffix(mark.count - 1)))
      return text.indices.contains { text[$0...].starts(with: mark) }
    }
  }

  private func open() {
    let descriptor = connectedSocket()
    let request = Array(
      "GET /v1/events HTTP/1.1\r\nHost: prompter\r\nAccept: text/event-stream\r\n\r\n".utf8)
    guard descriptor >= 0,
      send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else {
      // The daemon cannot be reached. The next regular contact reports this problem.
      close(descriptor)
      return
    }
    (state, lastByte) = (.opening(descriptor, received: []), bootSeconds())
  }

  private func close(_ descriptor: CInt) {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    state = .closed(until: bootSeconds() + Self.retrySeconds)
  }

  /// - Returns: the descriptor of the connection; -1 if the daemon does not accept a connection.
  private func connectedSocket() -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(socket.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return -1 }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if isConnected { return descriptor }
    _ = Glibc.close(descriptor)
    return -1
  }
}
