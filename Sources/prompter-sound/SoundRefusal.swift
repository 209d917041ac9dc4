/// The reason why an upload is refused; the sentence is for a caretaker.
enum SoundRefusal: Error {
  case notAudio(String)
  case tooShort(seconds: Double)
  case tooLong
  case tooLarge
  case tooQuiet(lufs: Double)
  case clipped(share: Double)
  case decoderFailed(String)

  var sentence: String {
    switch self {
    case .notAudio(let why): why
    case .tooShort(let seconds):
      "the recording has only \(oneDecimal(seconds)) s of sound, needs 0.5 s"
    case .tooLong: "the recording is longer than 60 s"
    case .tooLarge: "the file is larger than 10 MiB"
    case .tooQuiet(let lufs) where lufs < -70: "we cannot hear anything in this recording"
    case .tooQuiet(let lufs): "we can hardly hear you: −\(Int((-lufs).rounded())) LUFS, needs −45"
    case .clipped(let share):
      "the recording is distorted beyond repair: \(Int((share * 100).rounded())) % of it is cut off;"
        + " record again further from the microphone"
    case .decoderFailed(let why): why
    }
  }
}

/// Formats a number as "0.3"; "nothing" if it is not a usable number.
func oneDecimal(_ value: Double) -> String {
  guard abs(value) < 1e15 else { return "nothing" }
  let tenths = Int((value * 10).rounded())
  return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}
