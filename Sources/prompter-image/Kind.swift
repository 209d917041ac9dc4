import CWebP

/// The format of an upload. The program detects the format from the content, because a file name or
/// a media type can be wrong.
enum Kind {
  case jpeg, png, webp

  /// The maximum number of pixels. Most phone cameras make pictures with fewer pixels. The decoder
  /// needs 200 MB of memory for a picture with this number of pixels.
  static let largestPixels = 50_000_000
  /// The maximum width and height in pixels, which is the limit of libwebp.
  static let largestSide = 16_383

  init(_ upload: [UInt8]) throws(DecodeRefusal) {
    if upload.isEmpty { throw .empty }
    if upload.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if upload.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if upload.starts(with: "RIFF".utf8), upload.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else {
      throw .notAPicture
    }
  }

  func decode(_ upload: [UInt8]) throws -> PixelBuffer {
    switch self {
    case .jpeg: try JPEG.decode(upload)
    case .png: try PNG.decode(upload)
    case .webp: try WebP.decode(upload)
    }
  }

  static func check(_ width: Int, _ height: Int) throws(DecodeRefusal) {
    guard width > 0, height > 0 else { throw .damaged("it has no pixels") }
    guard width <= largestSide, height <= largestSide, width * height <= largestPixels else {
      throw .tooManyPixels(width: width, height: height)
    }
  }
}

/// Reads WebP with libwebp. While libwebp decodes a picture, it can also make the picture smaller.
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
    try Kind.check(width, height)
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
