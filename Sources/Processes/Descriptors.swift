import Glibc

/// Two connected descriptors. Both have the flag close-on-exec, and their numbers are above 9.
///
/// In the child process, `dup2` copies descriptors to low numbers. If a descriptor of this pair had
/// a low number, `dup2` could overwrite this descriptor.
package struct DescriptorPair {
  package var reading: Int32
  package var writing: Int32

  /// Makes a socket pair. If no descriptor is free, the result is nil and `errno` is set.
  ///
  /// The pair is not a pipe. If the child at the other end has ended, a write to a pipe raises
  /// SIGPIPE, but a write to a socket with the flag MSG_NOSIGNAL does not.
  package static func make() -> DescriptorPair? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    return raised(ends[0], ends[1])
  }

  package func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }

  private static func raised(_ first: Int32, _ second: Int32) -> DescriptorPair? {
    let pair = DescriptorPair(
      reading: fcntl(first, F_DUPFD_CLOEXEC, 10), writing: fcntl(second, F_DUPFD_CLOEXEC, 10))
    // Store `errno` first, because `close` can change it, and the caller reports the error of
    // `fcntl`.
    let code = errno
    Glibc.close(first)
    Glibc.close(second)
    guard pair.reading >= 0, pair.writing >= 0 else {
      pair.close()
      errno = code
      return nil
    }
    return pair
  }
}

/// Makes a descriptor non-blocking, so that reads and writes return at once.
package func setNonBlocking(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
}

/// The result of a read.
package enum ReadOutcome {
  case bytes([UInt8])
  case nothingYet
  case end
}

/// Reads the available bytes, up to 64 KiB.
package func readAvailable(_ descriptor: Int32) -> ReadOutcome {
  var buffer = [UInt8](repeating: 0, count: 65_536)
  let count = read(descriptor, &buffer, buffer.count)
  if count > 0 { return .bytes(Array(buffer.prefix(count))) }
  if count < 0, errno == EAGAIN || errno == EINTR { return .nothingYet }
  return .end
}

/// Sends as many bytes as the socket accepts without waiting.
///
/// - Returns: the number of bytes that were sent; nil if the reader has closed the socket.
package func sendAvailable(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
  let count = bytes.withUnsafeBytes { pointer in
    send(descriptor, pointer.baseAddress, pointer.count, Int32(MSG_NOSIGNAL))
  }
  if count >= 0 { return count }
  return errno == EAGAIN || errno == EINTR ? 0 : nil
}
