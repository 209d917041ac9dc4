import SoundProcessing

/// The command `prompter-sound decode`, which decodes one upload with libsndfile.
enum SoundDecoding {
  /// The limits of the decoder.
  ///
  /// The decoding of one minute of sound at 96 kHz takes 113 MiB of address space, 67 MiB of memory
  /// and 0.5 s of processor time (1.5 s in a debug build).
  static let program = DecoderProgram(addressSpaceBytes: 128 << 20, processorSeconds: 2)

  /// Decodes an upload.
  static func decode(_ upload: [UInt8]) throws(SoundRefusal) -> Recording {
    try SoundFile(decoding: upload).recording
  }
}
