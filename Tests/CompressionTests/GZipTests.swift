import Compression
import TestRandom
import Testing

struct GZipTests {
  @Test func `bytes of each size come back`() throws {
    var random = SeededGenerator(seed: 3)
    for size in [0, 1, 2, 100, 65_535, 65_536, 65_537, 300_000] {
      let bytes = (0..<size).map { _ in UInt8.random(in: 97...104, using: &random) }
      let packed = GZip.compress(bytes)
      #expect(try GZip.expand(packed, limit: size) == bytes)
      if size > 0 {
        #expect(throws: GZip.Failure.tooLarge) { try GZip.expand(packed, limit: size - 1) }
      }
      if size >= 65_535 { #expect(packed.count < size / 2) }
    }
  }

  @Test func `a small body does not expand without a limit`() {
    let packed = GZip.compress([UInt8](repeating: 32, count: 50_000_000))
    #expect(packed.count < 60_000)
    #expect(throws: GZip.Failure.tooLarge) { try GZip.expand(packed, limit: 1 << 20) }
  }

  @Test func `each cut and each byte after the end is damage`() {
    let packed = GZip.compress(Array("a row of a record\n".utf8))
    for count in 0..<packed.count {
      #expect(throws: GZip.Failure.damaged) {
        try GZip.expand(Array(packed.prefix(count)), limit: 1_000)
      }
    }
    #expect(throws: GZip.Failure.damaged) { try GZip.expand(packed + [0], limit: 1_000) }
  }

  @Test func `damaged bytes never give other bytes`() {
    let bytes = Array("the quick brown fox jumps over the lazy dog".utf8)
    let packed = GZip.compress(bytes)
    // No checksum covers the first 10 bytes, the header of gzip. If only the header is damaged, the
    // result can still be correct.
    for index in packed.indices {
      var changed = packed
      changed[index] ^= 0x10
      let result = try? GZip.expand(changed, limit: 1_000)
      #expect(result == nil || result == bytes, "byte \(index)")
    }
  }
}
