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

/// Why an upload is no tone. The sentence is for a caretaker: what is wrong, by how much.
public enum ToneRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// No sound file, or of a kind that is not taken.
  case notAudio(sentence: String)
  /// Less than 0.5 s of sound.
  case tooShort(sentence: String)
  /// More than 60 s.
  case tooLong(sentence: String)
  /// More than 10 MiB.
  case tooLarge(sentence: String)
  /// Below −45 LUFS, or silent.
  case tooQuiet(sentence: String)
  /// Distorted beyond repair.
  case clipped(sentence: String)
  /// The file is damaged, or the decoder crashed, hung or could not be started.
  case decoderFailed(sentence: String)

  /// A name that never changes.
  public var kind: String {
    switch self {
    case .notAudio: "notAudio"
    case .tooShort: "tooShort"
    case .tooLong: "tooLong"
    case .tooLarge: "tooLarge"
    case .tooQuiet: "tooQuiet"
    case .clipped: "clipped"
    case .decoderFailed: "decoderFailed"
    }
  }

  /// What is wrong, in words for a caretaker.
  public var sentence: String {
    switch self {
    case .notAudio(let sentence), .tooShort(let sentence), .tooLong(let sentence),
      .tooLarge(let sentence), .tooQuiet(let sentence), .clipped(let sentence),
      .decoderFailed(let sentence):
      sentence
    }
  }

  public var description: String { sentence }

  init(kind: String, sentence: String) {
    switch kind {
    case "notAudio": self = .notAudio(sentence: sentence)
    case "tooShort": self = .tooShort(sentence: sentence)
    case "tooLong": self = .tooLong(sentence: sentence)
    case "tooLarge": self = .tooLarge(sentence: sentence)
    case "tooQuiet": self = .tooQuiet(sentence: sentence)
    case "clipped": self = .clipped(sentence: sentence)
    default: self = .decoderFailed(sentence: sentence)
    }
  }
}
