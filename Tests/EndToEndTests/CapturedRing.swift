import Foundation

/// The sound that the loudspeaker received for one ring: signed 16 bit little-endian, 2 channels,
/// 48 kHz.
struct CapturedRing {
  static let framesPerSecond = 48_000

  var frames: Int
  /// The indexes of the first and the last frame that are not silent.
  var firstSound: Int
  var lastSound: Int
  /// The largest absolute sample value; 1 is full scale.
  var peak: Double
  /// The samples of the left channel.
  private let samples: [Int16]

  /// Makes a ring from captured bytes; returns nil if the bytes contain no sound.
  ///
  /// Example of bytes without sound: the daemon tested the device with silence.
  init?(_ data: Data) {
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    self.samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    // The threshold is 60 dB below full scale. All tones are far above this threshold, and a
    // rounding error is far below this threshold.
    let isSound = { (sample: Int16) in abs(Int(sample)) > 32 }
    guard let first = samples.firstIndex(where: isSound),
      let last = samples.lastIndex(where: isSound)
    else { return nil }
    frames = samples.count / 2
    firstSound = first / 2
    lastSound = last / 2
    peak = Double(samples.reduce(0) { max($0, abs(Int($1))) }) / 32_768
  }

  /// Returns the largest absolute sample value near a time of the ring.
  ///
  /// The function reads the samples from 20 ms before the time to 20 ms after the time. The time
  /// counts from the start of the lead-in, which is the silence before the sound.
  func peak(atMilliseconds reading: Int) -> Double {
    let frames = Self.framesPerSecond / 1_000
    let around = samples[(reading - 20) * frames..<(reading + 20) * frames]
    return Double(around.map { abs(Int($0)) }.max() ?? 0) / 32_768
  }

  /// The time from the first frame with sound to the last, in seconds.
  var soundSeconds: Double { Double(lastSound - firstSound + 1) / Double(Self.framesPerSecond) }
  /// The time from the first frame of the ring to the last frame with sound, in seconds.
  var lastSoundSeconds: Double { Double(lastSound + 1) / Double(Self.framesPerSecond) }
}

extension TestHome {
  /// Returns the captured rings that contain sound, in the order of time.
  func captured() throws -> [CapturedRing] {
    let names = try FileManager.default.contentsOfDirectory(atPath: capture).sorted()
    return try names.compactMap { name in
      CapturedRing(try Data(contentsOf: URL(filePath: "\(capture)/\(name)")))
    }
  }

  /// Waits until ring `number` is audible. Every ring starts with a silent lead-in.
  func heard(_ number: Int) async throws {
    try await ring(number)
    try await until("ring \(number) is heard", seconds: 5) { try captured().count >= number }
  }
}
