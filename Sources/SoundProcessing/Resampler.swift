@preconcurrency import CSampleRate

/// Converts samples to another sample rate with libsamplerate. The interpolation method is a
/// windowed sinc function. The method has a signal-to-noise ratio of 97 dB, which is sufficient for
/// samples of 16 bits.
enum Resampler {
  /// Returns the samples at 48 kHz.
  ///
  /// - Throws: `SoundRefusal.decoderFailed` with the reason from the library.
  static func resample(_ samples: [Float], from rate: Int) throws(SoundRefusal) -> [Float] {
    if rate == CanonicalWAV.rate { return samples }
    let ratio = Double(CanonicalWAV.rate) / Double(rate)
    var output = [Float](repeating: 0, count: Int(Double(samples.count) * ratio) + 1)
    var produced = 0
    let code = samples.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var data = SRC_DATA()
        data.data_in = input.baseAddress
        data.data_out = output.baseAddress
        data.input_frames = input.count
        data.output_frames = output.count
        data.src_ratio = ratio
        let code = src_simple(&data, Int32(SRC_SINC_FASTEST), 1)
        produced = data.output_frames_gen
        return code
      }
    }
    guard code == 0 else {
      let reason = src_strerror(code).map { String(cString: $0) } ?? "error \(code)"
      throw .decoderFailed("cannot convert from \(rate) Hz: \(reason)")
    }
    output.removeSubrange(produced...)
    return output
  }
}
