/// The format, the width and the height of a picture. The daemon reads these values from the file,
/// and compares them with the report of the decoder.
///
/// If a malicious file takes control of the decoder, the decoder can report anything. Therefore the
/// daemon checks the whole structure of the decoded file: the file must contain one picture, no
/// metadata, and nothing after the end of the picture. The daemon cannot check the pixels, because
/// only the decoder knows the original picture.
struct ImageHeader: Equatable {
  enum Kind: String {
    case jpeg = "image/jpeg"
    case png = "image/png"
  }

  var kind: Kind
  var width: Int
  var height: Int

  /// Reads a file that the encoders of prompter-image could have written; nil for every other file.
  init?(_ bytes: ArraySlice<UInt8>) {
    if bytes.starts(with: Self.pngSignature) {
      self.init(png: Cursor(bytes: bytes.dropFirst(Self.pngSignature.count)))
    } else {
      self.init(jpeg: Cursor(bytes: bytes))
    }
  }

  /// Makes a header from the values in the decoder's report. The result is nil if prompter-image
  /// never writes files of this media type.
  init?(_ mediaType: String, _ width: Int, _ height: Int) {
    guard let kind = Kind(rawValue: mediaType) else { return nil }
    self.init(kind: kind, width: width, height: height)
  }

  /// Returns true if the width and the height are from 1 to `side` pixels.
  func fits(_ side: Int) -> Bool { (1...side).contains(width) && (1...side).contains(height) }

  private init(kind: Kind, width: Int, height: Int) {
    (self.kind, self.width, self.height) = (kind, width, height)
  }

  /// Reads numbers from a list of bytes, one after another. If the list has too few bytes left, a
  /// read returns nil.
  private struct Cursor {
    var bytes: ArraySlice<UInt8>

    mutating func number(_ width: Int) -> Int? {
      guard bytes.count >= width else { return nil }
      defer { bytes = bytes.dropFirst(width) }
      return bytes.prefix(width).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, bytes.count >= count else { return nil }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }
  }

  // MARK: PNG (ISO/IEC 15948)

  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The names of the chunks that libpng writes for a picture without metadata.
  private static let pngChunks: Set<String> = [
    "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "IDAT", "IEND",
  ]

  private init?(png cursor: Cursor) {
    var cursor = cursor
    guard cursor.number(4) == 13, cursor.take(4).map(Self.text) == "IHDR",
      let width = cursor.number(4), let height = cursor.number(4), cursor.take(5 + 4) != nil
    else { return nil }
    var hasPixels = false
    while let length = cursor.number(4), let name = cursor.take(4).map(Self.text) {
      guard Self.pngChunks.contains(name), cursor.take(length) != nil, cursor.take(4) != nil else {
        return nil
      }
      if name == "IDAT" { hasPixels = true }
      guard name == "IEND" else { continue }
      guard hasPixels, cursor.bytes.isEmpty else { return nil }
      self.init(kind: .png, width: width, height: height)
      return
    }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  // MARK: JPEG (ITU-T T.81, annex B)

  private init?(jpeg cursor: Cursor) {
    var cursor = cursor
    guard cursor.number(2) == 0xffd8 else { return nil }
    var size: (width: Int, height: Int)?
    while let marker = cursor.number(2) {
      guard let length = cursor.number(2), let segment = cursor.take(length - 2) else { return nil }
      switch marker {
      // The markers of segments that the check ignores: JFIF data, tables, and the restart
      // interval.
      case 0xffe0, 0xffdb, 0xffc4, 0xffdd: continue
      case 0xffc0, 0xffc2:  // Baseline and progressive frames.
        var frame = Cursor(bytes: segment)
        guard size == nil, frame.number(1) == 8, let height = frame.number(2),
          let width = frame.number(2)
        else { return nil }
        size = (width, height)
      case 0xffda:  // The compressed pixels begin after this marker.
        guard let size, Self.endsAfterScans(&cursor) else { return nil }
        self.init(kind: .jpeg, width: size.width, height: size.height)
        return
      default: return nil
      }
    }
    return nil
  }

  /// Skips the compressed pixels of all scans, and the tables between the scans, up to the end of
  /// the image. A scan is one section of compressed pixels.
  ///
  /// - Returns: true if no bytes follow the end of the image.
  private static func endsAfterScans(_ cursor: inout Cursor) -> Bool {
    while let at = cursor.bytes.firstIndex(of: 0xff) {
      cursor.bytes = cursor.bytes[(at + 1)...]
      guard let marker = cursor.bytes.first else { return false }
      // JPEG allows fill bytes (0xFF) before a marker.
      if marker == 0xff { continue }
      cursor.bytes = cursor.bytes.dropFirst()
      switch marker {
      case 0x00, 0xd0...0xd7: continue
      case 0xd9: return cursor.bytes.isEmpty
      case 0xc4, 0xda, 0xdb, 0xdd:
        guard let length = cursor.number(2), cursor.take(length - 2) != nil else { return false }
      default: return false
      }
    }
    return false
  }
}
