@preconcurrency import Glibc

/// From a decoded recording to a tone: silence trimmed, loudness and peaks as every tone has them.
struct Normalizer {
  static let targetLUFS = -16.0
  static let highestTruePeak = -1.5
  static let quietestLUFS = -45.0
  static let shortestSeconds = 0.5
  /// A gap this far below the loudest moment is silence, unless it is louder than −65 dBFS … −∞.
  static let silenceBelowLoudest = 40.0
  static let silenceFloor = -65.0
  static let keptBefore = 2_400
  static let keptAfter = 7_200
  /// Peaks may be limited by this much for the sake of loudness, not more: beyond it one hears it.
  static let mostLimiting = 10.0

  let samples: [Int16]
  let loudness: Loudness

  /// Masters samples at 48 kHz.
  /// - Throws: `SoundRefusal.tooQuiet`, `SoundRefusal.tooShort`.
  init(_ recording: [Float]) throws(SoundRefusal) {
    let range = Self.soundRange(recording)
    guard !range.isEmpty else { throw .tooQuiet(lufs: -.infinity) }
    let measured = Loudness(of: recording[range], peak: .sample)
    // Too short for the meter's 400 ms window: that is the trouble then, not the level.
    let seconds = Double(range.count) / Double(CanonicalWAV.rate)
    if measured.lufs >= Self.quietestLUFS || range.count < 19_200 {
      if seconds < Self.shortestSeconds { throw .tooShort(seconds: seconds) }
    }
    guard measured.lufs >= Self.quietestLUFS else { throw .tooQuiet(lufs: measured.lufs) }
    var sound = Array(recording[range])
    Self.softenEnds(&sound)
    loudness = Self.normalise(&sound, measured: measured)
    samples = sound.map { Int16(max(-32_768, min(32_767, ($0 * 32_767).rounded()))) }
  }

  /// The tone that an upload becomes, and what kind of file it was.
  /// - Throws: `SoundRefusal` where it becomes none.
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

  /// 10 ms edges, so that a trimmed hum does not click.
  private static func softenEnds(_ sound: inout [Float]) {
    let edge = min(480, sound.count / 2)
    for index in 0..<edge {
      let level = Float(index) / Float(edge)
      sound[index] *= level
      sound[sound.count - 1 - index] *= level
    }
  }

  // MARK: Level

  /// Brings the sound to the target and returns what it then is. Where peaks stand in the way they
  /// are limited; what that costs in loudness is made up once.
  private static func normalise(_ sound: inout [Float], measured: Loudness) -> Loudness {
    // True peaks lie up to half a dB above the samples of speech; what is more is scaled off below.
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
    // A second of hardly anything and a crack is gated otherwise after the gain than before it.
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

/// A peak limiter that looks 5 ms ahead: gain falls before the peak comes and recovers in 80 ms, so
/// that nothing is cut off.
enum Limiter {
  private static let ahead = 240
  private static let release: Float = 1 / (0.08 * 48_000)

  /// Keeps every sample at or below the ceiling.
  static func limit(_ sound: inout [Float], ceiling: Float) {
    let count = sound.count
    guard count > 0 else { return }
    // The gain each moment needs: the least of the window ahead, recovering slowly.
    var gains = [Float](repeating: 1, count: count)
    for index in 0..<count where abs(sound[index]) > ceiling {
      let needed = ceiling / abs(sound[index])
      // Backwards until a stronger peak's window is met: that one reaches further back than ours.
      for earlier in stride(from: index, through: max(0, index - ahead), by: -1) {
        if gains[earlier] <= needed { break }
        gains[earlier] = needed
      }
    }
    for index in 1..<count {
      gains[index] = min(gains[index], gains[index - 1] + (1 - gains[index - 1]) * release)
    }
    // The mean of the window behind: every gain in it is at most what this sample needs, because
    // each of them looked ahead to it.
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
