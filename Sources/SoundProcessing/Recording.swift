/// A decoded upload as one channel, before the checks and the normalisation.
package struct Recording {
  /// The longest accepted recording in seconds.
  package static let longestSeconds = 60.0
  package static let mostChannels: Int32 = 8

  package var samples: [Float]
  /// The sample rate in Hz.
  package var rate: Int
  /// The name of the format, for example "WAV" or "Ogg Vorbis".
  package var format: String
  /// The share of clipped samples (`ClippingMeter`), 0 … 1.
  package var clippedShare: Double

  package init(samples: [Float], rate: Int, format: String, clippedShare: Double) {
    self.samples = samples
    self.rate = rate
    self.format = format
    self.clippedShare = clippedShare
  }
}
