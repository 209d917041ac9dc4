@preconcurrency import CSndFile
@preconcurrency import Glibc
import SoundProcessing

/// An upload that libsndfile decodes from memory.
enum SoundFile {
  /// Decodes the whole upload.
  ///
  /// - Throws: `SoundRefusal` if the upload is damaged, incomplete or too long, or if the program
  ///   does not accept the format of the upload.
  static func decode(_ upload: [UInt8]) throws(SoundRefusal) -> Recording {
    // libsndfile also contains thirty parsers for formats that Prompter does not accept. These
    // parsers must never read an upload. Therefore the program detects the format itself before
    // libsndfile reads the first byte.
    guard let found = UploadFormat.find(in: upload) else {
      throw .notAudio(
        "this file is not a sound file that Prompter reads; save the sound as MP3 or WAV")
    }
    switch found.format {
    case .container(let container): throw .needsFormats(container)
    case .wav: return try wav(upload, found.start)
    case .ogg: return try ogg(upload, found.start)
    case .flac:
      if lacksSound(flac: upload, found.start) { try SoundRefusal.refuseIncomplete(share: 0) }
      return try decode(found.start == 0 ? upload : Array(upload[found.start...]), kind: "FLAC")
    case .mp3:
      if let share = MPEGFrame.presentShare(of: upload, from: found.start) {
        try SoundRefusal.refuseIncomplete(share: share)
      }
      return try decode(found.start == 0 ? upload : Array(upload[found.start...]), kind: "MP3")
    }
  }

  /// Returns true if a FLAC file ends within its metadata, before the sound begins.
  private static func lacksSound(flac upload: [UInt8], _ start: Int) -> Bool {
    guard upload.number(start + 4, 4, isBigEndian: true).map({ $0 & 0x7fff_ffff }) == 34 else {
      return false
    }
    var at = start + 4
    while let header = upload.number(at, 4, isBigEndian: true) {
      at += 4 + header & 0xff_ffff
      if header >> 31 == 1 { return at >= upload.count }
    }
    return true
  }

  private static func wav(_ upload: [UInt8], _ start: Int) throws(SoundRefusal) -> Recording {
    guard let layout = WAVLayout(upload, from: start) else { throw unreadable("WAV") }
    try SoundRefusal.refuseIncomplete(share: layout.presentShare)
    return try decode(layout.repaired(upload), kind: "WAV")
  }

  /// Decodes all streams of a chained Ogg file. Without this function, libsndfile would read only
  /// the first stream.
  private static func ogg(_ upload: [UInt8], _ start: Int) throws(SoundRefusal) -> Recording {
    let file = OggFile(upload, from: start)
    var whole: Recording?
    for link in file.links {
      let part: Recording
      do {
        part = try decode(Array(upload[link.bytes]), kind: "Ogg", isFirst: whole == nil)
      } catch {
        if case .notAudio = error, !file.isComplete {
          throw .incomplete(seconds: whole?.seconds ?? 0)
        }
        throw error
      }
      if whole == nil { whole = part } else { try whole?.append(part) }
    }
    guard let whole else { throw unreadable("Ogg") }
    if !file.isComplete { throw .incomplete(seconds: whole.seconds) }
    return whole
  }

  private static func decode(
    _ upload: [UInt8], kind: String, isFirst: Bool = true
  ) throws(SoundRefusal) -> Recording {
    let memory = Memory(upload)
    defer { withExtendedLifetime(memory) {} }
    var interface = Memory.interface
    var info = SF_INFO()
    let context = Unmanaged.passUnretained(memory).toOpaque()
    guard let file = sf_open_virtual(&interface, Int32(SFM_READ), &info, context) else {
      throw unreadable(kind)
    }
    defer { sf_close(file) }
    guard let format = name(of: info.format) else { throw unreadable(kind) }
    let isFloat = isFloat(info.format)
    var collector = try RecordingCollector(
      rate: Int(info.samplerate), channels: Int(info.channels), isFloat: isFloat,
      isFirst: isFirst)
    let length = info.frames > 0 && info.frames < Int64.max ? Int(info.frames) : nil
    if let length, Double(length) / Double(info.samplerate) > Recording.longestSeconds + 1 {
      throw .tooLong
    }
    try read(file, into: &collector)
    // If the end of a FLAC file is missing, libsndfile reports an error for some files but not for
    // all files. Therefore compare the lengths before the check for an error of libsndfile.
    if kind == "FLAC", let length, length > 0 {
      try SoundRefusal.refuseIncomplete(share: Double(collector.frames) / Double(length))
    }
    if sf_error(file) != 0 {
      throw .decoderFailed(
        "the file is damaged after \(oneDecimal(collector.seconds)) s: "
          + text(sf_strerror(file)))
    }
    return try collector.finish(format: format)
  }

  private static func read(
    _ file: OpaquePointer, into collector: inout RecordingCollector
  ) throws(SoundRefusal) {
    let chunk = 4_096
    var buffer = [Float](repeating: 0, count: chunk * collector.channels)
    while true {
      let frames = Int(sf_readf_float(file, &buffer, sf_count_t(chunk)))
      if frames <= 0 { return }
      var refusal: SoundRefusal?
      buffer.withUnsafeBufferPointer { buffer in
        let used = UnsafeBufferPointer(rebasing: buffer[..<(frames * collector.channels)])
        do throws(SoundRefusal) { try collector.add(used) } catch { refusal = error }
      }
      if let refusal { throw refusal }
    }
  }

  // MARK: Formats

  /// Returns the refusal of a file that libsndfile cannot open. The refusal does not contain the
  /// error text of libsndfile, because that text mentions pipes and internal details.
  private static func unreadable(_ kind: String) -> SoundRefusal {
    .notAudio("this file seems to be \(kind) but cannot be read; it may be damaged or incomplete")
  }

  private static func name(of format: Int32) -> String? {
    let subtype = Int(format) & Int(SF_FORMAT_SUBMASK)
    switch Int(format) & Int(SF_FORMAT_TYPEMASK) {
    case Int(SF_FORMAT_WAV), Int(SF_FORMAT_WAVEX): return "WAV"
    case Int(SF_FORMAT_FLAC): return "FLAC"
    case Int(SF_FORMAT_MPEG): return "MP3"
    case Int(SF_FORMAT_OGG):
      return subtype == Int(SF_FORMAT_OPUS) ? "Ogg Opus" : "Ogg Vorbis"
    default: return nil
    }
  }

  private static func isFloat(_ format: Int32) -> Bool {
    let subtype = Int(format) & Int(SF_FORMAT_SUBMASK)
    return subtype == Int(SF_FORMAT_FLOAT) || subtype == Int(SF_FORMAT_DOUBLE)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? "no reason given"
  }
}

/// The upload as a virtual file that libsndfile can read but not write.
private final class Memory {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Memory? {
    context.map { Unmanaged<Memory>.fromOpaque($0).takeUnretainedValue() }
  }

  static let interface = SF_VIRTUAL_IO(
    get_filelen: { sf_count_t(Memory.of($0)?.bytes.count ?? 0) },
    seek: { offset, whence, context in
      guard let memory = Memory.of(context) else { return -1 }
      let base =
        whence == SEEK_CUR ? memory.position : whence == SEEK_END ? memory.bytes.count : 0
      let (target, overflow) = base.addingReportingOverflow(Int(offset))
      guard !overflow, target >= 0 else { return -1 }
      memory.position = min(target, memory.bytes.count)
      return sf_count_t(memory.position)
    },
    read: { target, wanted, context in
      guard let memory = Memory.of(context), let target else { return 0 }
      let count = max(0, min(Int(wanted), memory.bytes.count - memory.position))
      memory.bytes.withUnsafeBytes { bytes in
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[memory.position..<memory.position + count])
            .baseAddress ?? UnsafeRawPointer(target), byteCount: count)
      }
      memory.position += count
      return sf_count_t(count)
    },
    write: { _, _, _ in 0 },
    tell: { sf_count_t(Memory.of($0)?.position ?? 0) })
}
