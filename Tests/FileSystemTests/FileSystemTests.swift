import FileSystem
import Foundation
import Testing

@Suite struct `A directory` {
  private let place = FileManager.default.temporaryDirectory
    .appending(path: "filesystem-\(UUID().uuidString)").path(percentEncoded: false)

  private func make(_ name: String) throws -> String {
    let path = "\(place)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  @Test func `is removed with its contents, and the targets of its links stay`() throws {
    defer { removeTree(place) }
    let tree = try make("tree")
    let other = try make("other")
    for path in ["\(other)/kept", "\(tree)/file"] {
      try Data("x".utf8).write(to: URL(filePath: path))
    }
    _ = try make("tree/deep/deeper")
    for name in ["tree/link", "tree/deep/link", "alias"] {
      #expect(symlink(other, "\(place)/\(name)") == 0)
    }
    #expect(symlink("\(other)/kept", "\(tree)/deep/deeper/link") == 0)
    removeTree(tree)
    #expect(!exists(tree))
    // If the path is a symbolic link to a directory, `removeTree` removes only the link.
    removeContents(of: "\(place)/alias")
    #expect(exists("\(place)/alias") && exists("\(other)/kept"))
    removeTree("\(place)/alias")
    #expect(!exists("\(place)/alias") && exists("\(other)/kept"))
    removeContents(of: other)
    #expect(exists(other) && !exists("\(other)/kept"))
  }

  @Test func `gets new files, but not through a link or in place of an existing file`() throws {
    defer { removeTree(place) }
    let path = try make("files")
    let victim = "\(place)/victim"
    try Data("untouched".utf8).write(to: URL(filePath: victim))
    #expect(symlink(victim, "\(path)/link") == 0)
    #expect(symlink(path, "\(place)/alias") == 0)
    let directory = try OpenDirectory(path)
    let file = try directory.makeFile("new")
    try file.write(Array("abc".utf8)[1...])
    try file.flush()
    #expect(try Data(contentsOf: URL(filePath: "\(path)/new")) == Data("bc".utf8))
    for name in ["link", "new", "..", ".", "", "a/b", "../victim"] {
      #expect(throws: SystemError.self, "\(name)") { try directory.makeFile(name) }
    }
    #expect(throws: SystemError.self) { try OpenDirectory("\(place)/alias") }
    #expect(throws: SystemError.self) { try OpenDirectory(victim) }
    #expect(try Data(contentsOf: URL(filePath: victim)) == Data("untouched".utf8))
  }
}
