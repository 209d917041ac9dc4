import DiskTrace
import Foundation
import Testing

@testable import FileSystem

@Suite final class `A durable file` {
  private let place: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "durable-\(UUID().uuidString)")
    place = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { removeTree(place) }

  private var path: String { "\(place)/file" }
  private var temporary: String { "\(place)/file.new" }
  private var names: [String] { get throws { try fileNames(in: place).sorted() } }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  @Test func `has its name only after commit, and only its owner can read it`() throws {
    try DurableFile.write(Array("old".utf8), to: path, temporary: temporary)
    let file = try DurableFile(replacing: path, temporary: temporary)
    try file.write(Array("-new".utf8)[1...])
    try file.write(Array("er".utf8)[...])
    try file.flush()
    #expect(try names == ["file", "file.new"] && text(path) == "old" && text(temporary) == "newer")
    try file.commit()
    #expect(try names == ["file"] && text(path) == "newer")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `is on the disk before it replaces the earlier file`() throws {
    for file in ["first", "second"] {
      let trace = try DiskTrace(of: place) {
        try DurableFile.write(Array(file.utf8), to: path, temporary: temporary)
      }
      #expect(
        trace.calls == [
          .write(temporary), .sync(temporary), .rename(temporary, path), .sync(place),
        ])
      #expect(trace.unsafeSteps == [])
      #expect(trace.unneededSyncs == [])
    }
  }

  @Test func `of a store is deleted on the disk after the store has synchronised`() throws {
    let store = FileStore(directory: place)
    try store.write([1], as: "a.wav")
    let trace = try DiskTrace(of: place) {
      try store.delete(["a.wav"], of: "a")
      try store.synchronise()
    }
    #expect(trace.calls == [.unlink("\(place)/a.wav"), .sync(place)])
  }

  @Test func `without commit leaves nothing, and the earlier file stays`() throws {
    try DurableFile.write([1], to: path, temporary: temporary)
    do {
      let file = try DurableFile(replacing: path, temporary: temporary)
      try file.write([2])
    }
    #expect(try names == ["file"] && Data(contentsOf: URL(filePath: path)) == Data([1]))
  }

  @Test func `does not write through a link or into a file that an earlier process left`() throws {
    let victim = "\(place)/victim"
    try Data("untouched".utf8).write(to: URL(filePath: victim))
    for leave in [{ symlink(victim, self.temporary) }, { link(victim, self.temporary) }] {
      #expect(leave() == 0)
      try DurableFile.write([1], to: path, temporary: temporary)
      #expect(try names == ["file", "victim"] && text(victim) == "untouched")
    }
  }

  @Test func `that cannot be written is an error with the reason, and nothing is left`() throws {
    #expect(throws: SystemError(code: ENOENT)) {
      try DurableFile.write([1], to: "\(place)/none/file", temporary: "\(place)/none/file.new")
    }
    // The system refuses to replace a directory with a file.
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    #expect(throws: SystemError(code: EISDIR)) {
      try DurableFile.write([1], to: path, temporary: temporary)
    }
    #expect(try names == ["file"])
    // Every write to /dev/full fails, as on a full disk.
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    #expect(throws: SystemError(code: ENOSPC)) { try writeAll([1, 2][...], to: full) }
    #expect(throws: SystemError(code: ENOENT)) { try synchronise("\(place)/none") }
  }

  @Test func `in the working directory or in the root has a directory, too`() {
    #expect(parent(of: "file") == "." && parent(of: "/file") == "/")
    #expect(parent(of: "a/\u{301}x") == "a")
    #expect(parent(of: "a/b/file") == "a/b" && parent(of: "/a/file") == "/a")
  }

  @Test func `of a store is held until something refers to it`() throws {
    let store = FileStore(directory: place)
    try store.hold("a") { () throws(FileStoreError) in try store.write([1], as: "a.wav") }
    try store.write([2], as: "b.wav")
    #expect(try !store.delete(["a.wav"], of: "a") && store.delete(["b.wav"], of: "b"))
    #expect(try store.names() == ["a.wav"])
    store.release("a")
    #expect(try store.delete(["a.wav", "a.txt"], of: "a"))
    try store.synchronise()
    #expect(try store.names() == [])
    let nowhere = FileStore(directory: "\(place)/none")
    let failure = #expect(throws: FileStoreError.self) { try nowhere.write([1], as: "a") }
    #expect(failure?.description == "cannot store the file: No such file or directory")
    #expect(throws: FileStoreError.self) { try nowhere.names() }
    #expect(throws: FileStoreError.self) { try nowhere.synchronise() }
    #expect(throws: FileStoreError(code: 1)) {
      try nowhere.hold("c") { () throws(FileStoreError) in throw FileStoreError(code: 1) }
    }
    #expect(try nowhere.delete(["c"], of: "c"))
  }
}
