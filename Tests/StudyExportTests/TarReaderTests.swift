import StudyExport
import TestRandom
import Testing

@Suite struct `Reading an archive` {
  private let files: [(name: String, bytes: [UInt8])] = [
    ("MANIFEST.json", []), ("one-block.csv", .init(repeating: 0x61, count: 512)),
    ("odd.csv", .init(repeating: 0x62, count: 700)),
  ]

  private var archive: [UInt8] {
    files.reduce(into: []) { bytes, file in
      bytes += TarHeader.bytes(name: file.name, size: file.bytes.count) + file.bytes
      bytes += TarHeader.padding(size: file.bytes.count)
    } + TarHeader.end
  }

  /// Reads the whole archive in pieces of `piece` bytes.
  private func read(_ bytes: [UInt8], piece: Int) throws -> [String: [UInt8]] {
    var reader = TarReader()
    var found: [String: [UInt8]] = [:]
    var open: String?
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try reader.read(Array(bytes[start..<min(bytes.count, start + piece)])) { part in
        switch part {
        case .file(let name, _): (open, found[name]) = (name, [])
        case .content(let bytes): found[open ?? ""]? += bytes
        case .end: open = nil
        }
      }
    }
    try reader.finish()
    #expect(open == nil)
    return found
  }

  @Test(arguments: [1, 7, 511, 512, 513, 100_000])
  func `returns the packed files, with pieces of any size`(piece: Int) throws {
    let found = try read(archive, piece: piece)
    #expect(found == Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.bytes) }))
  }

  private func refuses(_ bytes: [UInt8], _ what: String) {
    #expect(throws: TarError.self, "\(what)") { try read(bytes, piece: 10_240) }
  }

  /// Returns a header with changed bytes and a correct checksum.
  private func forged(_ name: String, size: Int = 0, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var block = TarHeader.bytes(name: name, size: size)
    change(&block)
    block.replaceSubrange(148..<156, with: Array("        ".utf8))
    let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
    let digits = String(repeating: "0", count: 6 - sum.count) + sum
    block.replaceSubrange(148..<156, with: Array(digits.utf8) + [0, 0x20])
    return block
  }

  @Test func `refuses every kind of entry except a plain file`() {
    // The reader refuses these types: hard link, symbolic link, devices, directory, pipe and
    // contiguous file. It also refuses the types of GNU for long names, long links, sparse files,
    // multiple volumes, directories and volume names, and the extensions of POSIX and Solaris.
    for kind in "1234567LKSMDVNgxXA\0 " {
      let block = forged("record.sqlite") { $0[156] = kind.asciiValue ?? 0 }
      refuses(block + TarHeader.end, "type \(kind)")
    }
    #expect(throws: Never.self) {
      try read(forged("record.sqlite") { _ in } + TarHeader.end, piece: 512)
    }
  }

  @Test func `refuses a header that differs from ours in any byte`() {
    let good = TarHeader.bytes(name: "record.sqlite", size: 0) + TarHeader.end
    for place in 0..<512 {
      for bit in [UInt8(1), 0x40, 0x80] {
        var bytes = good
        bytes[place] ^= bit
        // A changed byte makes the checksum wrong, so the reader refuses the header. With a correct
        // checksum, the reader must also refuse the header if the changed byte is not in the name,
        // the size or the checksum. If only the name changes, the header is correct: it names a different file.
        refuses(bytes, "byte \(place) by \(bit)")
        if place >= 100, !(124..<136).contains(place), !(148..<156).contains(place) {
          let block = forged("record.sqlite") { $0[place] ^= bit }
          refuses(block + TarHeader.end, "byte \(place) by \(bit), with its sum")
        }
      }
    }
  }

  @Test(arguments: [
    "", ".", "..", "../x", "/etc/passwd", "a/b", ".hidden", "-rf", "a b", "a\nb", "ä", "a\\b",
    "a:b",
    "--x", "~root", "$HOME",
  ])
  func `refuses names that none of our files has`(name: String) {
    refuses(TarHeader.bytes(name: name, size: 0) + TarHeader.end, name)
  }

  @Test func `refuses names that continue after their end, or that use the prefix field`() {
    refuses(forged("a") { $0[5] = 0x62 } + TarHeader.end, "behind the zero")
    let prefix = forged("passwd") { $0.replaceSubrange(345..<350, with: Array("/etc\0".utf8)) }
    refuses(prefix + TarHeader.end, "prefix")
    #expect(throws: Never.self) {
      let name = String(repeating: "n", count: 100)
      return try read(TarHeader.bytes(name: name, size: 0) + TarHeader.end, piece: 512)
    }
  }

  @Test(arguments: [
    "0000000000 ", "-0000000001", "+0000000001", " 0000000000", "77777777777", "\u{1}",
  ])
  func `refuses sizes that we do not write, or that have no data after them`(size: String) {
    let block = forged("a") { $0.replaceSubrange(124..<(124 + size.utf8.count), with: size.utf8) }
    refuses(block + TarHeader.end, size)
    let binary = forged("a") { $0[124] = 0x80 }
    refuses(binary + TarHeader.end, "GNU's binary size")
  }

  @Test(arguments: [1 << 30, (1 << 33) - 1]) func `reads a size of eleven digits`(size: Int) throws
  {
    var reader = TarReader()
    var parts: [TarReader.Part] = []
    try reader.read(TarHeader.bytes(name: "a", size: size)) { parts.append($0) }
    #expect(parts == [.file(name: "a", size: size)])
    #expect(throws: TarError.self) { try reader.finish() }
  }

  @Test func `refuses duplicate entries, data after the end, filled gaps and truncated archives`() {
    let file = TarHeader.bytes(name: "a", size: 1) + [1] + TarHeader.padding(size: 1)
    refuses(file + file + TarHeader.end, "twice")
    refuses(archive + [0], "one more zero")
    refuses(archive + archive, "another archive")
    refuses(file + [UInt8](repeating: 0, count: 512) + file + TarHeader.end, "after one block")
    var filled = file
    filled[600] = 7
    refuses(filled + TarHeader.end, "a byte in the padding")
    for count in stride(from: 0, to: archive.count, by: 97) {
      refuses(Array(archive[..<count]), "\(count) bytes")
    }
  }

  @Test func `survives random damage`() {
    var random = SeededGenerator(seed: 77)
    for _ in 0..<2_000 {
      var bytes = archive
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      // The test checks only that the reader does not crash. The reader can miss a change
      // inside the content of a file, but a digest finds such a change.
      _ = try? read(bytes, piece: Int.random(in: 1...2_000, using: &random))
    }
  }
}
