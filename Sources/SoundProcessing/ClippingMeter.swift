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
  private static let nearFullScale: Float = 0.98
  private static let flatness: Float = 0.0005
  /// The range of the levels that the meter distinguishes. Each level is a power of 2. The exponent
  /// n stands for the samples from 2^n to less than 2^(n + 1). The value 1 is full scale.
  private static let exponents = -1...40

  private let channels: Int
  private let isFloat: Bool
  private var previous: [Float]
  private var runs: [Int]
  /// The number of samples in flat tops, for each level in `exponents`.
  private var flat: [Int]
  private var overs = 0
  private var total = 0
  private var peak: Float = 0

  /// - Parameter isFloat: true if the file contains floating-point samples. In such a file, a
  ///   sample above full scale is not clipped, and full scale can be a value above 1.
  init(channels: Int, isFloat: Bool) {
    self.channels = channels
    self.isFloat = isFloat
    previous = Array(repeating: 0, count: channels)
    runs = Array(repeating: 0, count: channels)
    flat = Array(repeating: 0, count: Self.exponents.count)
  }

  var share: Double {
    if total == 0 { return 0 }
    let scale = isFloat && peak > 8 ? Self.place(of: peak) : 0
    return Double(max(flat[scale...].reduce(0, +), isFloat ? 0 : overs)) / Double(total)
  }

  private static func place(of level: Float) -> Int {
    min(max(Int(level.exponent), exponents.lowerBound), exponents.upperBound)
      - exponents.lowerBound
  }

  /// Adds interleaved samples.
  ///
  /// - Parameters:
  ///   - original: the samples of the file.
  ///   - level: the same samples without the constant offset (see `OffsetRemoval`). With a large
  ///     offset, the meter would count silence as a flat top.
  mutating func add(original: [Float], level: [Float]) {
    total += original.count
    var channel = 0
    for index in original.indices {
      let value = original[index]
      let size = abs(value)
      if size >= 0.999_9 { overs += 1 }
      var top = abs(level[index])
      peak = max(peak, top)
      if !isFloat, size >= Self.nearFullScale { top = max(top, Self.lowestCeiling) }
      if top >= Self.lowestCeiling, abs(value - previous[channel]) < Self.flatness {
        runs[channel] += 1
        let place = Self.place(of: top)
        if runs[channel] == 2 { flat[place] += 3 } else if runs[channel] > 2 { flat[place] += 1 }
      } else {
        runs[channel] = 0
      }
      previous[channel] = value
      channel += 1
      if channel == channels { channel = 0 }
    }
  }
}
