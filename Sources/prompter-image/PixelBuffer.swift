import CWebP

/// Pixels in memory, row by row from the top left. Each pixel consists of four bytes: blue, green,
/// red and alpha.
struct PixelBuffer {
  var width: Int
  var height: Int
  /// The pixels row by row; the number of elements is `width * height`. The lowest byte of each
  /// element is blue.
  var pixels: [UInt32]
  var hasAlpha: Bool

  /// The length of one row of pixels, in bytes.
  var stride: Int32 { Int32(width * 4) }

  /// Makes a buffer, and calls a decoder that fills the buffer.
  static func filled(
    width: Int, height: Int, hasAlpha: Bool, by fill: (UnsafeMutablePointer<UInt8>) throws -> Void
  ) throws -> PixelBuffer {
    let pixels = try [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard let start = buffer.baseAddress else { throw DecodeRefusal.empty }
      buffer.initialize(repeating: 0)
      try start.withMemoryRebound(to: UInt8.self, capacity: width * height * 4) { try fill($0) }
      count = width * height
    }
    return PixelBuffer(width: width, height: height, pixels: pixels, hasAlpha: hasAlpha)
  }

  func withBytes<Result>(_ body: (UnsafePointer<UInt8>) throws -> Result) throws -> Result {
    try pixels.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { throw DecodeRefusal.empty }
      return try body(start.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// Returns the same picture in its upright orientation.
  func turned(_ orientation: Orientation) -> PixelBuffer {
    if orientation == .upright { return self }
    let isSideways = orientation.swapsSides
    var turned = self
    (turned.width, turned.height) = isSideways ? (height, width) : (width, height)
    turned.pixels.withUnsafeMutableBufferPointer { target in
      pixels.withUnsafeBufferPointer { source in
        var place = 0
        for y in 0..<turned.height {
          for x in 0..<turned.width {
            let from = orientation.source(x, y, width, height)
            target[place] = source[from.y * width + from.x]
            place += 1
          }
        }
      }
    }
    return turned
  }
}

/// Reduces pictures with the scaler of libwebp.
enum Scaling {
  /// Returns the largest size that has the proportions of `width` × `height` and fits into a square
  /// with sides of `side` pixels. The result is at least 1 × 1 pixel, and at most `width` ×
  /// `height`.
  static func fit(_ width: Int, _ height: Int, side: Int) -> (width: Int, height: Int) {
    let longest = max(width, height)
    if longest <= side { return (width, height) }
    return (max(1, width * side / longest), max(1, height * side / longest))
  }

  /// Returns a small copy of the picture on a white background, without transparency. The copy fits
  /// into a square with sides of `side` pixels.
  static func thumbnail(of canvas: PixelBuffer, side: Int) throws -> PixelBuffer {
    try withPicture(canvas.width, canvas.height) { picture in
      let isImported = try canvas.withBytes {
        WebPPictureImportBGRA(&picture, $0, canvas.stride) != 0
      }
      guard isImported else {
        throw DecodeRefusal.decoderFailed("not enough memory for the picture")
      }
      WebPBlendAlpha(&picture, 0xFF_FFFF)
      return try shrunk(&picture, side: side, hasAlpha: false)
    }
  }

  /// Reduces a picture without transparency, so that it fits into a square with sides of `side`
  /// pixels.
  static func fitted(_ canvas: PixelBuffer, side: Int) throws -> PixelBuffer {
    if max(canvas.width, canvas.height) <= side { return canvas }
    return try withPicture(canvas.width, canvas.height) { picture in
      let isImported = try canvas.withBytes {
        WebPPictureImportBGRX(&picture, $0, canvas.stride) != 0
      }
      guard isImported else {
        throw DecodeRefusal.decoderFailed("not enough memory for the picture")
      }
      return try shrunk(&picture, side: side, hasAlpha: false)
    }
  }

  /// Calls `body` with a libwebp picture, and frees the memory of the picture afterwards.
  static func withPicture(
    _ width: Int, _ height: Int, _ body: (inout WebPPicture) throws -> PixelBuffer
  ) throws -> PixelBuffer {
    var picture = WebPPicture()
    guard WebPPictureInit(&picture) != 0 else {
      throw DecodeRefusal.decoderFailed("the installed libwebp has an incompatible version")
    }
    defer { WebPPictureFree(&picture) }
    picture.use_argb = 1
    (picture.width, picture.height) = (Int32(width), Int32(height))
    return try body(&picture)
  }

  /// Reduces a libwebp picture to fit into a square, and returns its pixels.
  static func shrunk(
    _ picture: inout WebPPicture, side: Int, hasAlpha: Bool
  ) throws -> PixelBuffer {
    let size = fit(Int(picture.width), Int(picture.height), side: side)
    if size.width != Int(picture.width) || size.height != Int(picture.height) {
      guard WebPPictureRescale(&picture, Int32(size.width), Int32(size.height)) != 0 else {
        throw DecodeRefusal.decoderFailed("not enough memory to scale the picture down")
      }
    }
    guard let rows = picture.argb else { throw DecodeRefusal.empty }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
      pixels += UnsafeBufferPointer(
        start: rows + y * Int(picture.argb_stride), count: size.width)
    }
    return PixelBuffer(width: size.width, height: size.height, pixels: pixels, hasAlpha: hasAlpha)
  }
}
