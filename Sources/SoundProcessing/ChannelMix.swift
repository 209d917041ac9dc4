@preconcurrency import Glibc

/// Mixes all channels into one channel. The result is usually the mean of the channels.
///
/// If the two channels of a stereo pair cancel each other, the result is the louder channel. The
/// channels can cancel each other if somebody exchanged the two wires of one channel.
struct ChannelMix {
  /// The smallest ratio at which two channels do not cancel each other. The ratio is the level of
  /// the mean of the two channels, divided by the level of the louder channel. If one channel is
  /// silent, the ratio is 0.5.
  static let weakestMean = 0.25

  private let channels: Int
  private var mean: [Float] = []
  /// Half of the difference between the channels of a stereo pair. The left channel is
  /// `mean + half`, and the right channel is `mean − half`.
  private var half: [Float] = []

  /// - Parameter isWhole: true if the length of the sound can reach the longest accepted length. In
  ///   this case, the initializer reserves the memory for this length at once. Otherwise, an array
  ///   that grows would need three times its size for a moment, and the address space of a decoder
  ///   is limited.
  init(channels: Int, isWhole: Bool) {
    self.channels = channels
    guard isWhole else { return }
    let most = Int(Recording.longestSeconds + 1) * CanonicalWAV.rate
    mean.reserveCapacity(most)
    if channels == 2 { half.reserveCapacity(most) }
  }

  /// Mixes interleaved samples. For a stereo pair, the result contains two channels: the mean, and
  /// half of the difference. For any other number of channels, the result contains one channel: the
  /// mean.
  func mix(_ interleaved: [Float], into mixed: inout [Float]) {
    mixed.removeAll(keepingCapacity: true)
    if channels == 1 {
      mixed += interleaved
      return
    }
    for start in stride(from: 0, to: interleaved.count - channels + 1, by: channels) {
      if channels == 2 {
        mixed.append((interleaved[start] + interleaved[start + 1]) / 2)
        mixed.append((interleaved[start] - interleaved[start + 1]) / 2)
      } else {
        var sum: Float = 0
        for channel in 0..<channels { sum += interleaved[start + channel] }
        mixed.append(sum / Float(channels))
      }
    }
  }

  /// Adds the result of `mix` to the sound, usually after a conversion of the sample rate.
  mutating func append(_ mixed: some RandomAccessCollection<Float>) {
    if channels != 2 { return mean.append(contentsOf: mixed) }
    var isMean = true
    for value in mixed {
      if isMean { mean.append(value) } else { half.append(value) }
      isMean.toggle()
    }
  }

  /// Ends the sound and returns it as one channel.
  mutating func takeMono() -> [Float] {
    defer { (mean, half) = ([], []) }
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
