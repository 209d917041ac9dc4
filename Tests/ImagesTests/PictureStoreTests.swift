import Foundation
import Testing

@testable import Images

@Suite final class KeepingPictures {
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

  @Test func `a picture and its thumbnail come back as they were stored, and are nobody else's`()
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

  @Test func `an erased picture is gone from the disk, and erasing it again is no fault`() throws {
    try store.store(picture, sha256: name)
    try store.erase(sha256: name)
    try store.erase(sha256: name)
    #expect(try files == [])
    #expect(store.bytes(sha256: name, isThumbnail: false) == nil)
  }

  @Test func `a start takes away what no record knows and leaves the rest`() throws {
    try store.store(picture, sha256: name)
    try store.store(picture, sha256: String(repeating: "cd", count: 32))
    try Data([0]).write(to: URL(filePath: "\(directory)/\(name).picture.17.new"))
    try store.sweep(keeping: [name])
    #expect(try files == ["\(name).picture", "\(name).thumbnail.picture"])
  }

  @Test func `what is being stored stays until the record knows of it`() throws {
    try store.storeHeld(picture, sha256: name)
    try store.sweep(keeping: [])
    try store.erase(sha256: name)
    #expect(try files.count == 2)
    store.settle(sha256: name)
    #expect(try store.sweep(keeping: []) == 2)
    #expect(try files == [])
  }

  @Test func `a directory that is gone is told of, and nothing is left behind`() throws {
    let nowhere = ImageStore(directory: directory + "/none")
    #expect(throws: (any Error).self) { try nowhere.store(picture, sha256: name) }
  }
}
