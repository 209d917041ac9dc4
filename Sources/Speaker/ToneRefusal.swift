import SoundProtocol

/// A decoded, trimmed and normalised recording.
public struct DecodedTone: Sendable, Hashable {
  /// A canonical WAV file: PCM, 48 kHz, mono, signed 16 bit, 44 bytes of header.
  public var wav: [UInt8]
  /// Length of the sound without the silence at both ends.
  public var durationMilliseconds: Int
  /// Integrated loudness as stored (EBU R 128, dual mono): −16 unless peaks make that impossible.
  public var loudnessLUFS: Double
  /// True peak as stored, in dB relative to full scale; at most −1.5.
  public var truePeakDecibels: Double
  /// Format of the upload: "WAV", "FLAC", "Ogg Vorbis", "Ogg Opus", "MP3".
  public var format: String
}

/// The reason why an upload is not a usable recording.
public struct ToneRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  public var kind: DecoderReport.Fault
  /// The problem and its amount, in words for a caretaker.
  public var sentence: String

  public init(_ kind: DecoderReport.Fault, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }

  /// Makes a refusal that is probably not the upload's fault.
  static func failed(_ sentence: String) -> ToneRefusal {
    ToneRefusal(.decoderFailed, sentence)
  }

  public var description: String { sentence }
}
