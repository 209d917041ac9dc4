/// A peak limiter that looks 5 ms ahead.
///
/// The gain falls before a peak, so that no sample is clipped. After the peak, the gain rises again
/// within 80 ms.
enum Limiter {
  private static let ahead = 240
  private static let release: Float = 1 / (0.08 * 48_000)

  /// Changes the gain so that every sample is at or below the ceiling.
  static func limit(_ sound: inout [Float], ceiling: Float) {
    let count = sound.count
    guard count > 0 else { return }
    // Compute the gain of each sample. Each sample above the ceiling needs a lower gain. The lower
    // gain also applies to the samples in the 5 ms before this sample. After a peak, the gain rises
    // slowly.
    var gains = [Float](repeating: 1, count: count)
    for index in 0..<count where abs(sound[index]) > ceiling {
      let needed = ceiling / abs(sound[index])
      // Set the gain of this sample and of the earlier samples, in backward order. Stop at the
      // first gain that is already low enough. An earlier peak has set this gain. The earlier peak
      // has also lowered the gains that the loop would reach next. Therefore the loop does not need
      // to change these gains.
      for earlier in stride(from: index, through: max(0, index - ahead), by: -1) {
        if gains[earlier] <= needed { break }
        gains[earlier] = needed
      }
    }
    for index in 1..<count {
      gains[index] = min(gains[index], gains[index - 1] + (1 - gains[index - 1]) * release)
    }
    // Use the mean of the last 240 gains, so that the gain changes smoothly. The first loop has
    // lowered the gains in the 5 ms before each peak. Therefore each of these 240 gains is low
    // enough for the current sample.
    var sum = Float(ahead)
    var window = [Float](repeating: 1, count: ahead)
    for index in 0..<count {
      sum += gains[index] - window[index % ahead]
      window[index % ahead] = gains[index]
      sound[index] *= min(1, sum / Float(ahead))
    }
    for index in 0..<count { sound[index] = max(-ceiling, min(ceiling, sound[index])) }
  }
}
