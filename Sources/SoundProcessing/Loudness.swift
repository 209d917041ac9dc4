@preconcurrency import CEBUR128

/// The loudness of a sound according to EBU R 128, measured with libebur128.
package struct Loudness {
  /// The integrated loudness in LUFS. EBU R 128 ignores all parts of a sound below a minimum level
  /// (gate). If the whole sound is below this level, the value is −∞.
  package var lufs: Double
  /// The highest sample or the true peak, in dB relative to full scale. The parameter `kind` of
  /// `init` selects the kind of peak.
  package var peakDecibels: Double

  /// The kind of peak that the loudness meter measures: the highest sample, or the true peak. The
  /// true peak can be between two samples. The measurement of the true peak takes twice as long as
  /// the measurement of the highest sample.
  package enum Peak { case sample, betweenSamples }

  /// Measures a sound with one channel and a sample rate of 48 kHz.
  ///
  /// The result is the loudness that a person hears if two speakers play the same channel (dual
  /// mono).
  package init(of samples: ArraySlice<Float>, peak kind: Peak) {
    let peakMode = kind == .betweenSamples ? EBUR128_MODE_TRUE_PEAK : EBUR128_MODE_SAMPLE_PEAK
    let mode = EBUR128_MODE_I.rawValue | peakMode.rawValue
    lufs = -.infinity
    peakDecibels = -.infinity
    var state = ebur128_init(1, 48_000, Int32(mode))
    guard state != nil else { return }
    defer { ebur128_destroy(&state) }
    ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue))
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      _ = ebur128_add_frames_float(state, base, buffer.count)
    }
    var peak = 0.0
    ebur128_loudness_global(state, &lufs)
    switch kind {
    case .sample: ebur128_sample_peak(state, 0, &peak)
    case .betweenSamples: ebur128_true_peak(state, 0, &peak)
    }
    peakDecibels = decibels(factor: peak)
  }
}
