import SoundProcessing

/// Whether the last element of a Matroska or WebM file is complete (RFC 8794 and RFC 9559).
///
/// When a browser begins to write the segment or a cluster, it does not know the size of this
/// element. Therefore it writes that the size is unknown. The elements inside the segment and the
/// clusters follow until the end of the file.
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
      // These two elements contain other elements. The loop reads the contained elements one by
      // one, because the size of these two elements can be unknown.
      if id.value == Self.segment || id.value == Self.cluster {
        if let known = size.value, body + known > bytes.count {
          isCut = true
          return
        }
        at = body
        continue
      }
      // Only the segment and the clusters can have an unknown size. If another element has one, the
      // file is damaged, and this check cannot continue.
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
  /// - Returns: the length of the number in bytes, and the value. The value is nil if all bits of
  ///   the value are 1: then the size is unknown. The result is nil if the bytes at `at` are not a
  ///   number.
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
