@preconcurrency import CSampleRate

/// Converts samples to 48 kHz with libsamplerate, part by part.
///
/// The interpolation method is a windowed sinc function. The method has a signal-to-noise ratio of
/// 97 dB, which is sufficient for samples of 16 bits.
final class Resampler {
  private let state: OpaquePointer
  private let rate: Int
  private let channels: Int
  private var output: [Float] = []

  /// - Throws: `SoundRefusal.decoderFailed` with the reason from the library.
  init(from rate: Int, channels: Int) throws(SoundRefusal) {
    var code: Int32 = 0
    guard let state = src_new(Int32(SRC_SINC_FASTEST), Int32(channels), &code) else {
      throw Self.failed(rate, code)
    }
    self.state = state
    self.rate = rate
    self.channels = channels
  }

  deinit { _ = src_delete(state) }

  /// Returns the next samples at 48 kHz.
  ///
  /// - Parameters:
  ///   - samples: interleaved samples.
  ///   - isLast: true for the last part of the sound.
  func convert(_ samples: [Float], isLast: Bool) throws(SoundRefusal) -> ArraySlice<Float> {
    let ratio = Double(CanonicalWAV.rate) / Double(rate)
    let frames = samples.count / channels
    var used = 0
    var made = 0
    // The library can hold back up to a few thousand frames of the previous parts. This call can
    // return these frames, too, so the buffer has room for 4,096 more frames.
    let room = (Int(Double(frames) * ratio) + 4_096) * channels
    if output.count < room { output = [Float](repeating: 0, count: room) }
    var code: Int32 = 0
    samples.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        while true {
          var data = SRC_DATA()
          data.data_in = input.baseAddress.map { $0 + used * channels }
          data.input_frames = frames - used
          data.data_out = output.baseAddress.map { $0 + made * channels }
          data.output_frames = output.count / channels - made
          data.src_ratio = ratio
          data.end_of_input = isLast ? 1 : 0
          code = src_process(state, &data)
          used += data.input_frames_used
          made += data.output_frames_gen
          if code != 0 || (data.input_frames_used == 0 && data.output_frames_gen == 0) { break }
          if made * channels == output.count { break }
        }
      }
    }
    guard code == 0 else { throw Self.failed(rate, code) }
    return output[..<(made * channels)]
  }

  private static func failed(_ rate: Int, _ code: Int32) -> SoundRefusal {
    let reason = src_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return .decoderFailed("cannot convert from \(rate) Hz: \(reason)")
  }
}
