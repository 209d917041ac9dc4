import Foundation
import Testing

@testable import ClientKit

@Suite struct `A download` {
  @Test func `has its name after commit only, and replaces no file`() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let path = place.appending(path: "a.tar").path(percentEncoded: false)
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: place.path(percentEncoded: false))
    }
    do {
      let broken = try Download(path)
      try broken.write([1])
      #expect(try names() == ["a.tar.partial-\(getpid())"])
    }
    #expect(try names() == [])
    let download = try Download(path)
    try download.write([1])
    try download.write([2])
    try download.flush()
    #expect(try Data(contentsOf: URL(filePath: download.partial)) == Data([1, 2]))
    try download.commit()
    #expect(try names() == ["a.tar"])
    #expect(throws: Failure.badUsage("\(path) exists already")) { try Download(path) }
    #expect(throws: Failure.badUsage("cannot write /nowhere/a: No such file or directory")) {
      try Download("/nowhere/a")
    }
  }

  @Test func `is not what replaces a report: that file may exist`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      .path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Files.replace(path, with: [1])
    try Files.replace(path, with: [2])
    #expect(try Files.read(path, atMost: 1) == [2])
    #expect(throws: Failure.badUsage("cannot write /nowhere/a: No such file or directory")) {
      try Files.replace("/nowhere/a", with: [])
    }
  }
}
