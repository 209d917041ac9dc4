@preconcurrency import Glibc
import Sandbox
import SoundProtocol

/// The command `prompter-sound decode`, which decodes one upload from standard input.
///
/// The command writes one WAV file (PCM, 48 kHz, mono, 16 bit) to standard output, or refuses the
/// upload. The command also writes a report: one line of JSON, on standard error or on the
/// descriptor of `--report-fd`.
enum SoundDecoding {
  static let largestUpload = 10 << 20

  /// The limit of the address space in bytes.
  ///
  /// The decoding of one minute of sound at 96 kHz takes 113 MiB of address space and 67 MiB of
  /// memory.
  static let addressSpaceBytes: UInt64 = 128 << 20
  /// The maximum processor time of the decoder, in seconds.
  ///
  /// The decoding of one minute of sound takes 0.5 s of processor time, or 1.5 s in a debug build.
  static let processorSeconds: UInt32 = 2

  /// Returns the exit status: 0 if the program decoded the upload, 1 if the program refused the
  /// upload, 3 if the program could not write the output.
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

  /// Enters the sandbox. If the process cannot enter the sandbox, the function throws a refusal,
  /// and the program does not decode the recording.
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
