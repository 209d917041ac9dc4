import Glibc
import Processes
import SoundProtocol

/// Decodes uploads into tones. Each upload has its own process `prompter-sound decode`.
///
/// At most two of these processes run at a time. A decoder process reads untrusted bytes, so it has
/// no network, no writable files, and a short time limit.
public struct ToneDecoder: Sendable {
  /// The maximum size of an upload: 10 MiB. The daemon refuses a larger upload and does not read
  /// the upload.
  public static let largestUploadBytes = 10 << 20
  /// The time limit for a decoder process, in milliseconds. In addition, the process limits its own
  /// processor time.
  static let wallBoundMilliseconds: Int64 = 8_000

  /// The maximum size of the output of a decoder process, in bytes. The longest tone fits in this
  /// size: the tone lasts 60 s, each second has 96,000 bytes, and the header has fewer than 1,024
  /// bytes.
  private static let largestOutput = 60 * 96_000 + 1_024

  private let executable: String
  private let formats: String?
  private let boundMilliseconds: Int64

  /// - Parameters:
  ///   - executable: the path of `prompter-sound`.
  ///   - formats: the path of `prompter-formats`. It is possible that this program is not
  ///     installed. A separate package contains this program, because its libraries are large.
  public init(executable: String, formats: String? = nil) {
    self.init(
      executable: executable, formats: formats, boundMilliseconds: Self.wallBoundMilliseconds)
  }

  init(executable: String, formats: String? = nil, boundMilliseconds: Int64) {
    self.executable = executable
    self.formats = formats
    self.boundMilliseconds = boundMilliseconds
  }

  /// Decodes, checks and normalises one upload.
  ///
  /// `prompter-sound` reads WAV, FLAC, Ogg Vorbis, Ogg Opus and MP3. `prompter-sound` also
  /// recognises the formats that `prompter-formats` reads. Therefore, the daemon does not examine
  /// untrusted bytes.
  ///
  /// - Throws: `ToneRefusal` with a sentence for the caretaker.
  public func decode(_ upload: [UInt8]) async throws(ToneRefusal) -> DecodedTone {
    if upload.count > Self.largestUploadBytes {
      throw ToneRefusal(.tooLarge, "the file is larger than 10 MiB")
    }
    await DecoderTurns.shared.take()
    defer { DecoderTurns.shared.giveBack() }
    let output = try await run(executable, upload)
    guard case .otherFormat(let file) = DecoderReport(line: output.report) else {
      return try Self.tone(output).get()
    }
    guard let formats, access(formats, X_OK) == 0 else {
      throw ToneRefusal(
        .notAudio,
        "this is \(PlainLine.sentence(file)); install the package prompter-formats to read it, or "
          + "save the sound as MP3 or WAV")
    }
    return try Self.tone(await run(formats, upload)).get()
  }

  private func run(
    _ program: String, _ upload: [UInt8]
  ) async throws(ToneRefusal) -> HelperOutput {
    let helper = Helper(
      executable: program, arguments: ["decode", "--report-fd", "3", "--parent", "\(getpid())"],
      name: "the sound decoder", boundMilliseconds: boundMilliseconds,
      largestOutput: Self.largestOutput)
    return try await HelperRun.perform(helper, input: upload)
      .mapError { ToneRefusal.failed($0.sentence) }.get()
  }

  private static func tone(_ output: HelperOutput) -> Result<DecodedTone, ToneRefusal> {
    switch DecoderReport(line: output.report) {
    case .otherFormat:
      return .failure(.failed("the sound decoder failed: it does not read this format"))
    case .refused(let fault, let sentence):
      return .failure(ToneRefusal(fault, PlainLine.sentence(sentence)))
    case .tone(let milliseconds, let loudness, let peak, let format):
      let fault = ToneCheck.fault(
        in: output.bytes, milliseconds: milliseconds, loudnessLUFS: loudness,
        truePeakDecibels: peak, format: format)
      if let fault {
        return .failure(.failed("the sound decoder's report does not fit its sound: \(fault)"))
      }
      return .success(
        DecodedTone(
          wav: output.bytes, durationMilliseconds: milliseconds, loudnessLUFS: loudness,
          truePeakDecibels: peak, format: format))
    case nil:
      return .failure(.failed("the sound decoder failed: \(output.exit)"))
    }
  }
}
