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

@Test func `a header has fixed fields, so that two exports have the same bytes`() {
  let header = TarHeader.bytes(name: "odd.csv", size: 700)
  func field(_ range: Range<Int>) -> String {
    String(decoding: header[range].prefix { $0 != 0 }, as: UTF8.self)
  }
  // The order of the fields in POSIX.1-1988 is: name, mode, uid, gid, size, mtime, checksum, type,
  // magic and version.
  let fields = [
    field(0..<100), field(100..<108), field(108..<116), field(116..<124), field(124..<136),
    field(136..<148), field(148..<155), field(156..<157), field(257..<263), field(263..<265),
  ]
  let sum = header.enumerated().reduce(0) { $0 + Int((148..<156) ~= $1.0 ? 0x20 : $1.1) }
  let digits = String(sum, radix: 8)
  #expect(
    fields == [
      "odd.csv", "0000644", "0000000", "0000000", "00000001274", "00000000000",
      String(repeating: "0", count: 6 - digits.count) + digits, "0", "ustar", "00",
    ])
  #expect(header[154] == 0 && header[155] == 0x20 && header[265...].allSatisfy { $0 == 0 })
}
