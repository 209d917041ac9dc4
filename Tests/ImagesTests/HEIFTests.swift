import Foundation
import Images
import Testing

/// Tests that the real program in its sandbox decodes HEIC and AVIF.
///
/// The script `Tests/Fixtures/image/heif.py` made the fixtures. The pictures have four quarters:
/// red and green at the top, blue and white at the bottom.
@Suite struct HEIFDecoding {
  private let decoder = ImageDecoder(executable: ImageFixture.program)

  private func refusal(_ upload: [UInt8]) async -> ImageRefusal? {
    do throws(ImageRefusal) {
      _ = try await decoder.decode(upload)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the colours of the four quarters: the two at the top, and then the two at the bottom.
  private func quarters(_ picture: DecodedImage) async throws -> [String] {
    var names: [String] = []
    for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)] {
      let colour = try await ImageFixture.pixel(
        picture.bytes, x: picture.width * x / 4, y: picture.height * y / 4)
      names.append(colour.name)
    }
    return names
  }

  @Test(arguments: ["quarters.heic", "quarters.avif", "ten-bits.heic"])
  func `each format becomes a JPEG with its colours`(name: String) async throws {
    let picture = try await decoder.decode(ImageFixture.fixture(name))
    #expect((picture.width, picture.height) == (64, 32) && picture.mediaType == "image/jpeg")
    #expect(try await quarters(picture) == ["red", "green", "blue", "white"])
    #expect(picture.thumbnail.starts(with: [0xFF, 0xD8, 0xFF]))
  }

  /// A fuzzer found this file. To read this file, libheif uses a different decoder than for the
  /// other fixtures. This decoder asks the system for the number of processors.
  @Test func `a file that another decoder reads does not end the program`() async throws {
    let picture = try await decoder.decode(ImageFixture.fixture("../found/other-decoder.avif"))
    #expect((picture.width, picture.height) == (64, 32))
  }

  @Test func `transparent parts stay transparent`() async throws {
    let picture = try await decoder.decode(ImageFixture.fixture("glass.heic"))
    #expect((picture.width, picture.height) == (64, 32) && picture.mediaType == "image/png")
    #expect(try await ImageFixture.pixel(picture.bytes, x: 4, y: 4).alpha < 20)
    #expect(try await ImageFixture.pixel(picture.bytes, x: 60, y: 4).alpha > 235)
  }

  /// The EXIF block and the HEIF properties of each fixture describe the same rotation. The decoder
  /// must rotate the picture only once.
  @Test(arguments: [
    ("turn1", ["green", "white", "red", "blue"]), ("turn2", ["white", "blue", "green", "red"]),
    ("turn3", ["blue", "red", "white", "green"]), ("mirror0", ["blue", "white", "red", "green"]),
    ("mirror1", ["green", "red", "white", "blue"]),
  ])
  func `a picture is turned and mirrored once`(name: String, colours: [String]) async throws {
    let picture = try await decoder.decode(ImageFixture.fixture("\(name).heic"))
    let isUpright = name == "turn1" || name == "turn3"
    #expect((picture.width, picture.height) == (isUpright ? (64, 128) : (128, 64)))
    #expect(try await quarters(picture) == colours)
  }

  @Test func `the tiles of a phone are joined, cut and turned, and the depth is ignored`()
    async throws
  {
    let upload = try ImageFixture.fixture("phone.heic")
    #expect(ImageFixture.holdsCanary(upload))
    let picture = try await decoder.decode(upload)
    #expect((picture.width, picture.height) == (100, 120))
    #expect(try await quarters(picture) == ["blue", "red", "white", "green"])
    #expect(
      !ImageFixture.holdsCanary(picture.bytes) && !ImageFixture.holdsCanary(picture.thumbnail))
  }

  @Test func `a picture of 50 megapixels is scaled within the limits of time and memory`()
    async throws
  {
    let picture = try await decoder.decode(ImageFixture.fixture("large.heic"))
    #expect((picture.width, picture.height) == (1_536, 2_048))
    #expect(try await ImageFixture.pixel(picture.bytes, x: 700, y: 1_000).name == "red")
  }

  @Test func `a picture that is too large is refused with the numbers`() async throws {
    let refusal = await refusal(try ImageFixture.fixture("huge.heic"))
    #expect(refusal?.kind == "tooLarge")
    for number in ["16320 × 16320", "52 megapixels"] {
      #expect(refusal?.description.contains(number) == true, "\(refusal?.description ?? "")")
    }
  }

  @Test(arguments: [
    "quarters.heic", "quarters.avif", "ten-bits.heic", "glass.heic", "turn1.heic", "phone.heic",
  ])
  func `a truncated file is refused in words at each length`(name: String) async throws {
    let whole = try ImageFixture.fixture(name)
    for count in stride(from: 12, to: whole.count - 1, by: max(1, whole.count / 24)) {
      let refusal = await refusal(Array(whole.prefix(count)))
      #expect(
        ["damaged", "notAPicture"].contains(refusal?.kind ?? ""),
        "\(name) \(count): \(refusal?.description ?? "none")")
    }
  }

  @Test(arguments: [
    ("isom", "video"), ("mp42", "video"), ("qt  ", "video"), ("M4A ", "video"), ("3gp5", "video"),
    ("crx ", "video"), ("msf1", "damaged"), ("heic", "damaged"),
  ])
  func `the brand of a file decides, and not its name`(brand: String, words: String) async throws {
    let upload =
      [0, 0, 0, 16] + Array("ftyp\(brand)\0\0\0\0".utf8) + [0, 0, 0, 8] + Array("free".utf8)
    let refusal = await refusal(upload)
    #expect(
      refusal?.description.contains(words) == true, "\(brand): \(refusal?.description ?? "none")")
  }

  @Test func `a sequence of pictures is refused as an animation`() async throws {
    let upload =
      [0, 0, 0, 16] + Array("ftypmsf1\0\0\0\0".utf8) + [0, 0, 0, 8] + Array("moov".utf8)
    #expect(await refusal(upload)?.description.contains("animation") == true)
  }
}
