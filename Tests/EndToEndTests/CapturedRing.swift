import Foundation

/// The sound of one ring that the loudspeaker got: signed 16 bit little-endian, 2 channels, 48 kHz.
struct CapturedRing {
  static let framesPerSecond = 48_000

  var frames: Int
  /// The indexes of the first and the last frame that are not silent.
  var firstSound: Int
  var lastSound: Int
  /// The loudest sample; 1 is full scale.
  var peak: Double
  /// The left channel.
  private let samples: [Int16]

  /// Returns nil if there is no sound, because the daemon sometimes tests the device.
  init?(_ data: Data) {
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    self.samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    // 60 dB below full scale: far below any tone and far above a rounding error.
    let isSound = { (sample: Int16) in abs(Int(sample)) > 32 }
    guard let first = samples.firstIndex(where: isSound),
      let last = samples.lastIndex(where: isSound)
    else { return nil }
    frames = samples.count / 2
    firstSound = first / 2
    lastSound = last / 2
    peak = Double(samples.reduce(0) { max($0, abs(Int($1))) }) / 32_768
  }

  /// Returns the loudest sample in 40 ms around a time of the ring, lead-in included.
  func peak(atMilliseconds reading: Int) -> Double {
    let frames = Self.framesPerSecond / 1_000
    let around = samples[(reading - 20) * frames..<(reading + 20) * frames]
    return Double(around.map { abs(Int($0)) }.max() ?? 0) / 32_768
  }

  /// Seconds from the first to the last sound.
  var soundSeconds: Double { Double(lastSound - firstSound + 1) / Double(Self.framesPerSecond) }
  /// Seconds from the first frame to the last sound.
  var lastSoundSeconds: Double { Double(lastSound + 1) / Double(Self.framesPerSecond) }
}

extension TestHome {
  /// Returns the rings that sounded, in order.
  func captured() throws -> [CapturedRing] {
    let names = try FileManager.default.contentsOfDirectory(atPath: capture).sorted()
    return try names.compactMap { name in
      CapturedRing(try Data(contentsOf: URL(filePath: "\(capture)/\(name)")))
    }
  }

  /// Waits until ring `number` can be heard: every ring starts with a silent lead-in.
  func heard(_ number: Int) async throws {
    try await ring(number)
    try await until("ring \(number) is heard", seconds: 5) { try captured().count >= number }
  }
}
