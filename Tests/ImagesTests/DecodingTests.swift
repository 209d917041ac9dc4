import Foundation
import Images
import TestRandom
import Testing

/// Tests the decoding of uploads.
///
/// The pictures of the fixtures have four quarters: red and green at the top, blue and white at the
/// bottom. In the fixture `glass`, the left half is transparent.
@Suite struct PictureDecoding {
  private let decoder = ImageDecoder(executable: ImageFixture.program)

  @Test(arguments: [
    ("quarters.jpg", "image/jpeg"), ("quarters.png", "image/png"), ("quarters.webp", "image/jpeg"),
    ("glass.png", "image/png"), ("glass.webp", "image/png"),
  ])
  func `each format becomes a picture of its size with a thumbnail`(
    _ name: String, _ mediaType: String
  ) async throws {
    let picture = try await decoder.decode(ImageFixture.fixture(name))
    #expect(picture.mediaType == mediaType)
    #expect(picture.width == 64 && picture.height == 32)
    #expect(picture.thumbnail.starts(with: [0xFF, 0xD8, 0xFF]))
    let again = try await decoder.decode(picture.bytes)
    #expect(again.width == 64 && again.mediaType == mediaType)
  }

  @Test func `transparent parts stay transparent, and are white in the thumbnail`() async throws {
    for name in ["glass.webp", "glass.png"] {
      let picture = try await decoder.decode(ImageFixture.fixture(name))
      #expect(try await ImageFixture.pixel(picture.bytes, x: 2, y: 2).alpha == 0, "\(name)")
      #expect(try await ImageFixture.pixel(picture.bytes, x: 60, y: 2).alpha == 255, "\(name)")
      let small = try await ImageFixture.pixel(picture.thumbnail, x: 2, y: 2)
      #expect(small.isNear(255, 255, 255), "\(name): \(small)")
    }
  }

  /// Each case is an EXIF orientation and a colour. The colour is at the top left of the picture
  /// after the rotation.
  @Test(arguments: [
    (1, "red"), (2, "green"), (3, "white"), (4, "blue"), (5, "red"), (6, "blue"), (7, "white"),
    (8, "green"),
  ])
  func `a picture is turned to the orientation of its camera`(
    _ orientation: Int, _ corner: String
  ) async throws {
    let upload = ImageFixture.withEXIF(
      try ImageFixture.fixture("quarters.jpg"), orientation: UInt16(orientation))
    let picture = try await decoder.decode(upload)
    #expect((picture.width, picture.height) == (orientation < 5 ? (64, 32) : (32, 64)))
    let colour = try await ImageFixture.pixel(picture.bytes, x: 3, y: 3)
    #expect(colour.name == corner, "\(colour)")
    #expect(try await ImageFixture.pixel(picture.thumbnail, x: 3, y: 3).name == corner)
  }

  @Test func `PNG and WebP pictures are turned as well`() async throws {
    let block = ImageFixture.exif(orientation: 6)
    for upload in [
      ImageFixture.png(try ImageFixture.fixture("quarters.png"), with: block),
      ImageFixture.webP(
        try ImageFixture.fixture("quarters.webp"), with: block, width: 64, height: 32),
    ] {
      let picture = try await decoder.decode(upload)
      #expect((picture.width, picture.height) == (32, 64))
      #expect(try await ImageFixture.pixel(picture.bytes, x: 3, y: 3).name == "blue")
    }
  }

  @Test func `the place and time of a photo are removed`() async throws {
    let block = ImageFixture.exif(orientation: 1)
    for upload in [
      ImageFixture.withEXIF(try ImageFixture.fixture("quarters.jpg"), orientation: 1),
      ImageFixture.png(try ImageFixture.fixture("quarters.png"), with: block),
      ImageFixture.webP(
        try ImageFixture.fixture("quarters.webp"), with: block, width: 64, height: 32),
    ] {
      #expect(ImageFixture.holdsCanary(upload))
      let picture = try await decoder.decode(upload)
      #expect(
        !ImageFixture.holdsCanary(picture.bytes) && !ImageFixture.holdsCanary(picture.thumbnail))
      #expect(!picture.bytes.contains(subsequence: Array("Exif".utf8)))
      #expect(!picture.bytes.contains(subsequence: Array("eXIf".utf8)))
    }
  }

  @Test func `a large picture is made smaller and keeps its proportions`() async throws {
    let picture = try await decoder.decode(ImageFixture.plainPNG(width: 4_000, height: 1_000))
    #expect((picture.width, picture.height) == (2_048, 512))
    let thumbnail = try await decoder.decode(picture.thumbnail)
    #expect((thumbnail.width, thumbnail.height) == (256, 64))
  }

  @Test func `the largest accepted picture stays within the limits of time and memory`()
    async throws
  {
    let picture = try await decoder.decode(ImageFixture.plainPNG(width: 12_000, height: 6_900))
    #expect((picture.width, picture.height) == (2_048, 1_177))
    #expect(try await ImageFixture.pixel(picture.bytes, x: 2_000, y: 1_100).name == "white")
  }

  @Test(arguments: [
    ([], "notAPicture"), (Array("GIF89a and so on".utf8), "notAPicture"),
    (Array("<svg/>".utf8), "notAPicture"), ([0xFF, 0xD8, 0xFF, 0xE0], "damaged"),
    (ImageFixture.plainPNG(width: 65_501, height: 10), "tooLarge"),
    ([UInt8](repeating: 0xFF, count: 10 << 20 | 1), "tooLarge"),
  ])
  func `an upload that is not a picture is refused with its kind`(_ upload: [UInt8], _ kind: String)
    async throws
  {
    #expect(await refusal(upload)?.kind == kind)
  }

  /// The test writes a too large size into the frame header of the picture. For a progressive JPEG
  /// (0xC2), the maximum size is smaller than for a baseline JPEG (0xC0), because its decoder needs
  /// more memory.
  @Test(arguments: [
    (UInt8(0xC0), 15_000, 14_000, "200 megapixels"),
    (0xC2, 9_000, 6_000, "52 megapixels"),
  ])
  func `a JPEG that is too large is refused with the numbers`(
    frame: UInt8, width: Int, height: Int, words: String
  ) async throws {
    var upload = try ImageFixture.fixture("quarters.jpg")
    let start = try #require(
      upload.indices.first { upload[$0...].starts(with: [0xFF, 0xC0, 0x00, 0x11, 0x08]) })
    upload[start + 1] = frame
    for (place, value) in [(5, height >> 8), (6, height & 255), (7, width >> 8), (8, width & 255)] {
      upload[start + place] = UInt8(value)
    }
    let refusal = await refusal(upload)
    #expect(refusal?.kind == "tooLarge")
    for part in [words, "\(width) × \(height)"] {
      #expect(refusal?.description.contains(part) == true, "\(refusal?.description ?? "")")
    }
  }

  @Test func `an animation and a truncated file are refused`() async throws {
    let moving = await refusal(try ImageFixture.fixture("moving.webp"))
    #expect(moving?.description.contains("animation") == true)
    for name in ["quarters.jpg", "quarters.png", "quarters.webp"] {
      let whole = try ImageFixture.fixture(name)
      #expect(await refusal(Array(whole.prefix(whole.count * 2 / 3)))?.kind == "damaged", "\(name)")
    }
  }

  /// Decodes damaged files of every format. The damage depends only on a fixed seed.
  /// PROMPTER_FUZZ_RUNS sets the number of files.
  @Test func `damaged files of every format give a picture or a sentence, in time`() async throws {
    let runs = ProcessInfo.processInfo.environment["PROMPTER_FUZZ_RUNS"].flatMap(Int.init) ?? 60
    var random = SeededGenerator(seed: 7)
    let seeds = try [
      "quarters.jpg", "quarters.png", "quarters.webp", "glass.webp", "moving.webp",
      "quarters.heic", "quarters.avif", "glass.heic", "phone.heic",
    ].map { try ImageFixture.fixture($0) }
    for run in 0..<runs {
      var upload = seeds[run % seeds.count]
      for _ in 0...Int.random(in: 0...8, using: &random) {
        upload[Int.random(in: 8..<upload.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let said = await refusal(upload)
      #expect(said?.description.contains("signal 31") != true, "run \(run) broke the sandbox")
      #expect(said?.description.contains("took too long") != true, "run \(run)")
    }
  }

  private func refusal(_ upload: [UInt8]) async -> ImageRefusal? {
    do throws(ImageRefusal) {
      _ = try await decoder.decode(upload)
      return nil
    } catch {
      return error
    }
  }
}
