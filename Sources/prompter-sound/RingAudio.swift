import SoundProcessing

/// The frames of one ring at 48 kHz. The type computes the frames from the parts, the gain, the
/// fade-in and the maximum length of the ring.
struct RingAudio {
  enum Part {
    case silence(frames: Int)
    case samples([Int16])

    var frames: Int {
      switch self {
      case .silence(let frames): frames
      case .samples(let samples): samples.count
      }
    }
  }

  /// The length of the fade-out of a cut ring, in frames. If a ring is longer than the maximum
  /// length, the player cuts the ring, and the ring ends with this fade-out. The fade-out takes 20
  /// ms, like the fade-out of a built-in tone. Without the fade-out, the cut would cause a click.
  static let cutFadeFrames = 960

  private let parts: [(start: Int, part: Part)]
  private let gain: Float
  private let fadeStart: Int
  private let fadeFrames: Int
  private let isCut: Bool
  /// The number of frames in the whole ring. It includes the silence before the first sound
  /// (lead-in).
  let totalFrames: Int

  init(parts: [Part], gainDecibels: Double, fadeInMilliseconds: Int, maxMilliseconds: Int) {
    var start = 0
    var placed: [(start: Int, part: Part)] = []
    for part in parts {
      placed.append((start, part))
      start += part.frames
    }
    self.parts = placed
    gain = Float(factor(decibels: min(12, max(-60, gainDecibels))))
    fadeFrames = max(0, min(fadeInMilliseconds, 60_000)) * 48
    fadeStart =
      placed.first { if case .samples = $0.part { true } else { false } }?.start ?? 0
    let limit = max(0, min(maxMilliseconds, 120_000)) * 48
    isCut = start > limit
    totalFrames = min(start, limit)
  }

  /// Writes frames `from ..< from + count` into an interleaved buffer.
  ///
  /// All channels get the same samples.
  func render(from: Int, count: Int, channels: Int, into buffer: UnsafeMutablePointer<Int16>) {
    buffer.update(repeating: 0, count: count * channels)
    for (start, part) in parts where start < from + count && start + part.frames > from {
      guard case .samples(let samples) = part else { continue }
      samples.withUnsafeBufferPointer { samples in
        for frame in max(start, from)..<min(start + samples.count, from + count) {
          let level = Float(samples[frame - start]) * level(at: frame)
          let value = Int16(max(-32_768, min(32_767, level.rounded())))
          let at = (frame - from) * channels
          for channel in 0..<channels { buffer[at + channel] = value }
        }
      }
    }
  }

  private func level(at frame: Int) -> Float {
    var level = gain
    if frame < fadeStart + fadeFrames {
      level *= Float(frame - fadeStart) / Float(fadeFrames)
    }
    if isCut, frame >= totalFrames - Self.cutFadeFrames {
      level *= Float(totalFrames - frame) / Float(Self.cutFadeFrames)
    }
    return level
  }
}
