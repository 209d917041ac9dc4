@preconcurrency import Glibc

/// Removes a constant offset (DC) from each channel.
///
/// A cheap sound card adds such an offset. If a recording has an offset, Prompter can mistake
/// silence for sound, and can mistake loud sound for clipped sound. The filter is a high-pass
/// filter of first order at 10 Hz. No person hears frequencies below 20 Hz.
///
/// Some encoders add digital silence before and after a sound. The filter does not change this
/// silence. Otherwise, the sudden change from the silence to the offset would become a click.
struct OffsetRemoval {
  private static let hertz = 10.0
  /// The length of the first part of the sound, in seconds. The mean of the second half of this
  /// part is the first estimate of the offset. Without a good first estimate, the start of the
  /// output would still contain a part of the offset.
  private static let startSeconds = 0.2
  /// A sample below this level (−80 dBFS) belongs to digital silence.
  private static let silence: Float = 0.000_1
  /// If an offset is larger than this value, Prompter can no longer trim silence well, and a person
  /// notices this fault.
  private static let noticeable: Float = 0.001
  private static let largestSample: Float = 1e12

  private let channels: Int
  private let startCount: Int
  private let coefficient: Float
  private var estimates: [Float] = []
  private var highestEstimate: Float = 0
  /// The samples that the filter has not added to `output` yet. Samples of the first part of the
  /// sound wait until the offset is known. Digital silence waits until the filter knows whether the
  /// sound continues.
  private var waiting: [Float] = []
  /// The samples before the removal of the offset. A sample has the same index as in `output`.
  private(set) var original: [Float] = []
  private(set) var output: [Float] = []

  init(rate: Int, channels: Int) {
    self.channels = channels
    startCount = Int(Self.startSeconds * Double(rate)) * channels
    coefficient = Float(1 - exp(-2 * .pi * Self.hertz / Double(rate)))
  }

  /// True if the recording had a large offset. Without the removal of this offset, silence would
  /// look like sound, and Prompter could not trim the silence.
  var isLarge: Bool { highestEstimate > Self.noticeable }

  /// Adds interleaved samples. A value that is not a number, or that is too large, becomes 0.
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
    // Digital silence at the end stays in `waiting` until more sound follows. If this silence is at
    // least 0.2 s long, the code passes it on unchanged, and the filter starts again with the next
    // sound.
    if let last = waiting.lastIndex(where: { abs($0) >= Self.silence }) {
      filter((last / channels + 1) * channels)
    }
    if waiting.count >= startCount {
      pass(waiting.count)
      estimates = []
    }
  }

  /// Ends the sound. If the sound ends with digital silence, the function passes this silence on
  /// unchanged.
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
    // Compute the mean of the second half only. In the first half, the sound can rise slowly from
    // digital silence to the offset, because an encoder does not keep sudden steps.
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
