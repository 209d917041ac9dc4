import Glibc

/// Compares what the sound decoder claims with the sound that came: a decoder that a stranger's file has
/// taken over claims what it likes.
struct ToneCheck {
  private static let headerBytes = 44
  /// What every stored tone begins with, but for its two lengths: PCM, mono, 48 kHz, 16 bit.
  private static let format: [UInt8] =
    Array("WAVEfmt ".utf8) + [
      16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0xbb, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0,
    ]
    + Array("data".utf8)
  private static let lengths = 500...60_000
  /// Of a mastered tone, with room for rounding: at most −1.5 dBTP, at about −16 LUFS.
  private static let loudness = -46.0 ... -10.0
  private static let peaks = -46.0 ... -1.4
  /// A true peak lies between samples, this much above the highest of them at most.
  private static let mostBetweenSamples = 6.1

  /// - Returns: what does not fit; nil if everything does.
  static func fault(
    in wav: [UInt8], milliseconds: Int, loudnessLUFS: Double, truePeakDecibels: Double,
    format name: String
  ) -> String? {
    let size = wav.count - headerBytes
    guard size > 0, size % 2 == 0, Array(wav[8..<40]) == format,
      wav.starts(with: Array("RIFF".utf8)),
      number(wav, 4) == size + 36, number(wav, 40) == size
    else { return "it is not a WAV file of 48 kHz, mono and 16 bit" }
    guard size / 2 / 48 == milliseconds, lengths.contains(milliseconds) else {
      return "its length is not the one that is claimed"
    }
    guard loudness.contains(loudnessLUFS), peaks.contains(truePeakDecibels) else {
      return "its loudness is claimed out of range"
    }
    guard (1...40).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
    else { return "its format has no name" }
    let peak = peakDecibels(wav)
    // Louder than claimed would be louder than any tone is to be.
    guard peak <= truePeakDecibels + 0.1, peak >= truePeakDecibels - mostBetweenSamples else {
      return "its peak is not the one that is claimed"
    }
    return nil
  }

  private static func number(_ wav: [UInt8], _ at: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(wav[at + $1]) << (8 * $1) }
  }

  private static func peakDecibels(_ wav: [UInt8]) -> Double {
    var highest = 0
    for at in stride(from: headerBytes, to: wav.count - 1, by: 2) {
      let sample = Int(Int16(truncatingIfNeeded: Int(wav[at]) | Int(wav[at + 1]) << 8))
      highest = max(highest, abs(sample))
    }
    return highest == 0 ? -.infinity : 20 * log10(Double(highest) / 32_768)
  }
}
