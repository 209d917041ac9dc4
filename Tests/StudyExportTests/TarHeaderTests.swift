import Foundation
import StudyExport
import Testing

@Test func `the tar program of the system reads our archives`() throws {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    "tar-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  let files = ["empty.csv": 0, "one-block.csv": 512, "odd.csv": 700]
  var archive: [UInt8] = []
  for (name, size) in files.sorted(by: { $0.key < $1.key }) {
    archive += TarHeader.bytes(name: name, size: size)
    archive += [UInt8](repeating: 0x61, count: size) + TarHeader.padding(size: size)
  }
  let path = directory.appendingPathComponent("all.tar")
  try Data(archive + TarHeader.end).write(to: path)
  let tar = Process()
  tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  tar.arguments = ["tar", "-x", "-C", directory.path, "-f", path.path]
  try tar.run()
  tar.waitUntilExit()
  #expect(tar.terminationStatus == 0)
  for (name, size) in files {
    #expect(try Data(contentsOf: directory.appendingPathComponent(name)).count == size)
  }
}
