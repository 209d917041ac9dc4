import FoundationEssentials
import Glibc
import SoundProtocol
import Speaker
import Testing

/// Tests faulty files that recorders and encoders write. Examples: a wrong size, tags in front of
/// the sound, an offset, a missing end.
@Suite struct RecorderFaults {
  let decoder = ToneDecoder(executable: SpeakerFixture.player)
  private static let voice = sine(hertz: 440, milliseconds: 2_000, amplitude: 0.3)

  private func fixture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "\(SpeakerFixture.fixtures)/\(name)")))
  }

  private func sentence(_ upload: [UInt8]) async -> String? {
    do throws(ToneRefusal) {
      _ = try await decoder.decode(upload)
      return nil
    } catch {
      return error.sentence
    }
  }

  private static func little(_ value: Int, _ width: Int = 4) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func bytes(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { little(Int($0), 2) }
  }

  /// Returns a WAV file with the given bytes, header fields and other parts.
  private static func file(
    _ data: [UInt8], size: Int? = nil, coding: Int = 1, channels: Int = 1, rate: Int = 48_000,
    bits: Int = 16, before: [UInt8] = [], after: [UInt8] = []
  ) -> [UInt8] {
    let block = channels * bits / 8
    let format =
      little(coding, 2) + little(channels, 2) + little(rate) + little(rate * block)
      + little(block, 2) + little(bits, 2)
    let declared = size ?? data.count
    let riff = size ?? data.count + before.count + after.count + 36
    return Array("RIFF".utf8) + little(riff) + Array("WAVEfmt ".utf8) + little(16) + format + before
      + Array("data".utf8) + little(declared) + data + after
  }

  private static let list =
    Array("LIST".utf8) + little(26) + Array("INFOISFT".utf8) + little(14)
    + Array("Recorder 1.0\0\0".utf8)

  // MARK: WAV

  @Test(arguments: [0, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, 0x7fff_f000])
  func `a WAV whose recorder did not write the size is stored whole`(_ size: Int) async throws {
    let data = Self.bytes(Self.voice)
    for after in [[], Self.list] {
      let tone = try await decoder.decode(Self.file(data, size: size, after: after))
      #expect(tone.durationMilliseconds == 2_000, "\(size), \(after.count) bytes behind")
    }
  }

  @Test func `an odd chunk with or without its padding byte is skipped`() async throws {
    let chunk = Array("junk".utf8) + Self.little(5) + Array("abcde".utf8)
    for before in [chunk, chunk + [0], chunk + chunk] {
      let tone = try await decoder.decode(Self.file(Self.bytes(Self.voice), before: before))
      #expect(tone.durationMilliseconds == 2_000)
    }
  }

  @Test func `an RF64 file is stored whole, and half of it is refused`() async throws {
    let data = Self.bytes(Self.voice)
    let sizes = Self.little(data.count + 72, 8) + Self.little(data.count, 8) + Self.little(0, 12)
    let chunk = Array("ds64".utf8) + Self.little(sizes.count) + sizes
    var file = Self.file(data, size: 0xffff_ffff)
    file.replaceSubrange(0..<4, with: "RF64".utf8)
    file.insert(contentsOf: chunk, at: 12)
    #expect(try await decoder.decode(file).durationMilliseconds == 2_000)
    let half = Array(file[..<(file.count / 2)])
    #expect(await sentence(half)?.hasPrefix("the file is incomplete: it contains only 4") == true)
  }

  @Test func `six channels, 24 bits at 192 kHz, and other codings are stored whole`() async throws {
    let six = Self.bytes(Self.voice.flatMap { [Int16](repeating: $0, count: 6) })
    #expect(
      try await decoder.decode(Self.file(six, channels: 6)).durationMilliseconds == 2_000)
    let fine = (0..<192_000).flatMap {
      Self.little(Int(2_000_000 * sin(2 * .pi * 440 * Double($0) / 192_000)), 3)
    }
    #expect(
      try await decoder.decode(Self.file(fine, rate: 192_000, bits: 24)).durationMilliseconds
        == 1_000)
    // The numbers of this file are floating-point numbers, but they are as large as 16-bit
    // integers.
    let wide = Self.voice.flatMap { Self.little(Int(Float($0).bitPattern)) }
    let tone = try await decoder.decode(Self.file(wide, coding: 3, bits: 32))
    #expect(tone.durationMilliseconds == 2_000)
    #expect(abs(tone.loudnessLUFS + 16) < 0.1)
  }

  @Test(arguments: [0.1, 0.55, -0.3])
  func `an offset is removed before silence and clipping are judged`(_ offset: Double)
    async throws
  {
    let silence = [Int16](repeating: 0, count: 96_000)
    let shifted = (silence + Self.voice + silence).map {
      Int16(max(-32_768, min(32_767, Double($0) + offset * 32_767)))
    }
    for rate in [48_000, 44_100] {
      let tone = try await decoder.decode(wav(shifted, rate: rate))
      let expected = 2_000 * 48_000 / rate
      #expect((expected + 150...expected + 350).contains(tone.durationMilliseconds), "\(rate)")
      #expect(abs(tone.loudnessLUFS + 16) < 0.2)
    }
  }

  // MARK: In front of the sound

  @Test func `zero bytes and tags in front of a sound are skipped`() async throws {
    func tag(_ size: Int) -> [UInt8] {
      Array("ID3".utf8) + [3, 0, 0]
        + [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0 & 127) }
        + (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 | 1) }
    }
    let prefixes = [
      [UInt8](repeating: 0, count: 1_044), tag(2_000_000), tag(300) + tag(5_000),
      [UInt8](repeating: 0, count: 10) + tag(20),
    ]
    for prefix in prefixes {
      for name in ["warble.mp3", "warble.flac"] {
        let tone = try await decoder.decode(prefix + fixture(name))
        #expect((1_150...1_350).contains(tone.durationMilliseconds), "\(name), \(prefix.count)")
      }
    }
  }

  @Test func `bytes that only look like one frame are not a sound`() async throws {
    // The ADTS header is near the end of the upload. The end of the frame would be behind the end
    // of the upload.
    let upload =
      Array("Dear mother, this is no sound at all.".utf8)
      + [0xff, 0xf1, 0x50, 0x80, 0x7f, 0xff, 0xfc] + [UInt8](repeating: 0x20, count: 20)
    #expect(await sentence(upload)?.hasPrefix("this file is not a sound file") == true)
  }

  // MARK: Missing ends

  @Test(arguments: ["warble.mp3", "warble.ogg", "warble.opus", "warble.flac"])
  func `the refusal of an incomplete file says how much of it is there`(_ name: String)
    async throws
  {
    let whole = try fixture(name)
    for tenths in [3, 5, 7, 9] {
      let part = Array(whole[..<(whole.count * tenths / 10)])
      let found = try #require(await sentence(part), "\(tenths) tenths of \(name)")
      #expect(found.hasPrefix("the file is incomplete: it "), "\(tenths) tenths: \(found)")
      #expect(found.contains(" % of its sound") || found.contains(", and the rest is missing"))
    }
  }

  @Test func `both streams of a chained file are heard`() async throws {
    for name in ["warble.ogg", "warble.opus"] {
      let one = try await decoder.decode(fixture(name)).durationMilliseconds
      let two = try await decoder.decode(fixture(name) + fixture(name)).durationMilliseconds
      #expect((2 * one - 100...2 * one + 200).contains(two), "\(name): \(one) ms, \(two) ms")
      let cut = try fixture(name) + fixture(name).dropLast(500)
      #expect(await sentence(cut)?.hasPrefix("the file is incomplete") == true)
    }
  }

  // MARK: Formats of the other decoder

  private static let heads: [String: [UInt8]] = [
    "an M4A file": [0, 0, 0, 32] + Array("ftypM4A ".utf8),
    "an MP4 file": [0, 0, 0, 32] + Array("ftypisom".utf8),
    "a 3GP file": [0, 0, 0, 24] + Array("ftyp3gp4".utf8),
    "a QuickTime file": [0, 0, 0, 20] + Array("ftypqt  ".utf8),
    "a WebM file": [0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x84] + Array("webm".utf8),
    "an AMR file": Array("#!AMR-WB\n".utf8),
    "a CAF file": Array("caff".utf8) + [0, 1, 0, 0],
    "a WMA file": [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11],
    "an AIFF file": Array("FORM\0\0\u{1}\0AIFFCOMM".utf8),
  ]

  @Test(arguments: heads.keys.sorted())
  func `without the package, the refusal names the format and the package`(_ file: String)
    async throws
  {
    let upload = try #require(Self.heads[file]) + [UInt8](repeating: 1, count: 4_000)
    let expected =
      "this is \(file); install the package prompter-formats to read it, or save the sound as MP3 "
      + "or WAV"
    #expect(await sentence(upload) == expected)
    let missing = ToneDecoder(executable: SpeakerFixture.player, formats: "/nowhere/formats")
    await #expect(throws: ToneRefusal(.notAudio, expected)) { try await missing.decode(upload) }
  }

  @Test func `a picture in the container of a sound is not called a sound`() async throws {
    let upload = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 1, count: 4_000)
    #expect(await sentence(upload)?.hasPrefix("this file is not a sound file") == true)
  }
}
