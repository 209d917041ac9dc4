@preconcurrency import Glibc

/// Removes a constant offset (DC) from each channel.
///
/// A cheap sound card adds such an offset. With the offset, silence looks like sound and a loud
/// sound looks clipped. The filter is a high-pass filter of first order at 10 Hz. No person hears
/// frequencies below 20 Hz.
///
/// Digital silence at both ends stays as it is: some encoders put it around a sound, and the step
/// between it and the offset would become a click.
struct OffsetRemoval {
  private static let hertz = 10.0
  /// The filter starts with the mean of a part of the sound, so that it has no transient.
  private static let startSeconds = 0.2
  /// A sample below this level (−80 dBFS) belongs to digital silence.
  private static let silence: Float = 0.000_1
  /// The lowest offset that a person could notice in the trimming of silence.
  private static let noticeable: Float = 0.001
  private static let largestSample: Float = 1e12

  private let channels: Int
  private let startCount: Int
  private let coefficient: Float
  private var estimates: [Float] = []
  private var highestEstimate: Float = 0
  /// Samples that wait: the first part of the sound, or digital silence that can be the end.
  private var waiting: [Float] = []
  /// The samples with the offset, at the same places as in `output`.
  private(set) var original: [Float] = []
  private(set) var output: [Float] = []

  init(rate: Int, channels: Int) {
    self.channels = channels
    startCount = Int(Self.startSeconds * Double(rate)) * channels
    coefficient = Float(1 - exp(-2 * .pi * Self.hertz / Double(rate)))
  }

  /// True if the recording has an offset that would disturb the trimming of silence.
  var isLarge: Bool { highestEstimate > Self.noticeable }

  /// Adds interleaved samples. Values that are not numbers become 0.
  mutating func add(_ interleaved: UnsafeBufferPointer<Float>) {
    waiting.reserveCapacity(waiting.count + interleaved.count)
    for value in interleaved { waiting.append(abs(value) < Self.largestSample ? value : 0) }
    if estimates.isEmpty {
      guard let first = waiting.firstIndex(where: { abs($0) >= Self.silence }) else {
        return pass(waiting.count)
      }
      pass(first / channels * channels)
      if waiting.count < startCount { return }
      start()
    }
    // Digital silence at the end waits until more sound follows. After a long silence, the filter
    // starts again.
    if let last = waiting.lastIndex(where: { abs($0) >= Self.silence }) {
      filter((last / channels + 1) * channels)
    }
    if waiting.count >= startCount {
      pass(waiting.count)
      estimates = []
    }
  }

  /// Ends the sound. Digital silence that still waits is the end of the sound.
  mutating func end() {
    if estimates.isEmpty, !waiting.isEmpty { start() }
    if let last = waiting.lastIndex(where: { abs($0) >= Self.silence }) {
      filter(min(waiting.count, (last / channels + 1) * channels))
    }
    pass(waiting.count)
  }

  mutating func discardOutput() {
    original.removeAll(keepingCapacity: true)
    output.removeAll(keepingCapacity: true)
  }

  private mutating func start() {
    // The second half: an encoder smears the step from digital silence to the offset.
    let from = waiting.count / channels / 2
    estimates = (0..<channels).map { channel in
      var sum = 0.0
      var count = 0
      for frame in from..<waiting.count / channels {
        sum += Double(waiting[frame * channels + channel])
        count += 1
      }
      return count == 0 ? 0 : Float(sum / Double(count))
    }
  }

  private mutating func pass(_ count: Int) {
    original += waiting[..<count]
    output += waiting[..<count]
    waiting.removeFirst(count)
  }

  private mutating func filter(_ count: Int) {
    original += waiting[..<count]
    output.reserveCapacity(output.count + count)
    for channel in 0..<channels {
      highestEstimate = max(highestEstimate, abs(estimates[channel]))
    }
    let coefficient = coefficient
    estimates.withUnsafeMutableBufferPointer { estimates in
      var channel = 0
      for index in 0..<count {
        let value = waiting[index] - estimates[channel]
        estimates[channel] += coefficient * value
        output.append(value)
        channel += 1
        if channel == channels { channel = 0 }
      }
    }
    waiting.removeFirst(count)
  }
}
