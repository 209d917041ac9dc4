/// The report of `prompter-sound decode` on an upload: one JSON object beside the sound.
public enum DecoderReport: Hashable, Sendable {
  /// A usable sound: its length, its integrated loudness and true peak as written, and the upload's
  /// format.
  case tone(milliseconds: Int, loudnessLUFS: Double, truePeakDecibels: Double, format: String)
  /// The reason for a refusal; the sentence is for a caretaker.
  case refused(Fault, sentence: String)

  /// The reason why an upload is not a usable recording.
  public enum Fault: String, Codable, Hashable, Sendable, CaseIterable {
    /// Not a sound file, or of a format that is not accepted.
    case notAudio = "notAudio"
    /// Less than 0.5 s of sound.
    case tooShort = "tooShort"
    /// More than 60 s.
    case tooLong = "tooLong"
    /// More than 10 MiB.
    case tooLarge = "tooLarge"
    /// Below −45 LUFS, or silent.
    case tooQuiet = "tooQuiet"
    /// Distorted beyond repair.
    case clipped = "clipped"
    /// The file is damaged, or the decoder crashed, hung or did not start.
    case decoderFailed = "decoderFailed"
  }

  /// Reads a report; nil if the line is not a valid report.
  public init?(line: some Sequence<UInt8>) {
    guard let form = try? PlayerForm.read(DecoderForm.self, line) else { return nil }
    if let fault = form.refused {
      self = .refused(fault, sentence: form.sentence ?? fault.rawValue)
    } else if let milliseconds = form.milliseconds, let loudness = form.loudnessLUFS,
      let peak = form.truePeakDecibels, let format = form.format
    {
      self = .tone(
        milliseconds: milliseconds, loudnessLUFS: loudness, truePeakDecibels: peak, format: format)
    } else {
      return nil
    }
  }

  /// The report as a line of JSON, newline included.
  ///
  /// - Throws: `MessageFault` if it cannot be written as JSON.
  public func line() throws(MessageFault) -> [UInt8] {
    switch self {
    case .tone(let milliseconds, let loudness, let peak, let format):
      try PlayerForm.write(
        DecoderForm(
          milliseconds: milliseconds, loudnessLUFS: loudness, truePeakDecibels: peak,
          format: format))
    case .refused(let fault, let sentence):
      try PlayerForm.write(DecoderForm(refused: fault, sentence: sentence))
    }
  }
}

/// The JSON members of a report.
private struct DecoderForm: Codable {
  var milliseconds: Int?
  var loudnessLUFS: Double?
  var truePeakDecibels: Double?
  var format: String?
  var refused: DecoderReport.Fault?
  var sentence: String?

  enum CodingKeys: String, CodingKey {
    case milliseconds = "duration_ms"
    case loudnessLUFS = "loudness_lufs"
    case truePeakDecibels = "true_peak_db"
    case format, refused, sentence
  }
}
