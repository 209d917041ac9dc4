import Foundation
import Testing

@testable import FileSystem

@Suite final class `A file that is read` {
  private let place: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "reading-\(UUID().uuidString)")
    place = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { removeTree(place) }

  private func make(_ name: String, _ bytes: [UInt8]) throws -> String {
    try DurableFile.write(bytes, to: "\(place)/\(name)", temporary: "\(place)/\(name).new")
    return "\(place)/\(name)"
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func `is read whole up to the limit, and refused above it`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let path = try make("a", bytes)
    #expect(try readFile(atPath: path, limit: count) == bytes)
    #expect(try readFile(atPath: path, limit: .max) == bytes)
    guard count > 0 else { return }
    let failure = #expect(throws: FileReadError.self) {
      try readFile(atPath: path, limit: count - 1)
    }
    #expect(failure == .tooLarge(bytes: count, limit: count - 1))
    #expect(failure?.description == "it has \(count) bytes; \(count - 1) are the most")
  }

  @Test func `of the kernel is read to its end, although its size is 0`() throws {
    let id = try readFile(atPath: "/proc/sys/kernel/random/boot_id", limit: 64)
    #expect(id.count == 37)
    #expect(throws: FileReadError.tooLarge(bytes: 37, limit: 36)) {
      try readFile(atPath: "/proc/sys/kernel/random/boot_id", limit: 36)
    }
  }

  @Test func `is a regular file, and nothing that could block or never end`() throws {
    let pipe = "\(place)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, place, "/dev/zero"] {
      let failure = #expect(throws: FileReadError.self, "\(path)") {
        try readFile(atPath: path, limit: 10)
      }
      #expect(failure == .notAFile && failure?.description == "it is not a file")
    }
    let failure = #expect(throws: FileReadError.self) {
      try readFile(atPath: "\(place)/none", limit: 10)
    }
    #expect(failure == .system(SystemError(code: ENOENT)))
    #expect(failure?.description == "No such file or directory")
  }

  @Test func `may be read by descriptor, up to a limit or a failure`() throws {
    let file = open(try make("a", [1, 2, 3, 4, 5]), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(readToEnd(of: file, limit: 2).bytes == [1, 2])
    var buffer: [UInt8] = [0, 0]
    #expect(try readSome(of: file, into: &buffer, limit: 1) == 1 && buffer == [3, 0])
    #expect(try readSome(of: file, into: &buffer) == 2 && buffer == [4, 5])
    #expect(try readSome(of: file, into: &buffer) == 0)
    #expect(readToEnd(of: file, limit: 0).bytes == [])
    let directory = open(place, O_RDONLY | O_CLOEXEC)
    defer { close(directory) }
    let ended = readToEnd(of: directory, limit: 10)
    #expect(ended.bytes == [] && ended.failure == SystemError(code: EISDIR))
  }

  @Test func `is listed by name`() throws {
    for name in ["a", "ü", ".hidden"] { _ = try make(name, []) }
    #expect(try fileNames(in: place).sorted() == [".hidden", "a", "ü"])
    #expect(throws: SystemError(code: ENOENT)) { try fileNames(in: "\(place)/none") }
  }
}
