@preconcurrency import Glibc
import Sandbox
import SoundProtocol

/// `prompter-sound decode`: decodes one upload on standard input.
///
/// It writes one canonical WAV to standard output, or refuses the upload. The report, one line of
/// JSON, goes to standard error or to `--report-fd`.
enum SoundDecoding {
  static let largestUpload = 10 << 20

  /// Limit of the address space.
  ///
  /// A minute of sound at 96 kHz takes 113 MiB of address space, 67 MiB of it in memory.
  static let addressSpaceBytes: UInt64 = 128 << 20
  /// Limit of the processor time.
  ///
  /// A minute of sound takes 0.5 s, in a debug build 1.5 s.
  static let processorSeconds: UInt32 = 2

  /// Exit status: 0 decoded, 1 refused, 3 the output could not be written.
  static func run(reportDescriptor: Int32) -> Int32 {
    do {
      try confine()
      let upload = try readUpload()
      let (tone, format) = try Normalizer.of(upload)
      let report = DecoderReport.tone(
        milliseconds: tone.samples.count / 48, loudnessLUFS: tone.loudness.lufs,
        truePeakDecibels: tone.loudness.peakDecibels, format: format)
      let isWritten = writeAll(STDOUT_FILENO, CanonicalWAV.encode(tone.samples))
      return isWritten && send(report, to: reportDescriptor) ? 0 : 3
    } catch {
      let report = DecoderReport.refused(error.fault, sentence: error.sentence)
      return send(report, to: reportDescriptor) ? 1 : 3
    }
  }

  /// Enters the sandbox. If that fails, the recording is refused and not decoded.
  static func confine() throws(SoundRefusal) {
    do {
      try SandboxedProgram.enter(
        addressSpaceBytes: addressSpaceBytes, processorSeconds: processorSeconds)
    } catch {
      throw SoundRefusal(error)
    }
  }

  private static func readUpload() throws(SoundRefusal) -> [UInt8] {
    do {
      return try SandboxedProgram.readUpload(atMost: largestUpload)
    } catch {
      throw SoundRefusal(error)
    }
  }

  private static func send(_ report: DecoderReport, to descriptor: Int32) -> Bool {
    do {
      return writeAll(descriptor, try report.line())
    } catch {
      printError("cannot write the report: \(error)")
      return false
    }
  }
}

extension SoundRefusal {
  var fault: DecoderReport.Fault {
    switch self {
    case .notAudio: .notAudio
    case .tooShort: .tooShort
    case .tooLong: .tooLong
    case .tooLarge: .tooLarge
    case .tooQuiet: .tooQuiet
    case .clipped: .clipped
    case .decoderFailed: .decoderFailed
    }
  }

  init(_ failure: SandboxedProgram.Failure) {
    switch failure {
    case .cannotEnter(let why):
      self = .decoderFailed("cannot start the sandbox of the decoder: \(why)")
    case .cannotRead: self = .decoderFailed("cannot read the upload")
    case .tooLarge: self = .tooLarge
    }
  }
}
