/// Measures the share of clipped samples.
///
/// The meter counts two kinds of samples: samples beyond full scale, and samples in a flat top. A
/// flat top consists of three or more equal samples, near full scale or at the highest level of the
/// file. A full-scale sine of 100 Hz contains 1 % of clipped samples. Music that was recorded with
/// a strong peak limiter contains less than 1 % of clipped samples. A voice that was recorded much
/// too loudly contains 10 % or more of clipped samples.
package struct ClippingMeter {
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

  package init(channels: Int, countsOvers: Bool) {
    self.channels = channels
    self.countsOvers = countsOvers
    previous = Array(repeating: 0, count: channels)
    runs = Array(repeating: 0, count: channels)
  }

  package var share: Double {
    total == 0 ? 0 : Double(max(flat, countsOvers ? overs : 0)) / Double(total)
  }

  package mutating func add(_ interleaved: UnsafeBufferPointer<Float>) {
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
