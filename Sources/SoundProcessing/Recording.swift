/// A decoded upload as one channel at 48 kHz, before the checks and the normalisation.
package struct Recording {
  /// The maximum length of a recording that Prompter accepts, in seconds.
  package static let longestSeconds = 60.0

  package private(set) var samples: [Float]
  /// The name of the format of the upload, for example "WAV" or "Ogg Vorbis".
  package private(set) var format: String
  /// The share of clipped samples (`ClippingMeter`), 0 … 1.
  package private(set) var clippedShare: Double
  /// True if the recording had an offset that `OffsetRemoval` removed.
  package private(set) var hadOffset: Bool

  init(samples: [Float], format: String, clippedShare: Double, hadOffset: Bool) {
    self.samples = samples
    self.format = format
    self.clippedShare = clippedShare
    self.hadOffset = hadOffset
  }

  /// Returns the samples and removes them from the recording, so that only one copy exists.
  mutating func takeSamples() -> [Float] {
    defer { samples = [] }
    return samples
  }

  package var seconds: Double { Double(samples.count) / Double(CanonicalWAV.rate) }

  /// Adds the next stream of the same file, for example of a chained Ogg file.
  package mutating func append(_ next: Recording) throws(SoundRefusal) {
    let count = Double(samples.count + next.samples.count)
    if count > Self.longestSeconds * Double(CanonicalWAV.rate) + 1 { throw .tooLong }
    if count > 0 {
      clippedShare =
        (clippedShare * Double(samples.count) + next.clippedShare * Double(next.samples.count))
        / count
    }
    samples += next.samples
    hadOffset = hadOffset || next.hadOffset
  }
}
