/// The report of `prompter-sound decode` about an upload: one JSON object. The decoder writes the
/// report and the sound to different descriptors.
public enum DecoderReport: Hashable, Sendable {
  /// The upload is a usable sound. The length, the integrated loudness and the true peak are values
  /// of the sound after the decoder has normalised it. `format` is the format of the upload.
  case tone(milliseconds: Int, loudnessLUFS: Double, truePeakDecibels: Double, format: String)
  /// The decoder refused the upload. The values are the reason, and a sentence for a caretaker.
  case refused(Fault, sentence: String)
  /// The decoder does not read the format of the upload, but `prompter-formats` reads it. The text
  /// is the kind of the file with its article, for example "an M4A file".
  case otherFormat(String)

  /// The reason why an upload is not a usable recording.
  public enum Fault: String, Codable, Hashable, Sendable, CaseIterable {
    /// The upload is not a sound file, or the decoder does not accept the format of the upload.
    case notAudio = "notAudio"
    /// The upload contains less than 0.5 s of sound.
    case tooShort = "tooShort"
    /// The upload contains more than 60 s of sound.
    case tooLong = "tooLong"
    /// The upload is larger than 10 MiB.
    case tooLarge = "tooLarge"
    /// The loudness of the sound is below −45 LUFS, or the sound is silent.
    case tooQuiet = "tooQuiet"
    /// The sound is distorted, and no program can remove the distortion.
    case clipped = "clipped"
    /// The file is damaged, or the decoder crashed, hung or did not start.
    case decoderFailed = "decoderFailed"
  }

  /// Reads a report. The result is nil if the line is not a valid report.
  public init?(line: some Sequence<UInt8>) {
    guard let form = try? PlayerForm.read(DecoderForm.self, line) else { return nil }
    if let fault = form.refused {
      self = .refused(fault, sentence: form.sentence ?? fault.rawValue)
    } else if let file = form.otherFormat {
      self = .otherFormat(file)
    } else if let milliseconds = form.milliseconds, let loudness = form.loudnessLUFS,
      let peak = form.truePeakDecibels, let format = form.format
    {
      self = .tone(
        milliseconds: milliseconds, loudnessLUFS: loudness, truePeakDecibels: peak, format: format)
    } else {
      return nil
    }
  }

  /// Returns the report as a line of JSON, with the newline.
  ///
  /// - Throws: `MessageFault` if the report cannot be written as JSON.
  public func line() throws(MessageFault) -> [UInt8] {
    switch self {
    case .tone(let milliseconds, let loudness, let peak, let format):
      try PlayerForm.write(
        DecoderForm(
          milliseconds: milliseconds, loudnessLUFS: loudness, truePeakDecibels: peak,
          format: format))
    case .refused(let fault, let sentence):
      try PlayerForm.write(DecoderForm(refused: fault, sentence: sentence))
    case .otherFormat(let file): try PlayerForm.write(DecoderForm(otherFormat: file))
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
  var otherFormat: String?

  enum CodingKeys: String, CodingKey {
    case milliseconds = "duration_ms"
    case loudnessLUFS = "loudness_lufs"
    case truePeakDecibels = "true_peak_db"
    case otherFormat = "other_format"
    case format, refused, sentence
  }
}
