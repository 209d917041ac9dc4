/// The past and future offsets of a zone, as a TZif file contains them.
struct ZoneHistory: Equatable {
  /// The instants at which the offset changes, in seconds since 1970-01-01T00:00:00Z, in strictly
  /// ascending order.
  var transitions: [Int64] = []
  /// The offsets: `offsets[0]` applies before the first transition, and `offsets[i + 1]` applies
  /// from `transitions[i]` on.
  var offsets: [Int32]
  /// The rule in the footer of the file. This rule determines the offsets after the last transition
  /// in the file. The value is nil if the file contains no such rule.
  var footer: PosixZone?

  /// Adds a transition to the list if the transition changes the offset. If a transition changes
  /// only the abbreviation or the daylight flag, the function ignores the transition.
  mutating func append(_ instant: Int64, offset: Int32) {
    if offsets[offsets.count - 1] == offset { return }
    transitions.append(instant)
    offsets.append(offset)
  }
}

/// A reader for TZif, RFC 8536 (version 1 to 3) and RFC 9636 (version 4).
struct TZifReader {
  let name: String
  let bytes: [UInt8]

  /// The version in a TZif header, and the six counts that follow the version, in the order of the
  /// file.
  private struct Header {
    var version: UInt8
    var utcIndicators, standardIndicators, leaps, times, types, characters: Int

    /// The size of the data block after the header, in bytes. Each time in the block has a size of
    /// `timeSize` bytes.
    func blockSize(timeSize: Int) -> Int {
      times * timeSize + times + types * 6 + characters + leaps * (timeSize + 4)
        + standardIndicators + utcIndicators
    }
  }

  /// The offsets that a zone may have, in seconds.
  ///
  /// RFC 8536 section 3.2 requires that an offset is greater than -25 h and less than 26 h.
  private static let saneOffsets = Int32(-89_999)...Int32(93_599)
  private static let headerSize = 44

  func read() throws(CivilTimeError) -> ZoneHistory {
    let first = try header(at: 0)
    let firstBlock = TZifReader.headerSize
    if first.version == 0 {
      return try history(first, at: firstBlock, timeSize: 4)
    }
    let second = firstBlock + first.blockSize(timeSize: 4)
    let header = try header(at: second)
    let block = second + TZifReader.headerSize
    var history = try history(header, at: block, timeSize: 8)
    try readFooter(at: block + header.blockSize(timeSize: 8), into: &history)
    return history
  }

  private func fault(_ offset: Int, _ reason: String) -> CivilTimeError {
    .malformedZone(name: name, offset: offset, reason: reason)
  }

  private func header(at start: Int) throws(CivilTimeError) -> Header {
    guard start + TZifReader.headerSize <= bytes.count else {
      throw fault(bytes.count, "the file ends inside its header")
    }
    guard bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
      throw fault(start, "it does not start with TZif")
    }
    let version = bytes[start + 4]
    guard version == 0 || version >= 0x32 else {
      throw fault(start + 4, "its version is not supported")
    }
    var counts: [Int] = []
    for index in 0..<6 {
      let count = Int(integer(at: start + 20 + index * 4, size: 4))
      // In real TZif files, each count is at most a few hundred. The limit of 65,536 prevents an
      // overflow of the sum of all counts.
      guard (0...65_536).contains(count) else {
        throw fault(start + 20 + index * 4, "a count in the header is too large")
      }
      counts.append(count)
    }
    return Header(
      version: version, utcIndicators: counts[0], standardIndicators: counts[1],
      leaps: counts[2], times: counts[3], types: counts[4], characters: counts[5])
  }

  /// Reads a big-endian signed integer. The caller must first check that the integer lies within
  /// the file.
  private func integer(at start: Int, size: Int) -> Int64 {
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] { value = value << 8 | UInt64(byte) }
    let shift = 64 - size * 8
    return Int64(bitPattern: value << shift) >> shift
  }

  private func history(
    _ header: Header, at start: Int, timeSize: Int
  ) throws(CivilTimeError) -> ZoneHistory {
    guard start + header.blockSize(timeSize: timeSize) <= bytes.count else {
      throw fault(bytes.count, "the file ends inside its data")
    }
    guard (1...256).contains(header.types) else {
      throw fault(start, "it has \(header.types) types of local time, not 1 to 256")
    }
    guard header.leaps == 0 else {
      throw fault(start, "it contains leap seconds, which POSIX time does not have")
    }
    let indices = start + header.times * timeSize
    let types = indices + header.times
    var offsets: [Int32] = []
    for index in 0..<header.types {
      let offset = Int32(truncatingIfNeeded: integer(at: types + index * 6, size: 4))
      guard TZifReader.saneOffsets.contains(offset) else {
        throw fault(types + index * 6, "an offset of \(offset) s from UTC is not possible")
      }
      offsets.append(offset)
    }
    var history = ZoneHistory(offsets: [offsets[0]])
    var last = Int64.min
    for index in 0..<header.times {
      let place = start + index * timeSize
      let instant = integer(at: place, size: timeSize)
      guard index == 0 || instant > last else { throw fault(place, "its times are not in order") }
      last = instant
      let type = Int(bytes[indices + index])
      guard type < offsets.count else { throw fault(indices + index, "a time has no offset") }
      // Some files contain a first transition that is billions of years ago ("big bang"). If a
      // transition is earlier than about 277,000 BC, the reader does not add it to the list. But
      // the reader uses the offset of this transition for all instants before the next transition.
      if instant < -(1 << 43) {
        history.offsets[0] = offsets[type]
      } else if instant > 1 << 43 {
        throw fault(place, "a time is too far in the future")
      } else {
        history.append(instant, offset: offsets[type])
      }
    }
    return history
  }

  private func readFooter(at start: Int, into history: inout ZoneHistory) throws(CivilTimeError) {
    guard start < bytes.count, bytes[start] == 0x0A else {
      throw fault(min(start, bytes.count), "it has no footer")
    }
    guard let end = bytes[(start + 1)...].firstIndex(of: 0x0A) else {
      throw fault(bytes.count, "its footer does not end")
    }
    if end == start + 1 { return }
    let text = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    guard let footer = PosixZone(text) else {
      throw fault(start + 1, "its footer \"\(text)\" cannot be read")
    }
    history.footer = footer
  }
}
