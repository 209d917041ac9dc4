import CHEIF

/// Reads HEIC, HEIF and AVIF with libheif.
///
/// libheif joins the tiles of a phone's picture. libheif also rotates, mirrors and crops the
/// picture, as the properties of the file require. According to ISO/IEC 23008-12, these properties
/// already contain the rotation, so the EXIF orientation must have no effect. libheif decodes only
/// the primary picture, and not a depth map or a thumbnail.
enum HEIF {
  static func decode(_ upload: [UInt8]) throws -> PixelBuffer {
    guard let context = heif_context_alloc() else {
      throw DecodeRefusal.decoderFailed("not enough memory for the decoder")
    }
    defer { heif_context_free(context) }
    // The sandbox does not permit libheif to start threads.
    heif_context_set_max_decoding_threads(context, 0)
    return try upload.withUnsafeBytes { bytes in
      // libheif reads `bytes` until the context is freed.
      try check(
        heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil),
        upload)
      var handle: OpaquePointer?
      try check(heif_context_get_primary_image_handle(context, &handle), upload)
      guard let handle else { throw DecodeRefusal.damaged("it has no primary picture") }
      defer { heif_image_handle_release(handle) }
      return try pixels(handle, upload)
    }
  }

  private static func pixels(_ handle: OpaquePointer, _ upload: [UInt8]) throws -> PixelBuffer {
    // If a sample has more than 8 bits, the decoder stores the sample in two bytes. Therefore the
    // maximum number of pixels is half as large for such a picture.
    let isDeep = heif_image_handle_get_luma_bits_per_pixel(handle) > 8
    try Kind.check(
      Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)),
      pixels: isDeep ? Kind.largestPixels / 2 : Kind.largestPixels)
    guard let options = heif_decoding_options_alloc() else {
      throw DecodeRefusal.decoderFailed("not enough memory for the decoder")
    }
    defer { heif_decoding_options_free(options) }
    // With strict decoding, libheif refuses an incomplete picture. Without strict decoding, libheif
    // would fill the missing part of the picture with grey.
    options.pointee.strict_decoding = 1
    var picture: OpaquePointer?
    let isAV1 = !Self.contains("hvc1", upload) && Self.contains("av01", upload)
    let code = "aom".withCString { aom in
      // Use the decoder aom for AV1. The alternative decoder, dav1d, starts threads, but the
      // sandbox forbids new threads.
      options.pointee.decoder_id = isAV1 ? aom : nil
      return heif_decode_image(
        handle, &picture, heif_colorspace_undefined, heif_chroma_undefined, options)
    }
    try check(code, upload)
    guard let picture else { throw DecodeRefusal.damaged("it has no pixels") }
    defer { heif_image_release(picture) }
    let (width, height) = (
      Int(heif_image_get_primary_width(picture)), Int(heif_image_get_primary_height(picture))
    )
    try Kind.check(width, height)
    let size = Scaling.fit(width, height, side: ImageDecoding.largestSide)
    let hasAlpha = heif_image_has_channel(picture, heif_channel_Alpha) != 0
    return try PixelBuffer.filled(width: size.width, height: size.height, hasAlpha: hasAlpha) {
      guard prompter_heif_shrink(picture, Int32(size.width), Int32(size.height), $0) == 0 else {
        throw DecodeRefusal.unsupported("its colours have an unknown form")
      }
    }
  }

  /// Returns true if the metadata at the start of the file contain a name.
  private static func contains(_ name: String, _ upload: [UInt8]) -> Bool {
    let (name, start) = (Array(name.utf8), upload.prefix(1 << 16))
    return start.indices.contains { start[$0] == name[0] && start[$0...].starts(with: name) }
  }

  private static func check(_ error: heif_error, _ upload: [UInt8]) throws(DecodeRefusal) {
    switch error.code {
    case heif_error_Ok: return
    case heif_error_Memory_allocation_error: throw .tooMuchMemory
    case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
      throw .unsupported(words(error))
    default:
      // A file with a sequence of pictures has a box `moov`. If the file contains only the
      // sequence, the file has no box `meta` (ISO/IEC 23008-12, section 7). Because the box `pitm`
      // is inside the box `meta`, the file then has no box `pitm` either.
      if contains("moov", upload), !contains("pitm", upload) { throw .animation }
      throw .damaged(words(error))
    }
  }

  private static func words(_ error: heif_error) -> String {
    error.message.map { String(cString: $0) } ?? "it cannot be decoded"
  }
}
