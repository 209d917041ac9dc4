@preconcurrency import Glibc

/// Mixes all channels into one channel. The result is usually the mean of the channels.
///
/// If the two channels of a stereo pair cancel each other, the result is the louder channel. The
/// channels can cancel each other if somebody exchanged the two wires of one channel.
struct ChannelMix {
  /// The minimum value of a ratio: the level of the mean of both channels, divided by the level of
  /// the louder channel. If the ratio is smaller, the two channels cancel each other. If one
  /// channel is silent, the channels do not cancel each other, and the ratio is 0.5.
  static let weakestMean = 0.25

  private let channels: Int
  private var mean: [Float] = []
  /// Half of the difference between the channels of a stereo pair. The left channel is
  /// `mean + half`, and the right channel is `mean − half`.
  private var half: [Float] = []

  init(channels: Int) { self.channels = channels }

  var frames: Int { mean.count }

  mutating func add(_ interleaved: UnsafeBufferPointer<Float>) {
    let count = interleaved.count / channels
    if channels == 1 { return mean.append(contentsOf: interleaved) }
    for frame in 0..<count {
      let start = frame * channels
      if channels == 2 {
        mean.append((interleaved[start] + interleaved[start + 1]) / 2)
        half.append((interleaved[start] - interleaved[start + 1]) / 2)
      } else {
        var sum: Float = 0
        for channel in 0..<channels { sum += interleaved[start + channel] }
        mean.append(sum / Float(channels))
      }
    }
  }

  consuming func mono() -> [Float] {
    guard channels == 2 else { return mean }
    let (middle, left, right) = energies()
    let louder = max(left, right)
    if middle >= louder * Self.weakestMean * Self.weakestMean { return mean }
    let sign: Float = left >= right ? 1 : -1
    for frame in mean.indices { mean[frame] += sign * half[frame] }
    return mean
  }

  private func energies() -> (middle: Double, left: Double, right: Double) {
    var middle = 0.0
    var left = 0.0
    var right = 0.0
    for frame in mean.indices {
      let mid = Double(mean[frame])
      let side = Double(half[frame])
      middle += mid * mid
      left += (mid + side) * (mid + side)
      right += (mid - side) * (mid - side)
    }
    return (middle, left, right)
  }
}

/// Measures the share of clipped samples.
///
/// The meter counts two kinds of samples: samples beyond full scale, and samples in a flat top. A
/// flat top consists of three or more equal samples, near full scale or at the highest level of the
/// file. A full-scale sine of 100 Hz contains 1 % of clipped samples. Music that was recorded with
/// a strong peak limiter contains less than 1 % of clipped samples. A voice that was recorded much
/// too loudly contains 10 % or more of clipped samples.
struct ClippingMeter {
  /// If the share of clipped samples is larger than this value, Prompter refuses the recording,
  /// because no program can remove the distortion of such a recording.
  static let worstShare = 0.05
  private static let lowestCeiling: Float = 0.5
  private static let flatness: Float = 0.0005

  private let channels: Int
  private let countsOvers: Bool
  private var previous: [Float]
  private var runs: [Int]
  private var flat = 0
  private var overs = 0
  private var total = 0

  init(channels: Int, countsOvers: Bool) {
    self.channels = channels
    self.countsOvers = countsOvers
    previous = Array(repeating: 0, count: channels)
    runs = Array(repeating: 0, count: channels)
  }

  var share: Double { total == 0 ? 0 : Double(max(flat, countsOvers ? overs : 0)) / Double(total) }

  mutating func add(_ interleaved: UnsafeBufferPointer<Float>) {
    total += interleaved.count
    var channel = 0
    for value in interleaved {
      let size = abs(value)
      if size >= 0.999_9 { overs += 1 }
      if size >= Self.lowestCeiling, abs(value - previous[channel]) < Self.flatness {
        runs[channel] += 1
        if runs[channel] == 2 { flat += 3 } else if runs[channel] > 2 { flat += 1 }
      } else {
        runs[channel] = 0
      }
      previous[channel] = value
      channel += 1
      if channel == channels { channel = 0 }
    }
  }
}
