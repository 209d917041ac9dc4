import Foundation
import Testing

@testable import Images

@Suite final class PictureStoreTests {
  private let directory: String
  private let store: ImageStore
  private let picture = DecodedImage(
    bytes: [1, 2, 3], thumbnail: [4], mediaType: "image/png", width: 1, height: 1)
  private let name = String(repeating: "ab", count: 32)

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "prompter-pictures-\(UUID().uuidString)")
    directory = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    store = ImageStore(directory: directory)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }

  @Test
  func
    `a picture and its thumbnail are read as they were stored, and only the daemon can read them`()
    throws
  {
    try store.store(picture, sha256: name)
    try store.store(picture, sha256: name)
    #expect(store.bytes(sha256: name, isThumbnail: false) == [1, 2, 3])
    #expect(store.bytes(sha256: name, isThumbnail: true) == [4])
    for file in try files {
      let mode = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(file)")
      #expect(mode[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `an erased picture is removed from the disk, and a second erasure is not an error`()
    throws
  {
    try store.store(picture, sha256: name)
    try store.erase(sha256: name)
    try store.erase(sha256: name)
    #expect(try files == [])
    #expect(store.bytes(sha256: name, isThumbnail: false) == nil)
  }

  @Test func `a start removes pictures that no record names and keeps the others`() throws {
    try store.store(picture, sha256: name)
    try store.store(picture, sha256: String(repeating: "cd", count: 32))
    try Data([0]).write(to: URL(filePath: "\(directory)/\(name).picture.17.new"))
    try store.sweep(keeping: [name])
    #expect(try files == ["\(name).picture", "\(name).thumbnail.picture"])
  }

  @Test func `a picture that is being stored stays until the record names it`() throws {
    try store.storeHeld(picture, sha256: name)
    try store.sweep(keeping: [])
    try store.erase(sha256: name)
    #expect(try files.count == 2)
    store.settle(sha256: name)
    #expect(try store.sweep(keeping: []) == 2)
    #expect(try files == [])
  }

  @Test func `a missing directory is reported, and no file is left`() throws {
    let nowhere = ImageStore(directory: directory + "/none")
    #expect(throws: (any Error).self) { try nowhere.store(picture, sha256: name) }
  }
}
