import CPNG
import CPNGRows
import CWebP

/// Reads and writes PNG with the simple interface of libpng, because this interface returns errors.
/// The full interface would report errors with longjmp, which Swift does not support. `CPNGRows`, a
/// module in C, uses the full interface to read a PNG row by row.
enum PNG {
  private static let colour: UInt32 = 0x02
  private static let alpha: UInt32 = 0x01
  private static let blueFirst: UInt32 = 0x10

  static func decode(_ upload: [UInt8]) throws -> PixelBuffer {
    var image = png_image()
    image.version = 1
    defer { png_image_free(&image) }
    guard png_image_begin_read_from_memory(&image, upload, upload.count) != 0 else {
      throw DecodeRefusal.damaged(reason(image))
    }
    let (width, height) = (Int(image.width), Int(image.height))
    let hasAlpha = image.format & alpha != 0
    // The rows of an interlaced PNG are not in the order of the picture (ISO/IEC 15948, section
    // 8.1). Therefore the program can decode only a PNG without interlacing row by row, which needs
    // less memory. If the PNG is not interlaced, the last byte of the header is 0.
    if upload.count > 28, upload[28] == 0 {
      try Kind.check(width, height, pixels: Kind.largestScaled, side: Kind.largestScaledSide)
      return try rows(upload, width, height, hasAlpha: hasAlpha)
    }
    try Kind.check(width, height)
    image.format = colour | alpha | blueFirst
    // Decode directly into the memory of a libwebp picture, because libwebp then reduces this
    // picture.
    return try Scaling.withPicture(Int(image.width), Int(image.height)) { picture in
      guard WebPPictureAlloc(&picture) != 0 else {
        throw DecodeRefusal.decoderFailed("not enough memory for the picture")
      }
      let stride = picture.argb_stride * 4
      guard png_image_finish_read(&image, nil, picture.argb, stride, nil) != 0 else {
        throw DecodeRefusal.damaged(reason(image))
      }
      return try Scaling.shrunk(&picture, side: ImageDecoding.largestSide, hasAlpha: hasAlpha)
    }
  }

  /// Decodes a PNG row by row, and reduces it to the size of the stored picture.
  private static func rows(
    _ upload: [UInt8], _ width: Int, _ height: Int, hasAlpha: Bool
  ) throws -> PixelBuffer {
    let size = Scaling.fit(width, height, side: ImageDecoding.largestSide)
    var reason = [CChar](repeating: 0, count: PROMPTER_PNG_REASON)
    return try PixelBuffer.filled(width: size.width, height: size.height, hasAlpha: hasAlpha) {
      guard
        prompter_png_shrink(
          upload, upload.count, Int32(size.width), Int32(size.height), $0, &reason) == 0
      else {
        throw DecodeRefusal.damaged(
          String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
      }
    }
  }

  static func encode(_ canvas: PixelBuffer) throws -> [UInt8] {
    var image = png_image()
    image.version = 1
    (image.width, image.height) = (UInt32(canvas.width), UInt32(canvas.height))
    image.format = colour | alpha | blueFirst
    return try canvas.withBytes { source in
      // The function encodes the picture twice: the first call of `png_image_write_to_memory` only
      // returns the length of the file, and the second call returns the file.
      var count = 0
      guard png_image_write_to_memory(&image, nil, &count, 0, source, canvas.stride, nil) != 0
      else { throw DecodeRefusal.decoderFailed(reason(image)) }
      return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        guard
          png_image_write_to_memory(
            &image, buffer.baseAddress, &count, 0, source, canvas.stride, nil) != 0
        else { throw DecodeRefusal.decoderFailed(reason(image)) }
        filled = count
      }
    }
  }

  private static func reason(_ image: png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
