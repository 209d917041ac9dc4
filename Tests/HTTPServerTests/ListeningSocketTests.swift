import Foundation
import Glibc
import Testing

@testable import HTTPServer

@Suite struct ListeningSocketTests {
  /// Runs a test in its own directory.
  static func inDirectory(_ test: (String) throws -> Void) throws {
    let directory = try temporaryDirectory()
    defer { removeDirectory(directory) }
    try test(directory)
  }

  static func refusal(_ path: String) -> ServerError? {
    do throws(ServerError) {
      close(try ListeningSocket.bind(path: path, mode: 0o660).descriptor)
      return nil
    } catch {
      return error
    }
  }

  static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : 0
  }

  @Test func `the socket listens with exactly the requested mode`() throws {
    try Self.inDirectory { directory in
      for mode: UInt16 in [0o600, 0o660, 0o666] {
        let path = directory + "/\(mode)"
        let socket = try ListeningSocket.bind(path: path, mode: mode)
        defer { close(socket.descriptor) }
        #expect(Self.mode(path) == S_IFSOCK | mode_t(mode))
        #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        _ = try Caller(path)
      }
    }
  }

  @Test func `a path of 107 bytes is accepted, and one of 108 is refused because of its length`()
    throws
  {
    try Self.inDirectory { directory in
      let name = String(repeating: "s", count: 107 - directory.utf8.count - 1)
      #expect(Self.refusal("\(directory)/\(name)") == nil)
      let long = "\(directory)/\(name)s"
      #expect(Self.refusal(long) == .pathTooLong(path: long, bytes: 108))
      #expect(
        Self.refusal(long)?.description
          == "cannot listen on \(long): the path has 108 bytes, a Unix socket takes at most 107")
    }
    #expect(Self.refusal("") == .pathNotUsable(path: ""))
    #expect(Self.refusal("a\0b") == .pathNotUsable(path: "a\0b"))
  }

  @Test func `a refusal names the missing directory`() throws {
    try Self.inDirectory { directory in
      let path = directory + "/no/s"
      #expect(
        Self.refusal(path)?.description
          == "cannot listen on \(path): there is no directory \(directory)/no")
      _ = FileManager.default.createFile(atPath: directory + "/file", contents: nil)
      #expect(
        Self.refusal(directory + "/file/s")
          == .parentMissing(path: directory + "/file/s", parent: directory + "/file"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "root gives up its own power over files"))
  func `a refusal names the directory that cannot be written`() throws {
    try Self.inDirectory { directory in
      let path = directory + "/s"
      // `setfsuid` changes the uid for access to files only in the present thread. Other tests are
      // not affected.
      let setUser = try #require(dlsym(nil, "setfsuid"))
      let become = unsafeBitCast(setUser, to: (@convention(c) (uid_t) -> CInt).self)
      _ = become(65534)
      let refusal = Self.refusal(path)
      _ = become(0)
      #expect(
        refusal?.description
          == "cannot listen on \(path): the directory \(directory) cannot be written: "
          + "Permission denied")
    }
  }

  @Test func `a file that is not a socket is left alone`() throws {
    try Self.inDirectory { directory in
      let path = directory + "/s"
      _ = FileManager.default.createFile(atPath: path, contents: Data("mine".utf8))
      let directoryPath = directory + "/d"
      mkdir(directoryPath, 0o700)
      let link = directory + "/l"
      symlink("/dev/null", link)
      for path in [path, directoryPath, link] {
        #expect(Self.refusal(path) == .notASocket(path: path))
      }
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text == "mine")
      #expect(Self.mode(link) & S_IFMT == S_IFLNK)
    }
  }

  @Test func `a socket without a listener is replaced`() throws {
    try Self.inDirectory { directory in
      let path = directory + "/s"
      // The socket never listened. If a child process of another test has a copy of the socket,
      // this copy does not answer either.
      close(try Self.bound(path, CInt(SOCK_STREAM.rawValue)))
      #expect(Self.mode(path) & S_IFMT == S_IFSOCK)
      #expect(throws: Caller.Failed.self) { try Caller(path) }
      let second = try ListeningSocket.bind(path: path, mode: 0o660)
      defer { close(second.descriptor) }
      _ = try Caller(path)
      #expect(Self.mode(path) == S_IFSOCK | 0o660)
    }
  }

  @Test func `a running daemon keeps its socket, even if its queue is full`() throws {
    try Self.inDirectory { directory in
      let path = directory + "/s"
      let first = try ListeningSocket.bind(path: path, mode: 0o600)
      defer { close(first.descriptor) }
      listen(first.descriptor, 0)  // The queue has room for one client.
      #expect(Self.refusal(path) == .inUse(path: path))
      #expect(Self.refusal(path) == .inUse(path: path))
      #expect(
        Self.refusal(path)?.description
          == "cannot listen on \(path): another daemon already uses it")
    }
  }

  @Test func `a socket of another type does not count as stale`() throws {
    try Self.inDirectory { directory in
      let path = directory + "/s"
      let datagram = try Self.bound(path, CInt(SOCK_DGRAM.rawValue))
      defer { close(datagram) }
      #expect(Self.refusal(path)?.kind == "socket_not_probed")
      #expect(Self.mode(path) & S_IFMT == S_IFSOCK)
    }
  }

  @Test func `exactly one of many daemons that start at once gets the path`() async throws {
    let directory = try temporaryDirectory()
    defer { removeDirectory(directory) }
    for turn in 0..<20 {
      let path = "\(directory)/\(turn)"
      close(try Self.bound(path, CInt(SOCK_STREAM.rawValue)))
      let sockets = try await withThrowingTaskGroup(of: ListeningSocket?.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await blocking {
              do { return try ListeningSocket.bind(path: path, mode: 0o600) } catch { return nil }
            }
          }
        }
        return try await group.reduce(into: [ListeningSocket]()) {
          if let socket = $1 { $0.append(socket) }
        }
      }
      #expect(sockets.count == 1)
      for socket in sockets { close(socket.descriptor) }
    }
  }

  private static func bound(_ path: String, _ type: CInt) throws -> CInt {
    let descriptor = socket(AF_UNIX, type, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw Caller.Failed(description: "bind") }
    return descriptor
  }

  @Test func `an inherited socket must be a listening Unix stream socket`() throws {
    try Self.inDirectory { directory in
      let good = try ListeningSocket.bind(path: directory + "/s", mode: 0o600)
      #expect(fcntl(good.descriptor, F_SETFD, 0) == 0)
      #expect(try ListeningSocket(inherited: good.descriptor).descriptor == good.descriptor)
      #expect(fcntl(good.descriptor, F_GETFD) & FD_CLOEXEC != 0)
      close(good.descriptor)

      let stream = CInt(SOCK_STREAM.rawValue)
      let deaf = try Self.bound(directory + "/deaf", stream)
      let datagram = try Self.bound(directory + "/datagram", CInt(SOCK_DGRAM.rawValue))
      let internet = socket(AF_INET, stream, 0)
      let file = open(directory, O_RDONLY)
      for (descriptor, why) in [
        (deaf, "it does not listen"), (datagram, "it is not a stream socket"),
        (internet, "it is not a Unix socket"), (file, "Socket operation on non-socket"),
        (-1, "Bad file descriptor"),
      ] {
        #expect(throws: ServerError.notListening(descriptor: descriptor, why: why)) {
          try ListeningSocket(inherited: descriptor)
        }
        close(descriptor)
      }
    }
  }
}
