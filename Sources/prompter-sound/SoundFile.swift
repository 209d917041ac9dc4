@preconcurrency import CSndFile
@preconcurrency import Glibc
import SoundProcessing

/// An upload that libsndfile decoded from memory, as one channel at the sample rate of the file.
struct SoundFile {
  /// The accepted sample rates in Hz.
  ///
  /// A rate above 96 kHz adds only frequencies that no person hears. The decoding of a sound with
  /// such a rate takes much processor time, for example 9 s for 60 s of sound at 192 kHz.
  static let rates: ClosedRange<Int32> = 4_000...96_000

  private(set) var samples: [Float] = []
  let rate: Int
  /// The format: "WAV", "FLAC", "Ogg Vorbis", "Ogg Opus" or "MP3".
  let format: String
  /// The share of clipped samples (`ClippingMeter`), 0 … 1.
  private(set) var clippedShare = 0.0

  /// Decodes the whole upload.
  ///
  /// - Throws: `SoundRefusal` if the upload is damaged or too long, or if the program does not
  ///   accept the format of the upload.
  init(decoding upload: [UInt8]) throws(SoundRefusal) {
    let kind = try Self.signature(upload)
    if kind == "WAV" { try Self.checkLength(upload) }
    let memory = Memory(upload)
    var interface = Memory.interface
    var info = SF_INFO()
    let context = Unmanaged.passUnretained(memory).toOpaque()
    guard let file = sf_open_virtual(&interface, Int32(SFM_READ), &info, context) else {
      // The message does not contain the text of libsndfile, because that text mentions pipes and
      // internal details.
      throw .notAudio(
        "this file seems to be \(kind) but cannot be read; it may be damaged or incomplete")
    }
    defer { sf_close(file) }
    guard let format = Self.name(of: info.format) else { throw Self.unknownFormat }
    guard Self.rates.contains(info.samplerate), (1...Recording.mostChannels).contains(info.channels)
    else {
      throw .notAudio(
        "this file has \(info.samplerate) Hz and \(info.channels) channels; Prompter reads "
          + "\(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz and 1 to \(Recording.mostChannels) "
          + "channels")
    }
    rate = Int(info.samplerate)
    self.format = format
    if info.frames != Int64.max, Double(info.frames) / Double(rate) > Recording.longestSeconds + 1 {
      throw .tooLong
    }
    try read(file, channels: Int(info.channels), isFloat: Self.isFloat(info.format))
    withExtendedLifetime(memory) {}
  }

  /// The decoded sound.
  var recording: Recording {
    Recording(samples: samples, rate: rate, format: format, clippedShare: clippedShare)
  }

  // MARK: Formats

  private static let unknownFormat = SoundRefusal.notAudio(
    "this file is not a WAV, FLAC, Ogg, Opus or MP3 file")

  /// Checks the format before libsndfile reads a byte. libsndfile also contains thirty parsers for
  /// formats that Prompter does not accept. These parsers must not process uploads.
  ///
  /// - Returns: the format according to the first bytes of the file.
  private static func signature(_ upload: [UInt8]) throws(SoundRefusal) -> String {
    func has(_ tag: String, at offset: Int = 0) -> Bool {
      upload.dropFirst(offset).starts(with: tag.utf8)
    }
    if has("ftyp", at: 4) {
      throw .notAudio("M4A, AAC and MP4 files cannot be read; save the sound as MP3 or WAV")
    }
    let isFrame = upload.count > 1 && upload[0] == 0xff && upload[1] & 0xe0 == 0xe0
    if has("RIFF") && has("WAVE", at: 8) { return "WAV" }
    if has("fLaC") { return "FLAC" }
    if has("OggS") { return "Ogg" }
    if has("ID3") || isFrame { return "MP3" }
    throw unknownFormat
  }

  /// Refuses an incomplete WAV file.
  ///
  /// If a file is incomplete, libsndfile decodes the existing part without an error. A caretaker
  /// would notice the missing part only when the alarm rings. If a program writes a WAV file to a
  /// pipe, the program does not know the final length of the sound. In this case, the program
  /// writes a length of 0, nearly 2 GiB or nearly 4 GiB into the header. Therefore, the function
  /// ignores such lengths.
  private static func checkLength(_ upload: [UInt8]) throws(SoundRefusal) {
    var at = 12
    while at + 8 <= upload.count {
      let size = (0..<4).reduce(0) { $0 | Int(upload[at + 4 + $1]) << (8 * $1) }
      let present = upload.count - at - 8
      if upload[at..<at + 4].elementsEqual("data".utf8) {
        // Accept a file even if up to 2 % of the sound is missing.
        guard present * 100 < size * 98, size < 0x7000_0000 else { return }
        throw .decoderFailed(
          "the file is incomplete: it contains only \(present * 100 / size) % of its sound")
      }
      at += 8 + size + size & 1
    }
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

  // MARK: Reading

  private mutating func read(
    _ file: OpaquePointer, channels: Int, isFloat: Bool
  ) throws(SoundRefusal) {
    let chunk = 4_096
    var buffer = [Float](repeating: 0, count: chunk * channels)
    var mix = ChannelMix(channels: channels)
    // The value 1 is full scale. In a file with floating-point samples, a sample at or above full
    // scale is valid. In other formats, such a sample counts as clipped.
    var clipping = ClippingMeter(channels: channels, countsOvers: !isFloat)
    while true {
      let frames = Int(sf_readf_float(file, &buffer, sf_count_t(chunk)))
      if frames <= 0 { break }
      buffer.withUnsafeMutableBufferPointer { buffer in
        let used = UnsafeMutableBufferPointer(rebasing: buffer[..<(frames * channels)])
        for index in used.indices where !used[index].isFinite { used[index] = 0 }
        clipping.add(UnsafeBufferPointer(used))
        mix.add(UnsafeBufferPointer(used))
      }
      if Double(mix.frames) > Recording.longestSeconds * Double(rate) { throw .tooLong }
    }
    if sf_error(file) != 0 {
      let seconds = oneDecimal(Double(mix.frames) / Double(rate))
      throw .decoderFailed(
        "the file is damaged after \(seconds) s: \(Self.text(sf_strerror(file)))")
    }
    samples = mix.mono()
    clippedShare = clipping.share
  }
}

/// The upload as a virtual, read-only file for libsndfile.
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
