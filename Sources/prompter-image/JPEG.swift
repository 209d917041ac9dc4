import CTurboJPEG

/// Reads and writes JPEG with libjpeg-turbo. libjpeg-turbo can reduce the size of a picture while
/// it decodes the picture.
enum JPEG {
  /// The quality of a stored picture, from 1 to 100. With the quality 85, a person can recognise a
  /// face or a pill box.
  ///
  /// With the quality 95, the file would be five times as large.
  private static let quality: Int32 = 85

  /// Returns true if a JPEG has several scans (ITU-T T.81). For such a JPEG, the decoder keeps all
  /// pixels in memory.
  ///
  /// The function reads the marker segments up to the frame header. If the file contains no frame
  /// header, the decoder refuses the file later.
  private static func isProgressive(_ upload: [UInt8]) -> Bool {
    var place = 2
    while place + 4 <= upload.count, upload[place] == 0xFF {
      let marker = upload[place + 1]
      if marker == 0xFF {
        place += 1
        continue
      }
      switch marker {
      case 0xC0, 0xC1: return false
      case 0xC2...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC: return true
      default: place += 2 + Int(upload[place + 2]) << 8 + Int(upload[place + 3])
      }
    }
    return true
  }

  static func decode(_ upload: [UInt8]) throws -> PixelBuffer {
    guard let decoder = tjInitDecompress() else {
      throw DecodeRefusal.decoderFailed("not enough memory for the decoder")
    }
    defer { tjDestroy(decoder) }
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var colours: Int32 = 0
    let code = tjDecompressHeader3(
      decoder, upload, UInt(upload.count), &width, &height, &sampling, &colours)
    guard code == 0 else { throw damaged(decoder) }
    try isProgressive(upload)
      ? Kind.check(Int(width), Int(height))
      : Kind.check(
        Int(width), Int(height), pixels: Kind.largestScaled, side: Kind.largestScaledSide)
    if colours == Int32(TJCS_CMYK.rawValue) || colours == Int32(TJCS_YCCK.rawValue) {
      throw DecodeRefusal.damaged("its colours are for printing (CMYK); save it in RGB")
    }
    // A JPEG consists of blocks of 8 × 8 pixels. Therefore the decoder can reduce a picture only to
    // 1/8, 2/8, … 8/8 of its size.
    let side = max(Int(width), Int(height))
    let eighths = (1...8).last { (side * $0 + 7) / 8 <= ImageDecoding.largestSide } ?? 1
    let (columns, rows) = ((Int(width) * eighths + 7) / 8, (Int(height) * eighths + 7) / 8)
    let picture = try PixelBuffer.filled(width: columns, height: rows, hasAlpha: false) { bytes in
      let code = tjDecompress2(
        decoder, upload, UInt(upload.count), bytes, Int32(columns), Int32(columns * 4),
        Int32(rows), Int32(TJPF_BGRX.rawValue), Int32(TJFLAG_LIMITSCANS))
      // `code` is also different from 0 if the library only warns, for example about extra bytes
      // between two JPEG markers. Extra bytes are common and harmless, so the code ignores
      // warnings. There is one exception: the warning "premature end" means that the end of the
      // file is missing, and the code refuses the file.
      let isFatal = code != 0 && tjGetErrorCode(decoder) == Int32(TJERR_FATAL.rawValue)
      if isFatal || code != 0 && reason(decoder).contains("remature end") {
        throw damaged(decoder)
      }
    }
    // The decoder can reduce a side to 1/8 at most. If a side has more than 16,384 pixels, 1/8 of
    // this side is still larger than `largestSide`, so the program reduces the picture again.
    return try Scaling.fitted(picture, side: ImageDecoding.largestSide)
  }

  static func encode(_ canvas: PixelBuffer) throws -> [UInt8] {
    guard let encoder = tjInitCompress() else {
      throw DecodeRefusal.decoderFailed("not enough memory for the encoder")
    }
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let code = try canvas.withBytes { source in
      tjCompress2(
        encoder, source, Int32(canvas.width), canvas.stride, Int32(canvas.height),
        Int32(TJPF_BGRX.rawValue), &bytes, &count, Int32(TJSAMP_420.rawValue), quality, 0)
    }
    guard code == 0, let bytes else { throw DecodeRefusal.decoderFailed(reason(encoder)) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func reason(_ handle: tjhandle) -> String {
    tjGetErrorStr2(handle).map { String(cString: $0) } ?? "it cannot be decoded"
  }

  private static func damaged(_ handle: tjhandle) -> DecodeRefusal { .damaged(reason(handle)) }
}
