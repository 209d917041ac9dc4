/// The format of an upload. Prompter finds the format in the bytes of the upload, and ignores the
/// name of the file.
package enum UploadFormat: Equatable {
  /// Formats that `prompter-sound` reads with libsndfile.
  case wav, flac, ogg, mp3
  /// A format that `prompter-formats` reads.
  case container(SoundContainer)

  /// The format, and the index of the first byte of the sound. Zero bytes and ID3 tags can precede
  /// the sound.
  package struct Finding: Equatable {
    package var format: UploadFormat
    package var start: Int
  }

  /// Finds the format of an upload. The result is nil if Prompter cannot read the upload.
  package static func find(in upload: [UInt8]) -> Finding? {
    let start = endOfPrefix(upload)
    if let format = identify(upload, start) { return Finding(format: format, start: start) }
    // Some programs write a wrong length of the ID3 tag, or other bytes before the first frame.
    // Therefore, search the next bytes for a sequence of five frames.
    let tagged = upload.hasTag("ID3")
    let searched = tagged ? upload.count : min(upload.count, 131_072)
    for at in min(start, 10)..<max(searched, 10) where at + 4 <= upload.count && upload[at] == 0xff
    {
      if MPEGFrame.isChain(in: upload, from: at, atLeast: 5, mayEnd: false) {
        return Finding(format: .mp3, start: at)
      }
      if ADTSFrame.isChain(in: upload, from: at, atLeast: 5, mayEnd: false) {
        return Finding(format: .container(.adts), start: at)
      }
    }
    return tagged ? Finding(format: .mp3, start: 0) : nil
  }

  /// Returns the index of the first byte after the zero bytes and ID3v2 tags at the beginning of
  /// the file. If the file contains nothing else, the result is 0.
  private static func endOfPrefix(_ upload: [UInt8]) -> Int {
    var at = 0
    while at < upload.count {
      if upload[at] == 0 {
        // The first four bytes of an MP4 file are the size of its first box, usually 0, 0, 0, x.
        if SoundContainer.isMP4(upload, at) { return at }
        at += 1
      } else if upload.hasTag("ID3", at: at), at + 10 <= upload.count {
        let size = (6..<10).reduce(0) { $0 << 7 | Int(upload[at + $1] & 0x7f) }
        let footer = upload[at + 5] & 0x10 == 0 ? 0 : 10
        let end = at + 10 + size + footer
        if end > upload.count { return at }
        at = end
      } else {
        return at
      }
    }
    return 0
  }

  private static func identify(_ upload: [UInt8], _ at: Int) -> UploadFormat? {
    func has(_ tag: String, _ offset: Int = 0) -> Bool { upload.hasTag(tag, at: at + offset) }
    if (has("RIFF") || has("RF64") || has("BW64")) && has("WAVE", 8) {
      let coding = WAVLayout(upload, from: at)?.coding
      return coding.map(WAVLayout.knownCodings.contains) == false ? .container(.codedWAV) : .wav
    }
    if has("fLaC") { return .flac }
    if has("OggS") { return OggFile(upload, from: at).isVorbisOrOpus ? .ogg : .container(.ogg) }
    if let container = SoundContainer(upload, at) { return .container(container) }
    if ADTSFrame.isChain(in: upload, from: at, atLeast: 3, mayEnd: true) {
      return .container(.adts)
    }
    return MPEGFrame.isChain(in: upload, from: at, atLeast: 3, mayEnd: true) ? .mp3 : nil
  }
}

/// A file format that needs the libraries of FFmpeg.
package enum SoundContainer: Equatable, CaseIterable {
  case m4a, mp4, quickTime, threeGP, adts, amr, webm, matroska, caf, asf, wave64, aiff, au
  /// An Ogg file that contains a video, or whose coding is not Vorbis or Opus. An example is Speex.
  case ogg
  /// A WAV file with a coding that libsndfile does not read, for example MP3.
  case codedWAV

  /// The name of the format in texts for people.
  package var name: String {
    switch self {
    case .m4a: "M4A"
    case .mp4: "MP4"
    case .quickTime: "QuickTime"
    case .threeGP: "3GP"
    case .adts: "AAC"
    case .amr: "AMR"
    case .webm: "WebM"
    case .matroska: "Matroska"
    case .caf: "CAF"
    case .asf: "WMA"
    case .wave64: "Wave64"
    case .aiff: "AIFF"
    case .au: "AU"
    case .ogg: "Ogg"
    case .codedWAV: "WAV"
    }
  }

  /// The name with its article, for example "an M4A file".
  package var phrase: String {
    let isVowel =
      switch self {
      case .m4a, .mp4, .adts, .amr, .aiff, .au, .ogg: true
      default: false
      }
    let special = self == .ogg || self == .codedWAV ? " with an unusual coding" : ""
    return "\(isVowel ? "an" : "a") \(name) file\(special)"
  }

  init?(_ upload: [UInt8], _ at: Int) {
    func has(_ tag: String, _ offset: Int = 0) -> Bool { upload.hasTag(tag, at: at + offset) }
    func has(_ bytes: [UInt8]) -> Bool { upload.dropFirst(at).starts(with: bytes) }
    if has("ftyp", 4) {
      // Some pictures, for example HEIC, begin with `ftyp` in the same way as MP4 files. A picture
      // is not a sound.
      if Self.pictures.contains(where: { has($0, 8) }) { return nil }
      self =
        has("M4A ", 8) || has("M4B ", 8)
        ? .m4a : has("3g", 8) ? .threeGP : has("qt  ", 8) ? .quickTime : .mp4
    } else if Self.isMP4(upload, at) {
      self = .quickTime
    } else if has([0x1a, 0x45, 0xdf, 0xa3]) {
      let head = upload.dropFirst(at).prefix(64)
      let isWebM = head.indices.contains { upload.hasTag("webm", at: $0) }
      self = isWebM ? .webm : .matroska
    } else if has("#!AMR") {
      self = .amr
    } else if has("caff") {
      self = .caf
    } else if has([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]) {
      self = .asf
    } else if has([0x72, 0x69, 0x66, 0x66, 0x2e, 0x91, 0xcf, 0x11]) {
      self = .wave64
    } else if has("FORM"), has("AIFF", 8) || has("AIFC", 8) {
      self = .aiff
    } else if has(".snd") {
      self = .au
    } else {
      return nil
    }
  }

  private static let pictures = ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif"]

  /// Returns true if a box of an MP4 or QuickTime file begins here. Old QuickTime files contain no
  /// box `ftyp`, so the function also accepts the other boxes with which such a file can begin.
  static func isMP4(_ upload: [UInt8], _ at: Int) -> Bool {
    ["ftyp", "moov", "mdat", "wide", "pnot", "moof", "styp"].contains {
      upload.hasTag($0, at: at + 4)
    }
  }
}

extension [UInt8] {
  /// Returns true if the ASCII text `tag` begins at the index `place` of these bytes.
  package func hasTag(_ tag: String, at place: Int = 0) -> Bool {
    place >= 0 && place + tag.utf8.count <= count
      && self[place..<place + tag.utf8.count].elementsEqual(tag.utf8)
  }

  /// Reads an unsigned number of `width` bytes (at most 7) at the index `place`; nil if the array
  /// ends before the last of these bytes.
  package func number(_ place: Int, _ width: Int, isBigEndian: Bool = false) -> Int? {
    guard place >= 0, place + width <= count else { return nil }
    return (0..<width).reduce(0) {
      isBigEndian
        ? $0 << 8 | Int(self[place + $1]) : $0 | Int(self[place + $1]) << (8 * $1)
    }
  }

  /// Reads an unsigned number of 8 bytes. The result is nil if the number needs more than 62 bits.
  package func longNumber(_ place: Int, isBigEndian: Bool = false) -> Int? {
    guard let first = number(place, 4, isBigEndian: isBigEndian),
      let second = number(place + 4, 4, isBigEndian: isBigEndian)
    else { return nil }
    let (high, low) = isBigEndian ? (first, second) : (second, first)
    return high < 0x4000_0000 ? high << 32 | low : nil
  }
}
