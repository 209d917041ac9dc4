import CEXIF
import CWebP

/// The orientation that the camera stored in the picture. The raw values are the values of the EXIF
/// tag 0x0112 (JEITA CP-3451, section 4.6.4).
enum Orientation: UInt16 {
  case upright = 1
  case mirrored = 2
  case upsideDown = 3
  case mirroredUpsideDown = 4
  case transposed = 5
  case quarterLeft = 6
  case transversed = 7
  case quarterRight = 8

  var swapsSides: Bool { rawValue >= 5 }

  /// Returns the coordinates of a pixel in the stored picture. The arguments `x` and `y` are the
  /// coordinates of the same pixel in the upright picture.
  ///
  /// - Parameters:
  ///   - width: the width of the stored picture, in pixels.
  ///   - height: the height of the stored picture, in pixels.
  func source(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (x: Int, y: Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .upsideDown: (width - 1 - x, height - 1 - y)
    case .mirroredUpsideDown: (x, height - 1 - y)
    case .transposed: (y, x)
    case .quarterLeft: (y, height - 1 - x)
    case .transversed: (width - 1 - y, height - 1 - x)
    case .quarterRight: (width - 1 - y, x)
    }
  }

  /// Reads the orientation from the EXIF data of a file. The result is `upright` if the file
  /// contains no orientation, or if the function cannot read the orientation.
  static func of(_ upload: [UInt8], _ kind: Kind) -> Orientation {
    // In a JPEG, libexif finds the EXIF block itself. For other formats, this code finds the EXIF
    // block and adds the mark `Exif` before it, because libexif needs this mark.
    let mark = Array("Exif\0\0".utf8)
    switch kind {
    case .jpeg: return read(upload)
    // libheif has already rotated the picture.
    case .heif: return .upright
    case .webp: return chunk(ofWebP: upload).map { read(mark + $0) } ?? .upright
    case .png: return chunk(ofPNG: upload).map { read(mark + $0) } ?? .upright
    }
  }

  private static func read(_ bytes: [UInt8]) -> Orientation {
    guard let data = exif_data_new_from_data(bytes, UInt32(bytes.count)) else { return .upright }
    defer { exif_data_unref(data) }
    guard let entry = exif_content_get_entry(data.pointee.ifd.0, EXIF_TAG_ORIENTATION),
      entry.pointee.format == EXIF_FORMAT_SHORT, entry.pointee.size >= 2
    else { return .upright }
    let value = exif_get_short(entry.pointee.data, exif_data_get_byte_order(data))
    return Orientation(rawValue: value) ?? .upright
  }

  private static func chunk(ofWebP upload: [UInt8]) -> [UInt8]? {
    upload.withUnsafeBufferPointer { buffer in
      var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
      guard let demuxer = WebPDemux(&data) else { return nil }
      defer { WebPDemuxDelete(demuxer) }
      var iterator = WebPChunkIterator()
      defer { WebPDemuxReleaseChunkIterator(&iterator) }
      guard WebPDemuxGetChunk(demuxer, "EXIF", 1, &iterator) != 0 else { return nil }
      return Array(
        UnsafeBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
    }
  }

  /// Finds the EXIF chunk of a PNG. The simple interface of libpng does not return this chunk.
  ///
  /// A chunk consists of the length of the data, a name, the data, and a checksum.
  private static func chunk(ofPNG upload: [UInt8]) -> [UInt8]? {
    var place = 8
    while place + 12 <= upload.count {
      let length = upload[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
      let start = place + 8
      guard length <= upload.count - start - 4 else { return nil }
      if upload[(place + 4)..<start].elementsEqual("eXIf".utf8) {
        return Array(upload[start..<(start + length)])
      }
      place = start + length + 4
    }
    return nil
  }
}
