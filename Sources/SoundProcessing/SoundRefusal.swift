/// The reason for the refusal of an upload, with a sentence for a caretaker.
package enum SoundRefusal: Error {
  case notAudio(String)
  case tooShort(seconds: Double)
  case tooLong
  case tooLarge
  case tooQuiet(lufs: Double)
  case clipped(share: Double)
  case decoderFailed(String)
  /// The end of the file is missing, and the file does not say how long the whole sound is.
  /// `seconds` is the length of the sound that the file contains.
  case incomplete(seconds: Double)
  /// `prompter-sound` cannot read this format, but `prompter-formats` can read it.
  case needsFormats(SoundContainer)

  package var sentence: String {
    switch self {
    case .notAudio(let why): why
    case .tooShort(let seconds):
      "the recording contains only \(oneDecimal(seconds)) s of sound; at least 0.5 s is needed"
    case .tooLong: "the recording is longer than 60 s"
    case .tooLarge: "the file is larger than 10 MiB"
    case .tooQuiet(let lufs) where lufs < -70:
      "no sound can be heard in the recording; check the microphone and record again"
    case .tooQuiet(let lufs):
      "the recording is too quiet: −\(Int((-lufs).rounded())) LUFS, at least −45 LUFS is needed; "
        + "record again, closer to the microphone"
    case .clipped(let share):
      "the recording is too distorted: \(Int((share * 100).rounded())) % of it is clipped; "
        + "record again, further from the microphone"
    case .decoderFailed(let why): why
    case .incomplete(let seconds) where seconds < 0.1:
      "the file is incomplete: it ends before its sound begins, and the rest is missing"
    case .incomplete(let seconds):
      "the file is incomplete: it ends after \(oneDecimal(seconds)) s, and the rest is missing"
    case .needsFormats(let container): "this is \(container.phrase)"
    }
  }

  /// The smallest accepted share of a sound: the length of the part that the file contains, divided
  /// by the length of the whole sound.
  private static let smallestShare = 0.98

  /// Refuses a file that contains only a part of its sound.
  ///
  /// - Parameter share: the length of the part that the file contains, divided by the length of the
  ///   whole sound.
  package static func refuseIncomplete(share: Double) throws(SoundRefusal) {
    guard share < smallestShare else { return }
    throw .decoderFailed(
      "the file is incomplete: it contains only \(Int(share * 100)) % of its sound")
  }
}

/// Formats a number with one decimal, for example "0.3". If the number is infinite or very large,
/// the result is "nothing".
package func oneDecimal(_ value: Double) -> String {
  guard abs(value) < 1e15 else { return "nothing" }
  let tenths = Int((value * 10).rounded())
  return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
