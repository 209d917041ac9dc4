@preconcurrency import Glibc

/// Normalises a decoded recording: trims silence at both ends, and changes the loudness to the
/// same value for all recordings. The true peak never exceeds `highestTruePeak`.
struct Normalizer {
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

  let samples: [Int16]
  let loudness: Loudness

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

  /// Decodes and normalises an upload. The function also returns the format of the upload.
  ///
  /// - Throws: `SoundRefusal` if the upload cannot be used.
  static func of(_ upload: [UInt8]) throws(SoundRefusal) -> (tone: Normalizer, format: String) {
    let file = try SoundFile(decoding: upload)
    if Double(file.samples.count) < shortestSeconds * Double(file.rate) {
      throw .tooShort(seconds: Double(file.samples.count) / Double(file.rate))
    }
    if file.clippedShare > ClippingMeter.worstShare { throw .clipped(share: file.clippedShare) }
    return (try Normalizer(Resampler.resample(file.samples, from: file.rate)), file.format)
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

/// A peak limiter that looks 5 ms ahead.
///
/// The gain falls before a peak, so that no sample is clipped. After the peak, the gain rises again
/// within 80 ms.
enum Limiter {
  private static let ahead = 240
  private static let release: Float = 1 / (0.08 * 48_000)

  /// Changes the gain so that every sample is at or below the ceiling.
  static func limit(_ sound: inout [Float], ceiling: Float) {
    let count = sound.count
    guard count > 0 else { return }
    // Compute the gain of each sample. Each sample above the ceiling needs a lower gain. The lower
    // gain also applies to the samples in the 5 ms before this sample. After a peak, the gain rises
    // slowly.
    var gains = [Float](repeating: 1, count: count)
    for index in 0..<count where abs(sound[index]) > ceiling {
      let needed = ceiling / abs(sound[index])
      // Set the gain of this sample and of the earlier samples, in backward order. Stop at the
      // first gain that is already low enough. An earlier peak has set this gain. The earlier peak
      // has also lowered the gains that the loop would reach next. Therefore the loop does not need
      // to change these gains.
      for earlier in stride(from: index, through: max(0, index - ahead), by: -1) {
        if gains[earlier] <= needed { break }
        gains[earlier] = needed
      }
    }
    for index in 1..<count {
      gains[index] = min(gains[index], gains[index - 1] + (1 - gains[index - 1]) * release)
    }
    // Use the mean of the last 240 gains, so that the gain changes smoothly. The first loop has
    // lowered the gains in the 5 ms before each peak. Therefore each of these 240 gains is low
    // enough for the current sample.
    var sum = Float(ahead)
    var window = [Float](repeating: 1, count: ahead)
    for index in 0..<count {
      sum += gains[index] - window[index % ahead]
      window[index % ahead] = gains[index]
      sound[index] *= min(1, sum / Float(ahead))
    }
    for index in 0..<count { sound[index] = max(-ceiling, min(ceiling, sound[index])) }
  }
}
