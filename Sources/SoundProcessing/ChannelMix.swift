@preconcurrency import Glibc

/// Mixes all channels into one channel. The result is usually the mean of the channels.
///
/// If the two channels of a stereo pair cancel each other, the result is the louder channel. The
/// channels can cancel each other if somebody exchanged the two wires of one channel.
package struct ChannelMix {
  /// The minimum value of a ratio: the level of the mean of both channels, divided by the level of
  /// the louder channel. If the ratio is smaller, the two channels cancel each other. If one
  /// channel is silent, the channels do not cancel each other, and the ratio is 0.5.
  static let weakestMean = 0.25

  private let channels: Int
  private var mean: [Float] = []
  /// Half of the difference between the channels of a stereo pair. The left channel is
  /// `mean + half`, and the right channel is `mean − half`.
  private var half: [Float] = []

  package init(channels: Int) { self.channels = channels }

  package var frames: Int { mean.count }

  package mutating func add(_ interleaved: UnsafeBufferPointer<Float>) {
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

  package consuming func mono() -> [Float] {
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
