/// The header of one frame of an MP3 file (ISO/IEC 11172-3 and 13818-3), layers I to III.
package struct MPEGFrame {
  /// The length of the frame in bytes.
  let length: Int
  let samples: Int
  let rate: Int
  /// The number of bytes from the start of the frame to the place at which a Xing header can begin.
  private let sideInformation: Int

  private static let bitRates: [[Int]] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// Reads a frame header. The result is nil if the four bytes are not a frame header, or if the
  /// length of the frame cannot be computed from them.
  init?(_ bytes: [UInt8], at: Int) {
    guard at + 4 <= bytes.count, bytes[at] == 0xff, bytes[at + 1] & 0xe0 == 0xe0 else { return nil }
    let version = Int(bytes[at + 1] >> 3 & 3)
    let layer = 4 - Int(bytes[at + 1] >> 1 & 3)
    let bitRate = Int(bytes[at + 2] >> 4)
    let rateCode = Int(bytes[at + 2] >> 2 & 3)
    guard version != 1, layer != 4, (1...14).contains(bitRate), rateCode != 3 else { return nil }
    let isFirst = version == 3
    let table = isFirst ? layer - 1 : layer == 1 ? 3 : 4
    let bits = Self.bitRates[table][bitRate - 1] * 1_000
    rate = [44_100, 48_000, 32_000][rateCode] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let padding = Int(bytes[at + 2] >> 1 & 1)
    samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1_152
    length =
      layer == 1 ? (12 * bits / rate + padding) * 4 : samples / 8 * bits / rate + padding
    let isMono = bytes[at + 3] >> 6 == 3
    sideInformation = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    guard length > 4 else { return nil }
  }

  /// Returns true if `count` frames follow one another, and the first frame begins at `start`.
  ///
  /// - Parameters:
  ///   - count: the number of frames.
  ///   - mayEnd: true if the function also accepts fewer than `count` frames when the file ends
  ///     after them.
  static func isChain(
    in bytes: [UInt8], from start: Int, atLeast count: Int, mayEnd: Bool
  ) -> Bool {
    var at = start
    for number in 0..<count {
      if at >= bytes.count { return mayEnd && number > 0 }
      // Some encoders write a tag after the last frame.
      if bytes.hasTag("TAG", at: at) || bytes.hasTag("APETAGEX", at: at) { return number > 0 }
      // In one file, all frames have the same version, layer and sample rate.
      guard let frame = MPEGFrame(bytes, at: at), bytes[at + 1] & 0x1e == bytes[start + 1] & 0x1e,
        bytes[at + 2] & 0x0c == bytes[start + 2] & 0x0c
      else { return false }
      at += frame.length
    }
    return true
  }

  /// Returns the number of frames in an MP3 file, divided by the number of frames of the complete
  /// file: 0 … 1. The result is nil if the file does not state how many frames the complete file
  /// has.
  ///
  /// Encoders write the number of frames of the complete file into the first frame (Xing, Info or
  /// VBRI header).
  package static func presentShare(of bytes: [UInt8], from start: Int) -> Double? {
    guard let first = MPEGFrame(bytes, at: start) else { return nil }
    let xing = start + first.sideInformation
    let frames: Int
    if bytes.hasTag("Xing", at: xing) || bytes.hasTag("Info", at: xing) {
      guard let flags = bytes.number(xing + 4, 4, isBigEndian: true), flags & 1 == 1,
        let count = bytes.number(xing + 8, 4, isBigEndian: true)
      else { return nil }
      frames = count
    } else if bytes.hasTag("VBRI", at: start + 36) {
      guard let count = bytes.number(start + 36 + 14, 4, isBigEndian: true) else { return nil }
      frames = count
    } else {
      return nil
    }
    var at = start + first.length
    var present = 0
    while at < bytes.count, present < frames {
      if let frame = MPEGFrame(bytes, at: at) {
        if at + frame.length > bytes.count { break }
        present += 1
        at += frame.length
      } else {
        at += 1
      }
    }
    return frames == 0 ? nil : Double(present) / Double(frames)
  }
}

/// A frame of an AAC stream with ADTS headers (ISO/IEC 13818-7).
enum ADTSFrame {
  /// Returns true if `count` frames follow one another, and the first frame begins at `start`. The
  /// parameters are the same as in `MPEGFrame.isChain`.
  static func isChain(
    in bytes: [UInt8], from start: Int, atLeast count: Int, mayEnd: Bool
  ) -> Bool {
    var at = start
    for number in 0..<count {
      if at >= bytes.count { return mayEnd && number > 0 }
      if number > 0, bytes.hasTag("TAG", at: at) { return true }
      guard at + 7 <= bytes.count, bytes[at] == 0xff, bytes[at + 1] & 0xf6 == 0xf0 else {
        return false
      }
      let length =
        Int(bytes[at + 3] & 3) << 11 | Int(bytes[at + 4]) << 3 | Int(bytes[at + 5] >> 5)
      guard length > 7, bytes[at + 2] >> 2 & 15 < 13 else { return false }
      at += length
    }
    return true
  }
}
