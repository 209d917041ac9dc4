import SoundProcessing

/// The command `prompter-sound decode`, which decodes one upload with libsndfile.
enum SoundDecoding {
  /// The limits of the decoder.
  ///
  /// The decoding of one minute of stereo sound at 192 kHz takes 1.1 s of processor time.
  static let program = DecoderProgram(addressSpaceBytes: 128 << 20, processorSeconds: 4)
}
