import SoundProcessing

/// Checks whether the last element of a Matroska or WebM file is complete (RFC 8794 and RFC 9559).
///
/// When a browser begins to write a segment or a cluster, the browser does not know the size of
/// this element yet. Therefore the browser writes the value that means "unknown size". The elements
/// inside the segment and the clusters then follow until the end of the file.
struct MatroskaEnd {
  private static let segment = 0x1853_8067
  private static let cluster = 0x1f43_b675

  private(set) var isCut = false

  init(_ bytes: [UInt8]) {
    var at = 0
    while at < bytes.count {
      guard let id = Self.number(bytes, at, keepsMarker: true) else {
        // Some programs fill the end of the file with zero bytes.
        isCut = bytes[at...].contains { $0 != 0 }
        return
      }
      guard let size = Self.number(bytes, at + id.length, keepsMarker: false) else {
        isCut = true
        return
      }
      let body = at + id.length + size.length
      // A segment and a cluster contain other elements. The size of a segment or a cluster can be
      // unknown, so the loop reads the contained elements one by one.
      if id.value == Self.segment || id.value == Self.cluster {
        if let known = size.value, body + known > bytes.count {
          isCut = true
          return
        }
        at = body
        continue
      }
      // Only a segment or a cluster can have an unknown size. If the size of another element is
      // unknown, the file is damaged, and this check cannot continue.
      guard let known = size.value else { return }
      if body + known > bytes.count {
        isCut = true
        return
      }
      at = body + known
    }
  }

  /// Reads a number of variable length.
  ///
  /// - Returns: the length of the number in bytes, and its value. If all bits of the value are 1,
  ///   the size is unknown, and the value is nil. If the bytes at `at` are not a number, the whole
  ///   result is nil.
  private static func number(
    _ bytes: [UInt8], _ at: Int, keepsMarker: Bool
  ) -> (length: Int, value: Int?)? {
    guard at < bytes.count else { return nil }
    let length = bytes[at].leadingZeroBitCount + 1
    guard length <= (keepsMarker ? 4 : 8), at + length <= bytes.count else { return nil }
    let marker = UInt8(1) << UInt8(8 - length)
    var value = Int(keepsMarker ? bytes[at] : bytes[at] & (marker - 1))
    var isUnknown = bytes[at] & (marker - 1) == marker - 1
    for index in 1..<max(1, length) {
      value = value << 8 | Int(bytes[at + index])
      isUnknown = isUnknown && bytes[at + index] == 0xff
    }
    if !keepsMarker, isUnknown { return (length, nil) }
    return (length, value)
  }
}
