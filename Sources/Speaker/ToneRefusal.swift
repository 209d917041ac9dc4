import SoundProtocol

/// A recording that every alarm can use: decoded, trimmed, normalised.
public struct DecodedTone: Sendable, Hashable {
  /// A canonical WAV file: PCM, 48 kHz, mono, signed 16 bit, 44 bytes of header.
  public var wav: [UInt8]
  /// Length of the sound, silence at both ends trimmed.
  public var durationMilliseconds: Int
  /// Integrated loudness (EBU R 128, dual mono) as stored. −16 unless peaks forbid it.
  public var loudnessLUFS: Double
  /// True peak as stored, in dB relative to full scale; at most −1.5.
  public var truePeakDecibels: Double
  /// What the upload was: "WAV", "FLAC", "Ogg Vorbis", "Ogg Opus", "MP3".
  public var format: String
}

/// Why an upload is no tone.
public struct ToneRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  public var kind: DecoderReport.Fault
  /// What is wrong, by how much, in words for a caretaker.
  public var sentence: String

  public init(_ kind: DecoderReport.Fault, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }

  /// No fault of the upload, as far as anybody knows.
  static func failed(_ sentence: String) -> ToneRefusal {
    ToneRefusal(.decoderFailed, sentence)
  }

  public var description: String { sentence }
}
