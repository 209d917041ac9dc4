import SoundProcessing

/// Checks whether the end of an upload is missing. The check uses the sizes and the structure of
/// the container.
///
/// The libraries of FFmpeg decode the existing part of an incomplete file without an error. A
/// caretaker would notice the missing part only when the alarm rings.
struct FileEnd {
  private static let largestSize = 0x2000_0000

  /// The number of bytes in the upload, divided by the number of bytes in the complete file: 0 … 1.
  /// The value is nil if the file does not contain its complete size.
  private(set) var share: Double?
  /// True if the last part of the file is incomplete.
  private(set) var isCut = false
  /// True if an MP4 file has no box `moov`. This box lists the positions of all parts of the sound.
  private(set) var lacksIndex = false

  init(of bytes: [UInt8], _ container: SoundContainer) {
    switch container {
    case .m4a, .mp4, .quickTime, .threeGP: readBoxes(bytes)
    case .webm, .matroska: isCut = MatroskaEnd(bytes).isCut
    case .caf: readCAF(bytes)
    case .asf: readASF(bytes)
    case .wave64: declare(bytes.longNumber(16), of: bytes.count)
    case .aiff: declare(bytes.number(4, 4, isBigEndian: true).map { $0 + 8 }, of: bytes.count)
    case .au: readAU(bytes)
    case .ogg: isCut = !OggFile(bytes, from: 0).isComplete
    case .codedWAV: share = WAVLayout(bytes, from: 0)?.presentShare
    // A file in these formats does not contain the size of the whole sound. Therefore this check
    // cannot find out whether the end of the file is missing.
    case .adts, .amr: break
    }
  }

  /// Refuses the file if its end is missing.
  ///
  /// - Parameter seconds: the length of the decoded sound in seconds; nil if the program decoded
  ///   nothing.
  func refuse(seconds: Double?) throws(SoundRefusal) {
    if let share { try SoundRefusal.refuseIncomplete(share: share) }
    if lacksIndex {
      throw .decoderFailed(
        "the file is incomplete: the list of its parts is missing, so its sound cannot be read; "
          + "end the recording before you send the file")
    }
    if isCut { throw .incomplete(seconds: seconds ?? 0) }
  }

  private mutating func declare(_ declared: Int?, of present: Int) {
    guard let declared, declared > 0 else { return }
    share = min(1, Double(present) / Double(declared))
  }

  // MARK: MP4 (ISO/IEC 14496-12)

  private mutating func readBoxes(_ bytes: [UInt8]) {
    var at = 0
    var hasIndex = false
    var hasFragments = false
    while at + 8 <= bytes.count {
      var size = bytes.number(at, 4, isBigEndian: true) ?? 0
      if size == 1 { size = bytes.longNumber(at + 8, isBigEndian: true) ?? 0 }
      let isMedia = bytes.hasTag("mdat", at: at + 4)
      let isIndex = bytes.hasTag("moov", at: at + 4)
      let isFragment = bytes.hasTag("moof", at: at + 4)
      hasFragments = hasFragments || isFragment
      if size >= 8, at + size > bytes.count {
        // Other boxes contain no sound.
        isCut = isMedia || isIndex || isFragment
        // Some recorders write a wrong large size while they record, and correct the size at the
        // end of the recording. In a file with fragments, the last fragment is only a small part of
        // the sound, so the size of this fragment does not show how much of the sound is missing.
        if isMedia, size < Self.largestSize, !hasFragments {
          share = Double(bytes.count - at) / Double(size)
        }
        break
      }
      hasIndex = hasIndex || isIndex
      // If the size of a box is 0, the box ends at the end of the file. Otherwise, the size
      // includes the header of 8 bytes, so a size from 1 to 7 is not valid.
      if size < 8 { break }
      at += size
    }
    lacksIndex = !hasIndex
  }

  // MARK: Other containers

  /// Reads an Apple Core Audio Format file. The file consists of chunks. The size of a chunk is a
  /// number of 8 bytes. The size −1 means that the chunk continues to the end of the file.
  private mutating func readCAF(_ bytes: [UInt8]) {
    var at = 8
    while at + 12 <= bytes.count {
      let isData = bytes.hasTag("data", at: at)
      guard let size = bytes.longNumber(at + 4, isBigEndian: true) else { return }
      if at + 12 + size > bytes.count {
        isCut = true
        if isData { share = Double(bytes.count - at - 12) / Double(size) }
        return
      }
      at += 12 + size
    }
  }

  /// Reads an Advanced Systems Format file. The object "file properties" contains the size of the
  /// file. If the flag `broadcast` is set, this size is not valid.
  private mutating func readASF(_ bytes: [UInt8]) {
    let properties: [UInt8] = [
      0xa1, 0xdc, 0xab, 0x8c, 0x47, 0xa9, 0xcf, 0x11, 0x8e, 0xe4, 0x00, 0xc0, 0x0c, 0x20, 0x53,
      0x65,
    ]
    var at = 30
    while at + 24 <= bytes.count {
      guard let size = bytes.longNumber(at + 16), size >= 24 else { return }
      if bytes[at...].starts(with: properties) {
        let isBroadcast = (bytes.number(at + 88, 4) ?? 1) & 1 == 1
        if !isBroadcast { declare(bytes.longNumber(at + 40), of: bytes.count) }
        return
      }
      at += size
    }
  }

  /// Reads a Sun AU file. The header contains the size of the samples in bytes. The value
  /// 0xFFFFFFFF means that the size was unknown when the header was written.
  private mutating func readAU(_ bytes: [UInt8]) {
    guard let header = bytes.number(4, 4, isBigEndian: true),
      let size = bytes.number(8, 4, isBigEndian: true), size != 0xffff_ffff
    else { return }
    declare(header + size, of: bytes.count)
  }
}
