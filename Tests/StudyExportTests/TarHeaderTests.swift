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

@Test func `an archive has the length of its headers, its contents in blocks, and its end`() {
  for sizes in [[], [0], [1], [511, 512, 513], [100_000, 7]] {
    let bytes = sizes.reduce(into: [UInt8]()) { bytes, size in
      bytes += TarHeader.bytes(name: "a", size: size) + [UInt8](repeating: 1, count: size)
      bytes += TarHeader.padding(size: size)
    }
    #expect(TarHeader.archiveBytes(sizes) == bytes.count + TarHeader.end.count)
    #expect(bytes.count.isMultiple(of: 512))
  }
  #expect(TarHeader.end.count == 1_024)
  let largest = TarHeader.bytes(name: "a", size: (1 << 33) - 1)
  #expect(String(decoding: largest[124..<136], as: UTF8.self) == "77777777777\0")
}
