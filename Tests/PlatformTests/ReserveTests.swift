import Foundation
import Testing

@testable import Platform

@Suite struct `The reserve` {
  private func directory() throws -> String {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "prompter-reserve-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url.path(percentEncoded: false)
  }

  @Test func `occupies disk space until it is released, and is refilled`() throws {
    let directory = try directory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let reserve = DiskReserve(directory: directory, bytes: 1 << 20)
    let size = try FileManager.default.attributesOfItem(atPath: directory + "/reserve")[.size]
    #expect(size as? Int == 1 << 20 && !reserve.isSpent)
    #expect(reserve.release())
    #expect(reserve.isSpent && !FileManager.default.fileExists(atPath: directory + "/reserve"))
    // The first release freed the space. A second release frees nothing.
    #expect(!reserve.release())
    reserve.refill()
    #expect(!reserve.isSpent)
  }

  @Test func `is not refilled unless several times as much space is free`() throws {
    let directory = try directory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let disk = try #require(DiskSpace(under: directory))
    let reserve = DiskReserve(directory: directory, bytes: disk.freeBytes / 3)
    #expect(!FileManager.default.fileExists(atPath: directory + "/reserve"))
    #expect(!reserve.isSpent)
    #expect(!reserve.release())
  }
}

@Suite struct `A notification through the service` {
  /// Starts a server that answers one request, and returns the path of its socket.
  private func served(_ answer: String, _ heard: @escaping @Sendable ([String]?) -> Void) throws
    -> String
  {
    let path = FileManager.default.temporaryDirectory.appending(
      path: "tell-\(UUID().uuidString.prefix(8))"
    ).path(percentEncoded: false)
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 1) == 0)
    Thread.detachNewThread {
      let peer = accept(listener, nil, nil)
      heard(NotifierClient.request(from: peer)?.map { "\($0.name)=\($0.value)" })
      _ = Array(answer.utf8).withUnsafeBytes { write(peer, $0.baseAddress, $0.count) }
      close(peer)
      close(listener)
    }
    return path
  }

  @Test(arguments: [
    ("ok\n", nil), ("its command ended with status 3\n", "its command ended with status 3"),
    ("", "prompter-tell did not answer; its journal says why"),
  ])
  func `succeeds or fails as the service says`(answer: String, reason: String?) async throws {
    let heard = await withCheckedContinuation { continuation in
      do {
        let path = try served(answer) { continuation.resume(returning: $0) }
        let relay = NotifierClient(path: path)
        #expect(
          relay.notify([("A", "one\ntwo"), ("B", "=\0\u{301}=")], timeoutSeconds: 30) == reason)
      } catch {
        continuation.resume(returning: ["\(error)"])
      }
    }
    #expect(heard == ["A=one\ntwo", "B==\u{301}="])
  }

  @Test func `fails if no service listens`() {
    let reason = NotifierClient(path: "/nowhere/tell.sock").notify([("A", "1")], timeoutSeconds: 1)
    #expect(reason?.hasPrefix("cannot reach prompter-tell.socket: ") == true)
  }
}
