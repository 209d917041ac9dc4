import Testing

@testable import CivilTime

/// Tests small zone files: the offsets that the reader finds, and the position of each fault.
@Suite("Small zone files")
struct ZoneReaderTests {
  /// Returns the bytes of a zone file of version 2. The part for version 1 is empty.
  ///
  /// The second header is at byte 51, and its data begin at byte 95: 8 bytes for each time, 1 byte
  /// for the type of each time, 6 bytes for each type, and 1 byte of text.
  static func file(
    _ times: [(Int64, UInt8)] = [(100, 1)], offsets: [Int32] = [0, 3_600], footer: String = ""
  ) -> [UInt8] {
    func header(times: Int, types: Int) -> [UInt8] {
      let counts = [0, 0, 0, times, types, 1]
      return Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        + counts.flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
    func big(_ value: Int64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64($0 * 8)) }
    }
    return header(times: 0, types: 1) + [UInt8](repeating: 0, count: 7)
      + header(times: times.count, types: offsets.count) + times.flatMap { big($0.0, 8) }
      + times.map { $0.1 } + offsets.flatMap { big(Int64($0), 4) + [0, 0] } + [0]
      + Array("\n\(footer)\n".utf8)
  }

  private func offsets(_ file: [UInt8], _ instants: [Int64]) throws -> [Int] {
    let zone = try Zone(name: "x", tzif: file)
    return instants.map { zone.offsetSeconds(at: Instant(seconds: $0)) }
  }

  @Test func `a file without a rule in its footer keeps its last offset`() throws {
    #expect(try offsets(Self.file(), [-1, 99, 100, 1 << 40]) == [0, 0, 3_600, 3_600])
    let zone = try Zone(name: "x", tzif: Self.file())
    #expect(zone.nextOffsetChange(after: Instant(seconds: 99)) == Instant(seconds: 100))
    #expect(zone.nextOffsetChange(after: Instant(seconds: 100)) == nil)
  }

  @Test func `a footer without daylight time applies after the last time of the file`() throws {
    let file = Self.file(footer: "XXX-2")
    #expect(try offsets(file, [99, 100, 101, 1 << 40]) == [0, 3_600, 7_200, 7_200])
    let zone = try Zone(name: "x", tzif: file)
    #expect(zone.nextOffsetChange(after: Instant(seconds: 100)) == Instant(seconds: 101))
    #expect(zone.nextOffsetChange(after: Instant(seconds: 101)) == nil)
    // The footer gives the same offset as the last time in the file. Therefore, the zone has no
    // further change.
    let same = try Zone(name: "x", tzif: Self.file(footer: "XXX-1"))
    #expect(same.nextOffsetChange(after: Instant(seconds: 100)) == nil)
    // If the file contains no times, the footer applies from 1900 on.
    let alone = Self.file([], footer: "XXX3")
    #expect(try offsets(alone, [-2_208_988_801, -2_208_988_799, 0]) == [0, -10_800, -10_800])
  }

  @Test func `a time billions of years ago gives the first offset`() throws {
    let bound = Int64(1) << 43
    #expect(try offsets(Self.file([(-bound - 1, 1)]), [-bound / 2, 0]) == [3_600, 3_600])
    #expect(try offsets(Self.file([(-bound - 1, 1), (5, 0)]), [4, 5]) == [3_600, 0])
    #expect(try offsets(Self.file([(bound, 1)]), [0, 1 << 40]) == [0, 0])
  }

  @Test func `the limits of an offset are those of the standard`() throws {
    #expect(try offsets(Self.file(offsets: [-89_999, 93_599]), [0, 100]) == [-89_999, 93_599])
  }

  private static let faults: [(file: [UInt8], offset: Int, reason: String)] = {
    let whole = file()
    func changed(_ place: Int, _ byte: UInt8, _ bytes: [UInt8] = whole) -> [UInt8] {
      var bytes = bytes
      bytes[place] = byte
      return bytes
    }
    return [
      ([], 0, "the file ends inside its header"),
      (Array(whole.prefix(43)), 43, "the file ends inside its header"),
      (Array(whole.prefix(94)), 94, "the file ends inside its header"),
      (Array(whole.prefix(116)), 116, "the file ends inside its data"),
      (changed(0, 0x41), 0, "it does not start with TZif"),
      (changed(51, 0x41), 51, "it does not start with TZif"),
      (changed(4, 0x31), 4, "its version is not supported"),
      (changed(55, 0x31), 55, "its version is not supported"),
      (changed(71, 0xFF), 71, "a count in the header is too large"),
      (changed(92, 1, changed(94, 1)), 91, "a count in the header is too large"),
      (changed(92, 1, changed(94, 0)), 119, "the file ends inside its data"),
      (changed(90, 0), 95, "it has 0 types of local time, not 1 to 256"),
      (
        changed(82, 1) + [UInt8](repeating: 0, count: 12), 95,
        "it contains leap seconds, which POSIX time does not have"
      ),
      (file([(100, 1), (100, 0)]), 103, "its times are not in order"),
      (file([(100, 1), (99, 0)]), 103, "its times are not in order"),
      (file([(100, 2)]), 103, "a time has no offset"),
      (file([(1 << 43 + 1, 1)]), 95, "a time is too far in the future"),
      (file(offsets: [0, 93_600]), 110, "an offset of 93600 s from UTC is not possible"),
      (file(offsets: [-90_000, 0]), 104, "an offset of -90000 s from UTC is not possible"),
      (Array(whole.prefix(117)), 117, "it has no footer"),
      (changed(117, 0x41), 117, "it has no footer"),
      (Array(whole.prefix(118)), 118, "its footer does not end"),
      (file(footer: "XX"), 118, "its footer \"XX\" cannot be read"),
    ]
  }()

  @Test(arguments: faults.indices)
  func `a faulty file is refused with the place of the fault`(index: Int) {
    let (file, offset, reason) = Self.faults[index]
    #expect(throws: CivilTimeError.malformedZone(name: "x", offset: offset, reason: reason)) {
      try Zone(name: "x", tzif: file)
    }
  }

  @Test func `a file of version 1 has no footer`() throws {
    var file = Array(Self.file().prefix(51))
    file[4] = 0
    #expect(try offsets(file, [0, 1 << 40]) == [0, 0])
  }
}
