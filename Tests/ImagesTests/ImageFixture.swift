import CPNG
import CTurboJPEG
import Foundation
import Testing

/// Uploads for the tests, and a reader for single pixels of the results.
enum ImageFixture {
  /// The path of `prompter-image`. The program is in the directory of the tests.
  static let program: String = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent + "/prompter-image"
  }()

  static func fixture(_ name: String) throws -> [UInt8] {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/image")
    return [UInt8](try Data(contentsOf: directory.appending(path: name)))
  }

  // MARK: Metadata of cameras

  private static let canary = Array("CANARY 52.5163N 13.3777E".utf8)

  static func holdsCanary(_ file: [UInt8]) -> Bool { file.contains(subsequence: canary) }

  /// Returns a TIFF structure with the orientation and a description. The description contains a
  /// geographical position.
  static func exif(orientation: UInt16) -> [UInt8] {
    func short(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    func long(_ value: Int) -> [UInt8] {
      short(UInt16(value >> 16)) + short(UInt16(value & 65_535))
    }
    let description = short(0x010E) + short(2) + long(canary.count) + long(38)
    let turn = short(0x0112) + short(3) + long(1) + short(orientation) + short(0)
    return Array("MM\0*".utf8) + long(8) + short(2) + description + turn + long(0) + canary
  }

  /// Returns a JPEG whose first segment contains the EXIF block.
  static func withEXIF(_ jpeg: [UInt8], orientation: UInt16) -> [UInt8] {
    let block = Array("Exif\0\0".utf8) + exif(orientation: orientation)
    let length = block.count + 2
    return jpeg.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + block
      + jpeg.dropFirst(2)
  }

  /// Returns a PNG with the EXIF block before the pixels.
  static func png(_ png: [UInt8], with block: [UInt8]) -> [UInt8] {
    png.prefix(33) + chunk("eXIf", block) + png.dropFirst(33)
  }

  /// Returns a lossy WebP in the extended form, with the EXIF block after the pixels.
  static func webP(
    _ webP: [UInt8], with block: [UInt8], width: Int, height: Int
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }
    func part(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(bytes.count, 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }
    let head = part("VP8X", [8, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    let body = Array("WEBP".utf8) + head + webP.dropFirst(12) + part("EXIF", block)
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  // MARK: Large pictures

  /// Returns a PNG of one colour. Even if the picture is large, the file is small.
  static func plainPNG(width: Int, height: Int) -> [UInt8] {
    func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    // Each pixel is white. A pixel takes one bit.
    let row = [UInt8(0)] + [UInt8](repeating: 0xFF, count: (width + 7) / 8)
    let rows = [UInt8]((0..<height).map { _ in row }.joined())
    // The data are in the format of zlib, but not compressed. This is the simplest form of zlib.
    var stream: [UInt8] = [0x78, 0x01]
    var place = 0
    while place < rows.count {
      let count = min(65_535, rows.count - place)
      let isLast: UInt8 = place + count == rows.count ? 1 : 0
      stream += [isLast, UInt8(count & 255), UInt8(count >> 8)]
      stream += [UInt8(~count & 255), UInt8(~count >> 8 & 255)]
      stream += rows[place..<(place + count)]
      place += count
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    stream += long(Int(b << 16 | a))
    let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return mark + chunk("IHDR", long(width) + long(height) + [1, 0, 0, 0, 0])
      + chunk("IDAT", stream) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    func long(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    let named = Array(name.utf8) + bytes
    return long(UInt32(bytes.count)) + named + long(checksum(named))
  }

  private static let checksums: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { checksums[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
  }

  // MARK: Pixels

  struct Colour: CustomStringConvertible {
    var red: Int
    var green: Int
    var blue: Int
    var alpha: Int

    func isNear(_ red: Int, _ green: Int, _ blue: Int) -> Bool {
      zip([self.red, self.green, self.blue], [red, green, blue]).allSatisfy { abs($0 - $1) < 40 }
    }

    /// The name of the colour. Each quarter of the fixtures has one of these colours.
    var name: String {
      if isNear(255, 0, 0) { return "red" }
      if isNear(0, 160, 0) { return "green" }
      if isNear(0, 0, 255) { return "blue" }
      return isNear(255, 255, 255) ? "white" : "none"
    }

    var description: String { "(\(red), \(green), \(blue), \(alpha))" }
  }

  /// Returns the colour of one pixel in a JPEG or a PNG. The function decodes the file without
  /// `prompter-image`, which is the program under test.
  static func pixel(_ file: [UInt8], x: Int, y: Int) async throws -> Colour {
    var width = 0
    var pixels: [UInt8] = []
    if file.starts(with: [0xFF, 0xD8]) {
      let decoder = try #require(tjInitDecompress())
      defer { tjDestroy(decoder) }
      var (columns, rows): (Int32, Int32) = (0, 0)
      var (sampling, colours): (Int32, Int32) = (0, 0)
      let count = UInt(file.count)
      try #require(
        tjDecompressHeader3(decoder, file, count, &columns, &rows, &sampling, &colours) == 0)
      width = Int(columns)
      pixels = [UInt8](repeating: 255, count: width * Int(rows) * 4)
      let format = Int32(TJPF_RGBA.rawValue)
      try #require(
        tjDecompress2(decoder, file, count, &pixels, columns, columns * 4, rows, format, 0) == 0)
    } else {
      var image = png_image()
      image.version = 1
      try #require(png_image_begin_read_from_memory(&image, file, file.count) != 0)
      image.format = 3
      width = Int(image.width)
      pixels = [UInt8](repeating: 0, count: width * Int(image.height) * 4)
      try #require(png_image_finish_read(&image, nil, &pixels, Int32(width * 4), nil) != 0)
    }
    let place = (y * width + x) * 4
    return Colour(
      red: Int(pixels[place]), green: Int(pixels[place + 1]), blue: Int(pixels[place + 2]),
      alpha: Int(pixels[place + 3]))
  }
}

extension [UInt8] {
  func contains(subsequence: [UInt8]) -> Bool {
    guard let first = subsequence.first else { return true }
    return indices.contains {
      self[$0] == first && self[$0...].starts(with: subsequence)
    }
  }
}
