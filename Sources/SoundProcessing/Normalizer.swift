@preconcurrency import Glibc

/// Normalises a decoded recording: trims silence at both ends, and changes the loudness to the
/// same value for all recordings. The true peak never exceeds `highestTruePeak`.
package struct Normalizer {
  static let targetLUFS = -16.0
  static let highestTruePeak = -1.5
  static let quietestLUFS = -45.0
  static let shortestSeconds = 0.5
  /// A part of the recording counts as silence if its level is more than this number of dB below
  /// the level of the loudest part. Parts below −65 dBFS always count as silence.
  static let silenceBelowLoudest = 40.0
  static let silenceFloor = -65.0
  static let keptBefore = 2_400
  static let keptAfter = 7_200
  /// The limiter reduces peaks by at most this number of dB. A stronger reduction would be audible.
  static let mostLimiting = 10.0

  package let samples: [Int16]
  package let loudness: Loudness

  /// Normalises samples at 48 kHz.
  ///
  /// - Throws: `SoundRefusal.tooQuiet` or `SoundRefusal.tooShort`.
  init(_ recording: [Float]) throws(SoundRefusal) {
    let range = Self.soundRange(recording)
    guard !range.isEmpty else { throw .tooQuiet(lufs: -.infinity) }
    let measured = Loudness(of: recording[range], peak: .sample)
    // The loudness meter needs at least 400 ms of sound (19,200 samples). For a shorter sound, the
    // meter returns −∞, even if the sound is loud. In this case, the function throws `tooShort` and
    // not `tooQuiet`.
    let seconds = Double(range.count) / Double(CanonicalWAV.rate)
    if measured.lufs >= Self.quietestLUFS || range.count < 19_200 {
      if seconds < Self.shortestSeconds { throw .tooShort(seconds: seconds) }
    }
    guard measured.lufs >= Self.quietestLUFS else { throw .tooQuiet(lufs: measured.lufs) }
    var sound = Array(recording[range])
    Self.fadeEnds(&sound)
    loudness = Self.normalise(&sound, measured: measured)
    samples = sound.map { Int16(max(-32_768, min(32_767, ($0 * 32_767).rounded()))) }
  }

  /// Checks, converts and normalises a decoded recording.
  ///
  /// - Throws: `SoundRefusal` if the recording cannot be used.
  package init(_ recording: Recording) throws(SoundRefusal) {
    let seconds = Double(recording.samples.count) / Double(recording.rate)
    if seconds < Self.shortestSeconds { throw .tooShort(seconds: seconds) }
    let clipped = recording.clippedShare
    if clipped > ClippingMeter.worstShare { throw .clipped(share: clipped) }
    try self.init(Resampler.resample(recording.samples, from: recording.rate))
  }

  // MARK: Trimming

  private static func soundRange(_ recording: [Float]) -> Range<Int> {
    let window = 480
    var levels: [Float] = []
    for start in stride(from: 0, to: recording.count, by: window) {
      var sum: Float = 0
      let end = min(start + window, recording.count)
      for index in start..<end { sum += recording[index] * recording[index] }
      levels.append((sum / Float(end - start)).squareRoot())
    }
    guard let loudest = levels.max(), loudest > 0 else { return 0..<0 }
    let threshold = max(
      loudest * Float(factor(decibels: -silenceBelowLoudest)), Float(factor(decibels: silenceFloor))
    )
    guard let first = levels.firstIndex(where: { $0 >= threshold }),
      let last = levels.lastIndex(where: { $0 >= threshold })
    else { return 0..<0 }
    let start = max(0, first * window - keptBefore)
    return start..<min(recording.count, (last + 1) * window + keptAfter)
  }

  /// Fades the first and the last 10 ms of the sound. The trimming can cut a recording in the
  /// middle of a constant background noise. Without the fades, a person would hear a click at each
  /// cut.
  private static func fadeEnds(_ sound: inout [Float]) {
    let edge = min(480, sound.count / 2)
    for index in 0..<edge {
      let level = Float(index) / Float(edge)
      sound[index] *= level
      sound[sound.count - 1 - index] *= level
    }
  }

  // MARK: Level

  /// Changes the sound to the target loudness, and returns the resulting loudness.
  ///
  /// If the peaks would be too high at the target loudness, the function limits the peaks. This
  /// limiting reduces the loudness, so the function raises the level once more.
  private static func normalise(_ sound: inout [Float], measured: Loudness) -> Loudness {
    // In speech, true peaks are up to 0.5 dB above the sample peaks. Therefore `ceiling`, the limit
    // for sample peaks, is 0.5 dB lower than the limit for true peaks.
    // If a true peak is still too high, the last part of this function reduces the level.
    let ceiling = highestTruePeak - 0.5
    let room = ceiling - measured.peakDecibels
    let gain = min(targetLUFS - measured.lufs, room + mostLimiting)
    scale(&sound, by: gain)
    if gain > room {
      Limiter.limit(&sound, ceiling: Float(factor(decibels: ceiling)))
      let missing = min(targetLUFS - Loudness(of: sound[...], peak: .sample).lufs, 3)
      if missing > 0.1 {
        scale(&sound, by: missing)
        Limiter.limit(&sound, ceiling: Float(factor(decibels: ceiling)))
      }
    }
    var result = Loudness(of: sound[...], peak: .betweenSamples)
    // The loudness meter ignores quiet parts of the sound. After the function has raised the level,
    // some of these parts are no longer quiet, and the meter includes them. As a result, the
    // measured loudness changes, and the sound can be too loud. An example is a sound of one second
    // that is almost silent and contains a short loud click.
    let tooLoud = result.lufs - targetLUFS
    let excess = max(result.peakDecibels - highestTruePeak, tooLoud > 0.1 ? tooLoud : 0)
    if excess > 0 {
      scale(&sound, by: -excess)
      result.lufs -= excess
      result.peakDecibels -= excess
    }
    return result
  }

  private static func scale(_ sound: inout [Float], by decibels: Double) {
    let level = Float(factor(decibels: decibels))
    sound.withUnsafeMutableBufferPointer { for index in $0.indices { $0[index] *= level } }
  }
}
