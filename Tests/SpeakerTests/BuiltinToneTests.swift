import FoundationEssentials
import Glibc
import SoundProtocol
import Testing

@testable import Speaker

/// Measures the built-in tones that the program writes: spectrum, pulses, edges and loudness.
@Suite struct BuiltinTones {
  /// The output of one run of the program: the built-in tones, and a report of their loudness. The
  /// program measures the loudness with libebur128. Example: "chime.wav: 1800 ms, -16.0 LUFS, …".
  private struct Output {
    var tones: [String: [Int16]] = [:]
    var report = ""
  }

  private static let output = Result { try write() }
  private let tones: [String: [Int16]]
  private let report: String

  init() throws {
    tones = try Self.output.get().tones
    report = try Self.output.get().report
  }

  private static func write() throws -> Output {
    let fixture = try SpeakerFixture()
    let run = try SpeakerFixture.run(["tones", "--write", fixture.directory])
    var output = Output(report: run.said)
    try #require(run.status == 0, "\(run.said)")
    for tone in BuiltinTone.allCases {
      output.tones[tone.rawValue] = try samples(of: fixture.path("\(tone.rawValue).wav"))
    }
    return output
  }

  private static func samples(of path: String) throws -> [Int16] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let samples = stride(from: 44, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    #expect(Array(bytes.prefix(44)) == Array(wav(samples).prefix(44)), "\(path) is not canonical")
    return samples
  }

  private func tone(_ tone: BuiltinTone) throws -> [Int16] { try #require(tones[tone.rawValue]) }

  /// Returns the start and the length, in milliseconds, of each part that is louder than 1 % of the
  /// peak for at least 1 ms.
  private func pulses(_ sound: [Int16]) -> [(start: Int, length: Int)] {
    let floor = peak(sound) / 100
    let loud = stride(from: 0, to: sound.count - 47, by: 48).map {
      peak(sound[$0..<$0 + 48]) > floor
    }
    var found: [(start: Int, length: Int)] = []
    for (millisecond, isLoud) in loud.enumerated() where isLoud {
      if let last = found.last, last.start + last.length == millisecond {
        found[found.count - 1].length += 1
      } else {
        found.append((millisecond, 1))
      }
    }
    return found
  }

  /// Returns the amplitude of one frequency, in decibels.
  private func level(_ sound: ArraySlice<Int16>, hertz: Double) -> Double {
    var real = 0.0
    var imaginary = 0.0
    for (index, value) in sound.enumerated() {
      let angle = 2 * .pi * hertz * Double(index) / 48_000
      real += Double(value) * cos(angle)
      imaginary += Double(value) * sin(angle)
    }
    return 20 * log10(max(1e-9, hypot(real, imaginary) * 2 / Double(sound.count)))
  }

  @Test func `the normal tone is three pulses of 150 ms, the urgent one five and five`() throws {
    #expect(pulses(try tone(.normal)).map(\.start).map { ($0 + 2) / 5 * 5 } == [0, 350, 700])
    let urgent = pulses(try tone(.urgent))
    #expect(
      urgent.map(\.start).map { ($0 + 2) / 5 * 5 }
        == [0, 250, 500, 1_000, 1_250, 1_950, 2_200, 2_450, 2_950, 3_200])
    for pulse in pulses(try tone(.normal)) + urgent {
      #expect((144...150).contains(pulse.length))
    }
  }

  @Test(arguments: [BuiltinTone.normal, .urgent, .beep])
  func `500 Hz is the loudest, and each harmonic up to the seventh is 2 dB below the one before`(
    _ which: BuiltinTone
  ) throws {
    // The test measures 100 ms in the middle of the first pulse. In 100 ms, each of the measured
    // frequencies has a whole number of periods.
    let sound = try tone(which)[1_200..<6_000]
    let fundamental = level(sound, hertz: 500)
    for harmonic in 2...7 {
      let below = fundamental - level(sound, hertz: 500 * Double(harmonic))
      #expect(abs(below - 2 * Double(harmonic - 1)) < 0.3, "harmonic \(harmonic): \(below) dB")
    }
    for hertz in [250.0, 750, 1_250, 4_000, 4_500, 8_000] {
      #expect(fundamental - level(sound, hertz: hertz) > 40, "\(hertz) Hz")
    }
  }

  @Test func `a pulse rises and falls in 20 ms, without a step that clicks`() throws {
    let sound = try tone(.normal)
    let top = Double(peak(sound[2_400..<4_800]))
    // The edge is a raised cosine. After a sixth of its duration, the edge reaches a fifteenth of
    // the full level. After half of its duration, the edge reaches half of the full level.
    #expect(Double(peak(sound[0..<144])) / top < 0.1)
    #expect((0.3...0.75).contains(Double(peak(sound[384..<576])) / top))
    #expect(Double(peak(sound[960..<1_200])) / top > 0.95)
    #expect(Double(peak(sound[7_056..<7_200])) / top < 0.1)
    #expect(peak(sound[7_200..<16_800]) == 0)
  }

  @Test func `every tone is at −16 LUFS and well below full scale`() throws {
    let lines = report.split(separator: "\n")
    #expect(lines.count == BuiltinTone.allCases.count)
    for line in lines { #expect(line.contains("-16.0 LUFS"), "\(line)") }
    for sound in tones.values { #expect(peak(sound) < 18_000) }
  }

  @Test func `the chime is short and fades, and the answer sounds are shorter than any alarm`()
    throws
  {
    let chime = try tone(.chime)
    #expect(chime.count <= 2_000 * 48)
    #expect(peak(chime.suffix(480)) < peak(chime) / 20)
    #expect(try tone(.acknowledge).count <= 300 * 48)
    #expect(try tone(.reward).count <= 1_500 * 48)
  }

  @Test(arguments: BuiltinTone.allCases)
  func `the files in sounds equal the output of the program`(_ which: BuiltinTone) throws {
    let folder = SpeakerFixture.fixtures + "/../../../sounds"
    let kept = try Self.samples(of: "\(folder)/\(which.rawValue).wav")
    let made = try tone(which)
    #expect(kept.count == made.count)
    // The test allows a difference of one 16-bit step, because the C library of another system can
    // round a sine differently.
    #expect(zip(kept, made).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }
}
