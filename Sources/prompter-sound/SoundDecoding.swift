import SoundProcessing

/// The command `prompter-sound decode`. It decodes one upload with libsndfile.
enum SoundDecoding {
  /// The limits of the decoder.
  ///
  /// To decode one minute of stereo sound at 192 kHz, the decoder needs 1.1 s of processor time.
  static let program = DecoderProgram(addressSpaceBytes: 128 << 20, processorSeconds: 4)
}
