import Glibc

struct HTTPRequest: Sendable {
  var method: String
  var path: String
  var body: String

  var bytes: [UInt8] {
    let content =
      body.isEmpty
      ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    return Array("\(method) \(path) HTTP/1.1\r\nHost: home\r\n\(content)\r\n\(body)".utf8)
  }
}

struct Failed: Error, CustomStringConvertible { var description: String }

/// One connection that uses system calls directly.
struct Client: ~Copyable {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let code = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      throw Failed(description: "cannot connect: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) -> Bool { write(descriptor, bytes, bytes.count) == bytes.count }

  /// Reads one complete response with a Content-Length.
  ///
  /// - Returns: The status.
  func receive(_ buffer: inout [UInt8]) throws -> Int {
    var filled = 0
    while true {
      let count = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      guard count > 0 else { throw Failed(description: "the server closed the connection") }
      filled += count
      if let (status, length) = Self.whole(buffer[..<filled]), filled >= length { return status }
      if filled == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
    }
  }

  /// Returns the status and the length of a response; nil if the head of the response is not
  /// complete yet.
  private static func whole(_ bytes: ArraySlice<UInt8>) -> (status: Int, length: Int)? {
    guard let end = firstEnd(bytes) else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    let status = Int(head.dropFirst(9).prefix(3)) ?? 0
    let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
    let length = field.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
    return (status, end + 4 + length)
  }

  private static func firstEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while index + 3 < bytes.endIndex {
      if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10
      {
        return index
      }
      index += 1
    }
    return nil
  }
}

/// Sends `count` requests over `clients` persistent connections. Each connection sends its next
/// request after the reply to its previous request.
struct Load {
  var socket: String
  var request: HTTPRequest
  var count: Int
  var clients: Int

  /// Prints one line of JSON with the requests per second, and the time of each request in
  /// microseconds.
  func run() throws {
    let began = nanoseconds()
    let box = Results(clients)
    let threads = (0..<clients).map { number in
      Thread { [self] in box.put(number, Result { try ask(count / clients) }) }
    }
    for thread in threads { thread.join() }
    let seconds = Double(nanoseconds() - began) / 1e9
    let times = try box.all.flatMap { try $0.get() }.sorted()
    let p99 = times[min(times.count - 1, times.count * 99 / 100)]
    print(
      "{\"requests\":\(times.count),\"per_second\":\(Int(Double(times.count) / seconds)),"
        + "\"p50_us\":\(times[times.count / 2] / 1_000),\"p99_us\":\(p99 / 1_000)}")
  }

  private func ask(_ count: Int) throws -> [UInt64] {
    let client = try Client(socket)
    let bytes = request.bytes
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    return try (0..<count).map { _ in
      let began = nanoseconds()
      guard client.send(bytes) else { throw Failed(description: "cannot send") }
      let status = try client.receive(&buffer)
      guard (200..<300).contains(status) else {
        throw Failed(description: "the server replied with status \(status)")
      }
      return nanoseconds() - began
    }
  }
}

/// Clients that connect, send a request, and connect again. Some of these clients do not read the
/// reply.
struct Flood: Sendable {
  var socket: String

  func run(clients: Int) {
    let request = HTTPRequest(method: "GET", path: "/v1/status", body: "").bytes
    let threads = (0..<clients).map { number in
      Thread {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          guard let client = try? Client(socket) else {
            usleep(1_000)
            continue
          }
          // Every fourth client sends nothing and disconnects. A refusal counts as a reply.
          if !number.isMultiple(of: 4), client.send(request) { _ = try? client.receive(&buffer) }
        }
      }
    }
    for thread in threads { thread.join() }
  }
}

private func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The results of all threads, each at its own index.
private final class Results: @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private(set) var all: [Result<[UInt64], any Error>]

  init(_ count: Int) {
    all = Array(repeating: .success([]), count: count)
    pthread_mutex_init(&mutex, nil)
  }

  func put(_ number: Int, _ result: Result<[UInt64], any Error>) {
    pthread_mutex_lock(&mutex)
    all[number] = result
    pthread_mutex_unlock(&mutex)
  }
}

/// A thread whose end the caller can wait for.
private final class Thread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var handle = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    pthread_create(
      &handle, nil,
      { context in
        // The pointer is the object that the call of `pthread_create` above passed.
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context)
  }

  func join() { pthread_join(handle, nil) }
}
