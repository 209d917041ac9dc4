import CAV
import SoundProcessing

/// Finds the sound in a container, and reads its packets.
final class Demuxer {
  private let input: MemoryInput
  private let format: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  /// The stream of the sound in the file, with the parameters of the sound.
  let stream: UnsafeMutablePointer<AVStream>
  let codec: SoundCodec

  /// Opens the file with the parser for this container. The function permits no other parser of
  /// FFmpeg.
  ///
  /// The function does not call `avformat_find_stream_info`. That call would decode parts of the
  /// file to find some values. The decoder later reports the same values.
  init(_ bytes: [UInt8], _ container: SoundContainer) throws(SoundRefusal) {
    let noMemory = SoundRefusal.decoderFailed("the decoder has too little memory")
    guard let input = MemoryInput(bytes), let packet = av_packet_alloc() else { throw noMemory }
    let opened = try Self.open(input, container)
    guard let sound = Self.sound(in: opened) else {
      throw Self.refusal(of: opened, container)
    }
    for index in 0..<Int(opened.pointee.nb_streams) where index != sound.index {
      opened.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
    }
    self.input = input
    self.packet = packet
    format = opened
    (stream, codec) = (sound.stream, sound.codec)
  }

  private static func open(
    _ input: MemoryInput, _ container: SoundContainer
  ) throws(SoundRefusal) -> UnsafeMutablePointer<AVFormatContext> {
    var context = avformat_alloc_context()
    context?.pointee.pb = input.context
    context?.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context?.pointee.format_whitelist = av_strdup(container.parser)
    context?.pointee.codec_whitelist = av_strdup(SoundCodec.whitelist)
    let parser = container.parser.prefix { $0 != "," }
    // If `avformat_open_input` fails, it also frees the context.
    let code = avformat_open_input(&context, nil, av_find_input_format(String(parser)), nil)
    guard code >= 0, let context else {
      throw .notAudio(
        "this file seems to be \(container.name) but cannot be read; it may be damaged or "
          + "incomplete")
    }
    return context
  }

  deinit {
    var (packet, format) = (Optional(packet), Optional(format))
    av_packet_free(&packet)
    avformat_close_input(&format)
    withExtendedLifetime(input) {}
  }

  /// Returns the next packet of the sound; nil at the end of the file. The packet is valid until
  /// the next call of this function.
  func nextPacket() -> UnsafeMutablePointer<AVPacket>? {
    av_packet_unref(packet)
    while av_read_frame(format, packet) >= 0 {
      if packet.pointee.stream_index == stream.pointee.index { return packet }
      av_packet_unref(packet)
    }
    return nil
  }

  /// The length of the sound that the file declares, in seconds; nil if the file does not contain
  /// the length.
  var declaredSeconds: Double? {
    let base = stream.pointee.time_base
    if stream.pointee.duration > 0, stream.pointee.duration != prompter_av_no_time(), base.den > 0 {
      return Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
    }
    // Use the length of the file only if the sound is the only stream. If the file also contains a
    // video, the file can be longer than its sound.
    guard format.pointee.nb_streams == 1, format.pointee.duration > 0 else { return nil }
    return Double(format.pointee.duration) / Double(AV_TIME_BASE)
  }

  // MARK: Streams

  /// Returns the stream of the first sound that Prompter can decode. The function prefers a sound
  /// that the file marks as the default.
  private static func sound(
    in format: UnsafeMutablePointer<AVFormatContext>
  ) -> (index: Int, stream: UnsafeMutablePointer<AVStream>, codec: SoundCodec)? {
    var best: (index: Int, stream: UnsafeMutablePointer<AVStream>, codec: SoundCodec)?
    for (index, stream) in streams(of: format).enumerated() {
      guard let codec = SoundCodec.of(stream.pointee.codecpar.pointee) else { continue }
      if best == nil { best = (index, stream, codec) }
      if stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 { return (index, stream, codec) }
    }
    return best
  }

  private static func streams(
    of format: UnsafeMutablePointer<AVFormatContext>
  ) -> [UnsafeMutablePointer<AVStream>] {
    (0..<Int(format.pointee.nb_streams)).compactMap { format.pointee.streams[$0] }
  }

  private static func refusal(
    of format: UnsafeMutablePointer<AVFormatContext>, _ container: SoundContainer
  ) -> SoundRefusal {
    let sounds = streams(of: format).filter {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }
    guard let first = sounds.first else {
      return .notAudio("this \(container.name) file contains no sound")
    }
    let name = String(cString: avcodec_get_name(first.pointee.codecpar.pointee.codec_id))
    return .notAudio(
      "the sound of this \(container.name) file has the coding \(name), which Prompter does not "
        + "read; save the sound as MP3 or WAV")
  }
}

extension SoundContainer {
  /// The names of the parser for this container in libavformat.
  fileprivate var parser: String {
    switch self {
    case .m4a, .mp4, .quickTime, .threeGP: "mov,mp4,m4a,3gp,3g2,mj2"
    case .adts: "aac"
    case .amr: "amr"
    case .webm, .matroska: "matroska,webm"
    case .caf: "caf"
    case .asf: "asf"
    case .wave64: "w64"
    case .aiff: "aiff"
    case .au: "au"
    case .ogg: "ogg"
    case .codedWAV: "wav"
    }
  }
}
