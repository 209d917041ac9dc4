import CAV

/// A decoder that Prompter uses. The libraries of FFmpeg contain hundreds of other decoders, which
/// Prompter does not use.
struct SoundCodec {
  let decoder: UnsafePointer<AVCodec>
  /// True if the samples of the file are floating-point numbers. Such samples can exceed full
  /// scale.
  let isFloat: Bool

  /// The FFmpeg names of the permitted decoders. These decoders read the recordings that
  /// telephones, browsers, computers and voice recorders make.
  private static let names = [
    "aac", "alac", "amrnb", "amrwb", "opus", "vorbis", "flac", "mp3float", "mp2float",
    "wmav1", "wmav2", "wmapro", "wmalossless", "wmavoice",
    "qcelp", "evrc", "gsm", "gsm_ms", "libspeex", "speex", "ac3", "eac3",
    "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms", "g722", "g726", "g726le",
    "pcm_alaw", "pcm_mulaw", "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be",
    "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be",
  ]

  static let whitelist = names.joined(separator: ",")

  /// Returns the decoder for a stream; nil if Prompter cannot decode the stream.
  static func of(_ parameters: AVCodecParameters) -> SoundCodec? {
    guard parameters.codec_type == AVMEDIA_TYPE_AUDIO else { return nil }
    for name in names {
      guard let decoder = avcodec_find_decoder_by_name(name),
        decoder.pointee.id == parameters.codec_id
      else { continue }
      return SoundCodec(decoder: decoder, isFloat: name.hasPrefix("pcm_f"))
    }
    return nil
  }
}
