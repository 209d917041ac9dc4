import FoundationEssentials
import Glibc

/// Turns uploads into tones in a short-lived `prompter-sound decode`, one per upload and at most two
/// at a time: decoders meet strangers' bytes there, with no network, no writable files and little
/// time, not in the daemon.
public struct ToneDecoder: Sendable {
  /// Uploads above this are refused unread: 10 MiB.
  public static let largestUploadBytes = 10 << 20
  /// The child bounds its own processor time; this bounds everything else, in milliseconds.
  static let wallBoundMilliseconds: Int64 = 8_000

  private static let headerBytes = 44
  /// 60 s of canonical sound with its header.
  private static let largestOutput = 60 * 96_000 + 1_024

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
    let helper = Helper(
      executable: executable, arguments: ["decode", "--report-fd", "3", "--parent", "\(getpid())"],
      name: "the sound decoder", boundMilliseconds: boundMilliseconds,
      largestOutput: Self.largestOutput)
    await DecoderTurns.shared.take()
    defer { DecoderTurns.shared.giveBack() }
    let result = await HelperRun.perform(helper, input: upload).flatMap(Self.tone)
    return try result.get()
  }

  private static func tone(_ output: HelperOutput) -> Result<DecodedTone, ToneRefusal> {
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
    let frames = (output.sound.count - headerBytes) / 2
    guard let duration = report.durationMilliseconds, let loudness = report.loudnessLUFS,
      let peak = report.truePeakDecibels, let format = report.format, frames / 48 == duration
    else {
      return .failure(.decoderFailed(sentence: "the sound decoder's report does not fit its sound"))
    }
    return .success(
      DecodedTone(
        wav: output.sound, durationMilliseconds: duration, loudnessLUFS: loudness,
        truePeakDecibels: peak, format: format))
  }
}
