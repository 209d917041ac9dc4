import FoundationEssentials
import Glibc
import SoundProtocol
import Speaker
import Testing

@Suite struct Decoding {
  let decoder = ToneDecoder(executable: SpeakerFixture.player)

  /// Returns the samples of a canonical WAV.
  private func samples(_ tone: DecodedTone) -> [Int16] {
    stride(from: 44, to: tone.wav.count, by: 2).map {
      Int16(bitPattern: UInt16(tone.wav[$0]) | UInt16(tone.wav[$0 + 1]) << 8)
    }
  }

  private func refusal(_ upload: [UInt8]) async -> ToneRefusal? {
    do throws(ToneRefusal) {
      let tone = try await decoder.decode(upload)
      Issue.record("taken as \(tone.format), \(tone.durationMilliseconds) ms")
      return nil
    } catch {
      return error
    }
  }

  /// Measures the amplitude of one frequency (`tone`), and the amplitude of the rest of the sound.
  private func fit(_ sound: ArraySlice<Int16>, hertz: Double) -> (tone: Double, rest: Double) {
    var inPhase = 0.0
    var quadrature = 0.0
    for (index, value) in sound.enumerated() {
      let angle = 2 * .pi * hertz * Double(index) / 48_000
      inPhase += Double(value) * cos(angle)
      quadrature += Double(value) * sin(angle)
    }
    inPhase *= 2 / Double(sound.count)
    quadrature *= 2 / Double(sound.count)
    var energy = 0.0
    for (index, value) in sound.enumerated() {
      let angle = 2 * .pi * hertz * Double(index) / 48_000
      let rest = Double(value) - inPhase * cos(angle) - quadrature * sin(angle)
      energy += rest * rest
    }
    return (
      hypot(inPhase, quadrature) / 32_767, sqrt(energy / Double(sound.count)) / 32_767
    )
  }

  @Test func `a quiet tone becomes −16 LUFS in the canonical format`() async throws {
    let tone = try await decoder.decode(
      wav(sine(hertz: 1_000, milliseconds: 2_000, amplitude: 0.05)))
    #expect(tone.format == "WAV")
    #expect(tone.durationMilliseconds == 2_000)
    #expect(abs(tone.loudnessLUFS + 16) < 0.1)
    #expect(tone.wav.count == 44 + 2_000 * 96)
    // By the definition of LUFS, a 1 kHz sine in both speakers has a loudness in LUFS that is equal
    // to its peak level in dBFS.
    let measured = fit(samples(tone)[4_800..<91_200], hertz: 1_000)
    #expect(abs(20 * log10(measured.tone) + 16) < 0.1)
    #expect(abs(tone.truePeakDecibels + 16) < 0.1)
  }

  @Test(arguments: [8_000, 16_000, 22_050, 32_000, 44_100, 96_000])
  func `other sample rates become 48 kHz without conversion noise`(_ rate: Int) async throws {
    let sound = (0..<rate).map {
      Int16((8_000 * sin(2 * .pi * 1_000 * Double($0) / Double(rate))).rounded())
    }
    let tone = try await decoder.decode(wav(sound, rate: rate))
    #expect(abs(tone.durationMilliseconds - 1_000) <= 1)
    let measured = fit(samples(tone)[4_800..<43_200], hertz: 1_000)
    // The tone is more than 80 dB louder than the rest of the sound. If the decoder used linear
    // interpolation, the tone would be only 40 dB louder.
    #expect(measured.rest / measured.tone < 1e-4)
  }

  @Test(arguments: [
    ("flac", "FLAC"), ("ogg", "Ogg Vorbis"), ("opus", "Ogg Opus"), ("mp3", "MP3"),
  ])
  func `every supported format decodes to the same sound`(_ ending: String, _ name: String)
    async throws
  {
    let upload = [UInt8](
      try Data(contentsOf: URL(filePath: SpeakerFixture.fixtures + "/warble.\(ending)")))
    let tone = try await decoder.decode(upload)
    #expect(tone.format == name)
    #expect((1_150...1_350).contains(tone.durationMilliseconds))
    #expect(abs(tone.loudnessLUFS + 16) < 0.2)
    #expect(tone.truePeakDecibels <= -1.5)
    let sound = samples(tone)
    let measured = fit(sound[sound.count / 2 - 4_800..<sound.count / 2 + 4_800], hertz: 440)
    #expect((0.1...0.22).contains(measured.tone))
  }

  @Test func `silence at both ends is trimmed to a short rest`() async throws {
    let silence = [Int16](repeating: 0, count: 96_000)
    let sound = sine(hertz: 500, milliseconds: 1_000, amplitude: 0.2)
    let tone = try await decoder.decode(wav(silence + sound + silence))
    #expect((1_150...1_250).contains(tone.durationMilliseconds))
  }

  @Test func `sharp peaks are limited so that the voice around them is loud enough`()
    async throws
  {
    var sound = sine(hertz: 300, milliseconds: 3_000, amplitude: 0.05)
    for start in stride(from: 4_800, to: sound.count - 100, by: 12_000) {
      for index in 0..<48 { sound[start + index] = index % 2 == 0 ? 12_000 : -12_000 }
    }
    let tone = try await decoder.decode(wav(sound))
    #expect(tone.truePeakDecibels <= -1.5)
    #expect(abs(tone.loudnessLUFS + 16) < 1.5)
    #expect(peak(samples(tone)) <= Int(32_767 * pow(10, -1.5 / 20)))
  }

  @Test func `channels that cancel each other do not become silence`() async throws {
    let sound = sine(hertz: 1_000, milliseconds: 1_000, amplitude: 0.2)
    let tone = try await decoder.decode(wav(sound.flatMap { [$0, -$0] }, channels: 2))
    #expect(fit(samples(tone)[4_800..<43_200], hertz: 1_000).tone > 0.14)
  }

  @Test func `the same upload always gives the same bytes`() async throws {
    let upload = wav(sine(hertz: 440, milliseconds: 800, amplitude: 0.3), rate: 44_100)
    let first = try await decoder.decode(upload)
    #expect(try await decoder.decode(upload) == first)
  }

  // MARK: Refusals

  @Test func `the refusal of a quiet recording says how quiet it is`() async {
    let upload = wav(sine(hertz: 1_000, milliseconds: 2_000, amplitude: 0.002_5))
    let sentence =
      "the recording is too quiet: −52 LUFS, at least −45 LUFS is needed; record again, closer to "
      + "the microphone"
    #expect(await refusal(upload) == ToneRefusal(.tooQuiet, sentence))
    let silence = wav([Int16](repeating: 0, count: 96_000))
    #expect(
      await refusal(silence)
        == ToneRefusal(
          .tooQuiet, "no sound can be heard in the recording; check the microphone and record again"
        ))
  }

  @Test func `less than half a second is too short, also inside a long silence`() async {
    let sound = sine(hertz: 1_000, milliseconds: 300, amplitude: 0.2)
    #expect(
      await refusal(wav(sound))
        == ToneRefusal(
          .tooShort, "the recording contains only 0.3 s of sound; at least 0.5 s is needed"))
    let cough = sine(hertz: 1_000, milliseconds: 100, amplitude: 0.2)
    let rest = [Int16](repeating: 0, count: 96_000)
    #expect(await refusal(wav(rest + cough + rest))?.kind == .tooShort)
  }

  @Test func `more than a minute is too long, and more than 10 MiB is too large`() async {
    let long = wav(sine(hertz: 500, milliseconds: 61_000, amplitude: 0.2))
    #expect(
      await refusal(long) == ToneRefusal(.tooLong, "the recording is longer than 60 s"))
    let large = [UInt8](repeating: 0, count: ToneDecoder.largestUploadBytes + 1)
    #expect(
      await refusal(large) == ToneRefusal(.tooLarge, "the file is larger than 10 MiB"))
  }

  @Test func `an overdriven recording is refused, and a loud clean one is accepted`() async throws {
    let overdriven = (0..<96_000).map { index -> Int16 in
      let wave = 5 * sin(2 * .pi * 200 * Double(index) / 48_000)
      return Int16(32_767 * max(-1, min(1, wave)))
    }
    let found = await refusal(wav(overdriven))
    #expect(found?.kind == .clipped)
    #expect(found?.sentence.contains("% of it is clipped") == true)
    _ = try await decoder.decode(wav(sine(hertz: 200, milliseconds: 1_000, amplitude: 1)))
  }

  private static let noSound: [String: [UInt8]] = [
    "empty": [],
    "text": Array("Dear mother, this is no sound at all.".utf8),
    "riff of nothing": Array("RIFF\u{4}\0\0\0WAVE".utf8),
    "flac of nothing": Array("fLaC".utf8) + [UInt8](repeating: 0x55, count: 4_000),
  ]

  @Test(arguments: noSound.keys.sorted())
  func `a file that is not sound is refused with a sentence`(_ name: String) async throws {
    let found = await refusal(try #require(Self.noSound[name]))
    #expect(found?.kind == .notAudio)
    #expect(found?.sentence.hasPrefix("this file ") == true, "\(found?.sentence ?? "")")
  }

  @Test func `a truncated WAV is refused, and one of unknown length is accepted`() async throws {
    let whole = wav(sine(hertz: 440, milliseconds: 2_000, amplitude: 0.3))
    #expect(
      await refusal(Array(whole[..<(44 + 96_000)]))
        == ToneRefusal(.decoderFailed, "the file is incomplete: it contains only 50 % of its sound")
    )
    for length: [UInt8] in [[255, 255, 255, 255], [0, 240, 255, 127]] {
      var piped = whole
      piped.replaceSubrange(40..<44, with: length)
      #expect(try await decoder.decode(piped).durationMilliseconds == 2_000)
    }
  }

  @Test(arguments: ["warble.mp3", "warble.ogg", "warble.opus", "warble.flac"])
  func `a file with almost no sound is refused in words that a caretaker understands`(
    _ name: String
  ) async throws {
    let file = try Data(contentsOf: URL(filePath: "\(SpeakerFixture.fixtures)/\(name)"))
    let refused = try #require(await refusal([UInt8](file.prefix(100))))
    #expect(refused.sentence.contains("incomplete"))
  }

  @Test func `a file with damage in the middle is refused, not stored in part`() async throws {
    var upload = [UInt8](
      try Data(contentsOf: URL(filePath: SpeakerFixture.fixtures + "/warble.flac")))
    upload.removeLast(upload.count / 3)
    #expect(await refusal(upload)?.kind == .decoderFailed)
  }
}
