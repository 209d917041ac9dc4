import Glibc

/// Compares the report of the sound decoder with the sound that the decoder returned.
///
/// The daemon must not trust the report alone, because a malicious file can take control of the
/// decoder. The decoder can then report anything.
struct ToneCheck {
  private static let headerBytes = 44
  /// The bytes 8 to 39 of the header of a tone. These bytes are the same in every stored tone. They
  /// contain the format: PCM, mono, 48 kHz, 16 bit. The lengths of the file and of the sound are in
  /// other bytes of the header.
  private static let format: [UInt8] =
    Array("WAVEfmt ".utf8) + [
      16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0xbb, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0,
    ]
    + Array("data".utf8)
  private static let lengths = 500...60_000
  /// The allowed loudness of a normalised tone in LUFS. Usually, a normalised tone has about −16
  /// LUFS and at most −1.5 dBTP. The allowed ranges are wider, because a quiet recording with high
  /// peaks cannot reach −16 LUFS.
  private static let loudness = -46.0 ... -10.0
  private static let peaks = -46.0 ... -1.4
  /// The maximum difference between the true peak and the highest sample, in decibels.
  ///
  /// If the true peak is between two samples, every sample is lower than the true peak.
  private static let mostBetweenSamples = 6.1

  /// - Returns: the error; nil if the report matches the sound.
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
      return "its length differs from the reported length"
    }
    guard loudness.contains(loudnessLUFS), peaks.contains(truePeakDecibels) else {
      return "its reported loudness is out of range"
    }
    guard (1...40).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
    else { return "its source format has no valid name" }
    let peak = peakDecibels(wav)
    // The highest sample must not exceed the reported true peak by more than 0.1 dB. A larger
    // difference could mean that the sound exceeds the peak limit for tones.
    guard peak <= truePeakDecibels + 0.1, peak >= truePeakDecibels - mostBetweenSamples else {
      return "its peak differs from the reported peak"
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
