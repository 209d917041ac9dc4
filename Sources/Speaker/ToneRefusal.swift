import SoundProtocol

/// A decoded, trimmed and normalised recording.
public struct DecodedTone: Sendable, Hashable {
  /// A canonical WAV file: PCM, 48 kHz, mono, signed 16 bit, 44 bytes of header.
  public var wav: [UInt8]
  /// The length of the sound without the silence at both ends, in milliseconds.
  public var durationMilliseconds: Int
  /// The integrated loudness of the stored sound (EBU R 128, dual mono). The value is usually −16.
  /// If the true peak of the sound would be too high at −16 LUFS, the value is lower.
  public var loudnessLUFS: Double
  /// The true peak of the stored sound in dBTP (decibels relative to full scale); at most −1.5.
  public var truePeakDecibels: Double
  /// The format of the upload, for example "WAV", "Ogg Opus" or "M4A".
  public var format: String
}

/// The reason why an upload is not a usable recording.
public struct ToneRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  public var kind: DecoderReport.Fault
  /// One sentence for a caretaker. It contains the problem of the upload, and the values that the
  /// decoder measured, if there are any.
  public var sentence: String

  public init(_ kind: DecoderReport.Fault, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }

  /// Creates the refusal for a failed decoder. The upload is probably not the cause of the failure.
  static func failed(_ sentence: String) -> ToneRefusal {
    ToneRefusal(.decoderFailed, sentence)
  }

  public var description: String { sentence }
}
