import Glibc

/// Two connected descriptors, close-on-exec, both numbered above 9 so that a child's standard ones
/// are never in the way when they are put in place.
struct DescriptorPair {
  var reading: Int32
  var writing: Int32

  /// A socket pair rather than a pipe: send(MSG_NOSIGNAL) spares the daemon the SIGPIPE that a pipe
  /// to a dead child would raise. Nil, with `errno`, when there are no descriptors left.
  static func make() -> DescriptorPair? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    return raised(ends[0], ends[1])
  }

  func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }

  private static func raised(_ first: Int32, _ second: Int32) -> DescriptorPair? {
    let pair = DescriptorPair(
      reading: fcntl(first, F_DUPFD_CLOEXEC, 10), writing: fcntl(second, F_DUPFD_CLOEXEC, 10))
    Glibc.close(first)
    Glibc.close(second)
    guard pair.reading >= 0, pair.writing >= 0 else {
      pair.close()
      return nil
    }
    return pair
  }
}

/// Makes reads and writes return at once.
func setNonBlocking(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}

/// What a descriptor had to give.
enum ReadOutcome {
  case bytes([UInt8])
  case nothingYet
  case end
}

/// Reads what is there, up to 64 KiB.
func readAvailable(_ descriptor: Int32) -> ReadOutcome {
  var buffer = [UInt8](repeating: 0, count: 65_536)
  let count = read(descriptor, &buffer, buffer.count)
  if count > 0 { return .bytes(Array(buffer.prefix(count))) }
  if count < 0, errno == EAGAIN || errno == EINTR { return .nothingYet }
  return .end
}

/// Sends what fits now and returns how many bytes that was, or nil when the reader is gone.
func sendAvailable(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
  let count = bytes.withUnsafeBytes { pointer in
    send(descriptor, pointer.baseAddress, pointer.count, Int32(MSG_NOSIGNAL))
  }
  if count >= 0 { return count }
  return errno == EAGAIN || errno == EINTR ? 0 : nil
}

/// Cuts a byte stream into lines, and a line that never ends into pieces.
struct LineCutter {
  static let longestLine = 65_536
  private var rest: [UInt8] = []

  mutating func cut(_ bytes: [UInt8]) -> [[UInt8]] {
    rest += bytes
    var lines: [[UInt8]] = []
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Array(rest[..<end]))
      rest.removeSubrange(...end)
    }
    if rest.count > Self.longestLine {
      lines.append(rest)
      rest = []
    }
    return lines
  }
}
