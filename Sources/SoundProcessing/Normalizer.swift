@preconcurrency import Glibc

/// Normalises a decoded recording. The normaliser trims silence at both ends, and changes the
/// loudness to the target loudness. The target loudness is the same for all recordings. The true
/// peak never exceeds `highestTruePeak`.
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
  /// - Parameter ignoresClicks: true if the initializer must treat a click at the start or at the
  ///   end of the recording as silence (see `withoutClicks`).
  /// - Throws: `SoundRefusal.tooQuiet` or `SoundRefusal.tooShort`.
  private init(_ recording: consuming [Float], ignoresClicks: Bool) throws(SoundRefusal) {
    var sound = recording
    let range = Self.soundRange(sound, ignoresClicks: ignoresClicks)
    guard !range.isEmpty else { throw .tooQuiet(lufs: -.infinity) }
    let measured = Loudness(of: sound[range], peak: .sample)
    // The loudness meter needs at least 400 ms of sound (19,200 samples). For a shorter sound, the
    // meter returns −∞, even if the sound is loud. In this case, the function throws `tooShort` and
    // not `tooQuiet`.
    let seconds = Double(range.count) / Double(CanonicalWAV.rate)
    if measured.lufs >= Self.quietestLUFS || range.count < 19_200 {
      if seconds < Self.shortestSeconds { throw .tooShort(seconds: seconds) }
    }
    guard measured.lufs >= Self.quietestLUFS else { throw .tooQuiet(lufs: measured.lufs) }
    // Shorten `sound` itself: a copy of the longest sound would need another 12 MiB.
    sound.removeSubrange(range.upperBound...)
    sound.removeFirst(range.lowerBound)
    Self.fadeEnds(&sound)
    loudness = Self.normalise(&sound, measured: measured)
    samples = sound.map { Int16(max(-32_768, min(32_767, ($0 * 32_767).rounded()))) }
  }

  /// Checks and normalises a decoded recording.
  ///
  /// - Throws: `SoundRefusal` if the recording cannot be used.
  package init(_ recording: consuming Recording) throws(SoundRefusal) {
    let seconds = recording.seconds
    if seconds < Self.shortestSeconds { throw .tooShort(seconds: seconds) }
    let clipped = recording.clippedShare
    if clipped > ClippingMeter.worstShare { throw .clipped(share: clipped) }
    let ignoresClicks = recording.hadOffset
    try self.init(recording.takeSamples(), ignoresClicks: ignoresClicks)
  }

  // MARK: Trimming

  private static func soundRange(_ recording: [Float], ignoresClicks: Bool) -> Range<Int> {
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
    var loud = levels.indices.filter { levels[$0] >= threshold }[...]
    if ignoresClicks { loud = withoutClicks(loud) }
    guard let first = loud.first, let last = loud.last else { return 0..<0 }
    let start = max(0, first * window - keptBefore)
    return start..<min(recording.count, (last + 1) * window + keptAfter)
  }

  /// Removes a click at each end of the recording. A click is a sound of at most 120 ms, next to a
  /// silence of at least 300 ms.
  ///
  /// If a recording has an offset, the beginning and the end of the offset are such clicks.
  ///
  /// - Parameter loud: the numbers of the windows of 10 ms that are not silent, in order.
  private static func withoutClicks(_ loud: ArraySlice<Int>) -> ArraySlice<Int> {
    var rest = loud
    let gaps = zip(loud.indices, loud.indices.dropFirst()).filter { loud[$1] - loud[$0] > 30 }
    if let (end, next) = gaps.first, loud[end] - loud[loud.startIndex] < 12 {
      rest = rest[next...]
    }
    if let (end, next) = gaps.last, loud[loud.endIndex - 1] - loud[next] < 12,
      end >= rest.startIndex
    {
      rest = rest[...end]
    }
    return rest
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
  /// limiting reduces the loudness, so the function then raises the level a second time.
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
