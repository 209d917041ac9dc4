import FoundationEssentials

/// Turns uploads into tones in a short-lived `prompter-sound decode`, one per upload and at most two
/// at a time: decoders meet strangers' bytes there, with no network, no writable files and little
/// time, not in the daemon.
public struct ToneDecoder: Sendable {
  /// Uploads above this are refused unread: 10 MiB.
  public static let largestUploadBytes = 10 << 20
  /// The child bounds its own processor time; this bounds everything else, in milliseconds.
  static let wallBoundMilliseconds: Int64 = 8_000

  private static let headerBytes = 44

  private let executable: String
  private let boundMilliseconds: Int64

  /// - Parameter executable: path of `prompter-sound`.
  public init(executable: String) {
    self.init(executable: executable, boundMilliseconds: Self.wallBoundMilliseconds)
  }

  init(executable: String, boundMilliseconds: Int64) {
    self.executable = executable
    self.boundMilliseconds = boundMilliseconds
  }

  /// Decodes, checks and normalises one upload (WAV, FLAC, Ogg Vorbis, Ogg Opus or MP3).
  /// - Throws: `ToneRefusal` with a sentence for the caretaker.
  public func decode(_ upload: [UInt8]) async throws(ToneRefusal) -> DecodedTone {
    if upload.count > Self.largestUploadBytes {
      throw .tooLarge(sentence: "the file is larger than 10 MiB")
    }
    let executable = executable
    let boundMilliseconds = boundMilliseconds
    await DecoderTurns.shared.take()
    defer { DecoderTurns.shared.giveBack() }
    let result = await withCheckedContinuation { continuation in
      // A thread, because the work is blocking and because children die with their thread.
      let isStarted = startThread {
        let outcome = DecoderRun.perform(
          executable: executable, upload: upload, boundMilliseconds: boundMilliseconds)
        continuation.resume(returning: outcome.flatMap(Self.tone))
      }
      if !isStarted {
        continuation.resume(returning: .failure(.decoderFailed(sentence: "cannot start a thread")))
      }
    }
    return try result.get()
  }

  private static func tone(_ output: DecoderOutput) -> Result<DecodedTone, ToneRefusal> {
    struct Report: Decodable {
      var durationMilliseconds: Int?
      var loudnessLUFS: Double?
      var truePeakDecibels: Double?
      var format: String?
      var refused: String?
      var sentence: String?

      enum CodingKeys: String, CodingKey {
        case durationMilliseconds = "duration_ms"
        case loudnessLUFS = "loudness_lufs"
        case truePeakDecibels = "true_peak_db"
        case format, refused, sentence
      }
    }
    guard let report = try? JSONDecoder().decode(Report.self, from: Data(output.report)) else {
      return .failure(.decoderFailed(sentence: "the sound decoder failed: \(output.exit)"))
    }
    if let refused = report.refused {
      return .failure(ToneRefusal(kind: refused, sentence: report.sentence ?? refused))
    }
    let frames = (output.wav.count - headerBytes) / 2
    guard let duration = report.durationMilliseconds, let loudness = report.loudnessLUFS,
      let peak = report.truePeakDecibels, let format = report.format, frames / 48 == duration
    else {
      return .failure(.decoderFailed(sentence: "the sound decoder's report does not fit its sound"))
    }
    return .success(
      DecodedTone(
        wav: output.wav, durationMilliseconds: duration, loudnessLUFS: loudness,
        truePeakDecibels: peak, format: format))
  }
}
