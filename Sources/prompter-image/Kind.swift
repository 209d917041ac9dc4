import CWebP

/// The format of an upload. The program detects the format from the content, because a file name or
/// a media type can be wrong.
enum Kind {
  case jpeg, png, webp, heif

  /// The maximum number of pixels. The cameras of phones make pictures of up to 8,192 × 6,144
  /// pixels. For a picture with the maximum number of pixels, the decoder needs 210 MB of memory
  /// for a PNG and 300 MB for a rotated HEIC.
  static let largestPixels = 52_000_000
  /// The maximum width and the maximum height in pixels. libwebp has the same limit.
  static let largestSide = 16_383
  /// The maximum number of pixels of a picture that the program can reduce row by row during the
  /// decoding. The program can do this for three kinds of pictures: a JPEG that is not progressive,
  /// a PNG that is not interlaced, and a lossy WebP without transparency. For the largest such
  /// picture, the program needs less than 60 MB of memory and 5 s.
  static let largestScaled = 200_000_000
  /// The maximum width and the maximum height of a picture that the program can reduce row by row,
  /// in pixels. libjpeg does not accept a larger picture.
  static let largestScaledSide = 65_500

  init(_ upload: [UInt8]) throws(DecodeRefusal) {
    if upload.isEmpty { throw .empty }
    if upload.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if upload.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if upload.starts(with: "RIFF".utf8), upload.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if upload.dropFirst(4).starts(with: "ftyp".utf8) {
      guard Self.isPicture(upload) else { throw .video }
      self = .heif
    } else {
      throw .notAPicture
    }
  }

  /// Returns true if the brands of a file say that the file contains a picture (ISO/IEC 23008-12,
  /// annex B, and the AVIF specification). A file with other brands is a video or a recording.
  private static func isPicture(_ upload: [UInt8]) -> Bool {
    let size = upload.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let brands = upload.prefix(min(size, 256)).dropFirst(8)
    return stride(from: 0, to: brands.count - 3, by: 4).contains { place in
      pictureBrands.contains(String(decoding: brands.dropFirst(place).prefix(4), as: UTF8.self))
    }
  }

  private static let pictureBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis", "miaf",
  ]

  func decode(_ upload: [UInt8]) throws -> PixelBuffer {
    switch self {
    case .jpeg: try JPEG.decode(upload)
    case .png: try PNG.decode(upload)
    case .webp: try WebP.decode(upload)
    case .heif: try HEIF.decode(upload)
    }
  }

  /// Refuses a picture without pixels, and a picture that is too large for the decoder.
  static func check(
    _ width: Int, _ height: Int, pixels: Int = largestPixels, side: Int = largestSide
  ) throws(DecodeRefusal) {
    guard width > 0, height > 0 else { throw .damaged("it has no pixels") }
    guard width <= side, height <= side, width * height <= pixels else {
      throw .tooManyPixels(width: width, height: height, most: pixels, side: side)
    }
  }
}

/// Reads WebP with libwebp. libwebp can reduce the size of a picture while it decodes the picture.
enum WebP {
  static func decode(_ upload: [UInt8]) throws -> PixelBuffer {
    var config = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&config) != 0 else {
      throw DecodeRefusal.decoderFailed("the installed libwebp has an incompatible version")
    }
    guard WebPGetFeatures(upload, upload.count, &config.input) == VP8_STATUS_OK else {
      throw DecodeRefusal.damaged("its header cannot be read")
    }
    if config.input.has_animation != 0 { throw DecodeRefusal.animation }
    let (width, height) = (Int(config.input.width), Int(config.input.height))
    // If a WebP is lossless or has transparency, the decoder keeps all pixels in memory. Therefore
    // the maximum number of pixels is lower for such a picture.
    let isLossy = config.input.format == 1 && config.input.has_alpha == 0
    try Kind.check(
      width, height, pixels: isLossy ? Kind.largestScaled : Kind.largestPixels)
    let size = Scaling.fit(width, height, side: ImageDecoding.largestSide)
    config.options.use_scaling = 1
    config.options.scaled_width = Int32(size.width)
    config.options.scaled_height = Int32(size.height)
    config.output.colorspace = MODE_BGRA
    config.output.is_external_memory = 1
    let hasAlpha = config.input.has_alpha != 0
    return try PixelBuffer.filled(width: size.width, height: size.height, hasAlpha: hasAlpha) {
      bytes in
      config.output.u.RGBA.rgba = bytes
      config.output.u.RGBA.stride = Int32(size.width * 4)
      config.output.u.RGBA.size = size.width * size.height * 4
      guard WebPDecode(upload, upload.count, &config) == VP8_STATUS_OK else {
        throw DecodeRefusal.damaged("it cannot be decoded")
      }
    }
  }
}
