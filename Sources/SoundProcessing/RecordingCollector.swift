/// Collects the decoded samples of one stream as one channel at 48 kHz.
///
/// The collector needs little memory even for a sample rate of 192 kHz, because it converts each
/// part of the sound at once. For each part, the collector first removes an offset. Then it
/// measures the clipped samples, mixes the channels, and converts the sample rate.
package struct RecordingCollector {
  /// The accepted sample rates in Hz. A rate above 48 kHz adds only frequencies that no person
  /// hears, but recorders with 192 kHz exist.
  static let rates: ClosedRange<Int> = 4_000...192_000
  static let channelCounts: ClosedRange<Int> = 1...8
  /// The highest sample that the collector accepts without a change of the level.
  ///
  /// The normal range of samples is −1 to 1. But some programs write floating-point samples in the
  /// range of 16-bit integers. If a sample is above this limit, the collector divides all samples
  /// by the highest sample.
  private static let highestUsualPeak: Float = 8

  package let rate: Int
  package let channels: Int
  private let mostFrames: Int
  private var offset: OffsetRemoval
  private var clipping: ClippingMeter
  private var mix: ChannelMix
  private let resampler: Resampler?
  private var scratch: [Float] = []
  /// The number of frames that the collector has received so far, at the sample rate of the stream.
  package private(set) var frames = 0

  /// - Parameters:
  ///   - isFirst: false if other streams of the same file precede this one.
  ///   - isFloat: true if the file contains floating-point samples. Such a sample can be above full
  ///     scale.
  package init(
    rate: Int, channels: Int, isFloat: Bool, isFirst: Bool
  ) throws(SoundRefusal) {
    guard Self.rates.contains(rate), Self.channelCounts.contains(channels) else {
      throw .notAudio(
        "this file has \(rate) Hz and \(channels) channels; Prompter reads "
          + "\(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz and "
          + "\(Self.channelCounts.lowerBound) to \(Self.channelCounts.upperBound) channels")
    }
    self.rate = rate
    self.channels = channels
    mostFrames = Int(Recording.longestSeconds) * rate
    offset = OffsetRemoval(rate: rate, channels: channels)
    clipping = ClippingMeter(channels: channels, isFloat: isFloat)
    mix = ChannelMix(channels: channels, isWhole: isFirst)
    resampler =
      rate == CanonicalWAV.rate
      ? nil : try Resampler(from: rate, channels: channels == 2 ? 2 : 1)
  }

  package var seconds: Double { Double(frames) / Double(rate) }

  /// Adds interleaved samples.
  ///
  /// - Throws: `SoundRefusal.tooLong`, or `decoderFailed` if the rate cannot be converted.
  package mutating func add(_ interleaved: UnsafeBufferPointer<Float>) throws(SoundRefusal) {
    frames += interleaved.count / channels
    if frames > mostFrames { throw .tooLong }
    offset.add(interleaved)
    try forward(isLast: false)
  }

  /// Ends the stream. After this call, the collector contains no sound.
  package mutating func finish(format: String) throws(SoundRefusal) -> Recording {
    offset.end()
    try forward(isLast: true)
    var samples = mix.takeMono()
    let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
    if peak > Self.highestUsualPeak {
      for index in samples.indices { samples[index] /= peak }
    }
    return Recording(
      samples: samples, format: format, clippedShare: clipping.share,
      hadOffset: offset.isLarge)
  }

  /// Takes the samples from which the offset was removed, measures the clipping, mixes the
  /// channels, and converts the sample rate.
  private mutating func forward(isLast: Bool) throws(SoundRefusal) {
    clipping.add(original: offset.original, level: offset.output)
    mix.mix(offset.output, into: &scratch)
    offset.discardOutput()
    if let resampler {
      mix.append(try resampler.convert(scratch, isLast: isLast))
    } else {
      mix.append(scratch)
    }
  }
}
