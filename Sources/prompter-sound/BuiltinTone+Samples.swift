@preconcurrency import Glibc
import SoundProcessing
import SoundProtocol

/// The samples of the built-in tones. The program computes these samples and reads no file.
/// Therefore a missing file cannot silence a built-in tone.
///
/// The document `sounds/SOUNDS.md` gives the reason for every constant in this file.
extension BuiltinTone {
  /// Returns the samples of the tone: 48 kHz, mono.
  func samples() -> [Int16] {
    let pulse = Pulse(hertz: 500, milliseconds: 150)
    var canvas = ToneCanvas()
    switch self {
    case .normal:
      canvas.place([pulse, pulse, pulse], every: 350, from: 0)
    case .urgent:
      for group in [0, 1_950] {
        canvas.place([pulse, pulse, pulse], every: 250, from: group)
        canvas.place([pulse, pulse], every: 250, from: group + 1_000)
      }
    case .chime:
      canvas.strike(hertz: 625, atMilliseconds: 0, milliseconds: 1_800)
      canvas.strike(hertz: 500, atMilliseconds: 450, milliseconds: 1_350)
    case .acknowledge:
      canvas.place(
        [500, 625].map { Pulse(hertz: $0, milliseconds: 120) }, every: 140, from: 0)
    case .reward:
      canvas.place(
        [500, 625, 750].map { Pulse(hertz: $0, milliseconds: 130) }, every: 150, from: 0)
      canvas.strike(hertz: 1_000, atMilliseconds: 450, milliseconds: 900)
    case .beep:
      let long = Pulse(hertz: 500, milliseconds: 300)
      canvas.place([long, long, long, long, long], every: 500, from: 0)
    }
    return canvas.samples(level: level)
  }

  /// The factor by which the samples of the tone are multiplied, so that the loudness is −16 LUFS.
  /// The factors come from a measurement of the loudness of each tone. The tests check the
  /// loudness.
  private var level: Double {
    switch self {
    case .chime: 0.2838
    case .normal: 0.1506
    case .urgent: 0.1472
    case .acknowledge: 0.1267
    case .reward: 0.1439
    case .beep: 0.1197
    }
  }
}

/// A tone pulse with a fade at both ends. The pulse has a fundamental and harmonics 2–7, and each
/// harmonic is 2 dB below the previous harmonic.
struct Pulse {
  static let harmonics = 7
  static let stepDecibels = -2.0
  static let edgeMilliseconds = 20.0

  var hertz: Double
  var milliseconds: Int

  func samples() -> [Double] {
    let count = milliseconds * 48
    let edge = Self.edgeMilliseconds * 48
    return (0..<count).map { frame in
      let fromEnd = Double(min(frame, count - 1 - frame))
      // The fade has the form of a raised cosine, because an abrupt change of the level causes a
      // click. An older person could hear only this click and not the tone.
      let envelope = fromEnd < edge ? 0.5 - 0.5 * cos(.pi * fromEnd / edge) : 1
      return envelope * Self.wave(hertz: hertz, frame: frame)
    }
  }

  /// Returns the value of a pulse at one frame, before the fade. The value is the sum of all
  /// harmonics of the pulse.
  ///
  /// The phase angle of harmonic n is −πn(n−1)/N, where N is the number of harmonics (Schroeder).
  /// With these angles, the sum has a lower peak than with equal angles, at the same loudness.
  private static func wave(hertz: Double, frame: Int) -> Double {
    var sum = 0.0
    for harmonic in 1...harmonics {
      let number = Double(harmonic)
      let phase = -.pi * number * (number - 1) / Double(harmonics)
      let angle = 2 * .pi * hertz * number * Double(frame) / 48_000
      sum += factor(decibels: stepDecibels * (number - 1)) * sin(angle + phase)
    }
    return sum
  }
}

/// The samples of a built-in tone. The functions add two kinds of sound to the samples: pulses, and
/// notes that fade away like the note of a bell.
struct ToneCanvas {
  private var sum: [Double] = []

  mutating func place(_ pulses: [Pulse], every milliseconds: Int, from start: Int) {
    for (index, pulse) in pulses.enumerated() {
      add(pulse.samples(), atMilliseconds: start + index * milliseconds)
    }
  }

  /// Adds a note that fades away like the note of a bell. The note has four partials: the pitch and
  /// three overtones. Each partial is 6 dB quieter than the partial before it. Higher partials
  /// decay faster.
  mutating func strike(hertz: Double, atMilliseconds: Int, milliseconds: Int) {
    let count = milliseconds * 48
    let note = (0..<count).map { frame in
      let seconds = Double(frame) / 48_000
      let attack = min(1, seconds / 0.015)
      let release = min(1, Double(count - 1 - frame) / (0.1 * 48_000))
      var sum = 0.0
      for partial in 1...4 {
        let number = Double(partial)
        let decay = exp(-seconds * number / 0.5)
        sum += factor(decibels: -6 * (number - 1)) * decay * sin(2 * .pi * hertz * number * seconds)
      }
      return sum * attack * release
    }
    add(note, atMilliseconds: atMilliseconds)
  }

  func samples(level: Double) -> [Int16] {
    sum.map { Int16(max(-32_767, min(32_767, ($0 * level * 32_767).rounded()))) }
  }

  private mutating func add(_ wave: [Double], atMilliseconds: Int) {
    let start = atMilliseconds * 48
    if sum.count < start + wave.count {
      sum += [Double](repeating: 0, count: start + wave.count - sum.count)
    }
    for (index, value) in wave.enumerated() { sum[start + index] += value }
  }
}
