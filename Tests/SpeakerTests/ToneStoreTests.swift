import FileSystem
import Foundation
import Testing

@testable import Speaker

/// Tests which files a removal of unused files deletes, and which files it keeps.
@Suite final class ToneStoreTests {
  private let directory: String
  private let store: ToneStore
  private let first = String(repeating: "1a", count: 32)
  private let second = String(repeating: "2b", count: 32)

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "prompter-tones-\(UUID().uuidString)")
    directory = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    store = ToneStore(directory: directory)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }

  @Test func `a sweep removes unneeded and incomplete files, and nothing else`() throws {
    try store.store([1], sha256: first)
    try store.store([2], sha256: second)
    for name in ["\(first).wav.17.new", "\(second).wav.9.new", "README"] {
      try Data([0]).write(to: URL(filePath: "\(directory)/\(name)"))
    }
    let needed: Set = [first]
    #expect(try store.deleteAll { !needed.contains($0) } == 3)
    #expect(try files == ["\(first).wav", "README"])
    #expect(try store.deleteAll { !needed.contains($0) } == 0)
  }

  @Test func `a tone that is being stored stays until the record names it`() throws {
    try store.storeHeld([1], sha256: first)
    try store.storeHeld([1], sha256: first)
    try store.deleteAll { _ in true }
    try store.delete(sha256: first)
    #expect(store.path(sha256: first) != nil)
    // Two uploads contain the same recording. The daemon refuses the first upload. The file stays,
    // because the second upload needs it.
    store.settle(sha256: first)
    try store.delete(sha256: first)
    #expect(store.path(sha256: first) != nil)
    store.settle(sha256: first)
    try store.delete(sha256: first)
    try store.delete(sha256: first)
    #expect(try files == [])
  }

  @Test func `new speech stays, and speech that is old or dated in the future is removed`() throws {
    let now = Date()
    for (name, age) in [(first, 100.0), (second, 7_200), (first + "x", -7_200)] {
      try store.store([1], sha256: name)
      try FileManager.default.setAttributes(
        [.modificationDate: now.addingTimeInterval(-age)],
        ofItemAtPath: store.placeOf(sha256: name))
    }
    #expect(try store.deleteAll(olderThan: 3_600) { _ in true } == 2)
    #expect(try files == ["\(first).wav"])
  }

  @Test func `a store that fails holds nothing, and a missing directory is reported`() throws {
    let nowhere = ToneStore(directory: directory + "/none")
    #expect(throws: FileStoreError.self) { try nowhere.storeHeld([1], sha256: first) }
    #expect(throws: FileStoreError.self) { try nowhere.deleteAll { _ in true } }
    try FileManager.default.createDirectory(
      atPath: directory + "/none", withIntermediateDirectories: true)
    try nowhere.store([1], sha256: first)
    #expect(try nowhere.deleteAll { _ in true } == 1)
  }

  @Test func `simultaneous stores and sweeps never leave a record without its file`() async throws {
    let (store, name) = (store, first)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<300 { _ = try? store.deleteAll { _ in true } } }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            guard (try? store.storeHeld([1, 2, 3], sha256: name)) != nil else { continue }
            #expect(store.bytes(sha256: name) == [1, 2, 3])
            store.settle(sha256: name)
          }
        }
      }
    }
    try store.deleteAll { _ in true }
    #expect(try files == [])
  }
}
