import CLinux
import CSandbox
@preconcurrency import Glibc
import Sandbox
import SoundProtocol

/// The common code of the programs that decode recordings.
///
/// Each run decodes one upload from standard input in the sandbox. The program writes one WAV file
/// (PCM, 48 kHz, mono, 16 bit) to standard output, or refuses the upload. The program also writes a
/// report: one line of JSON, on standard error or on the descriptor of `--report-fd`.
package struct DecoderProgram {
  package static let largestUpload = 10 << 20

  /// The maximum size of the address space of the decoder process, in bytes.
  var addressSpaceBytes: UInt64
  /// The maximum processor time of the decoder process, in seconds.
  var processorSeconds: UInt32

  package init(addressSpaceBytes: UInt64, processorSeconds: UInt32) {
    self.addressSpaceBytes = addressSpaceBytes
    self.processorSeconds = processorSeconds
  }

  /// Decodes one upload with a decoder, and writes the tone and the report.
  ///
  /// - Returns: the exit status: 0 if the program decoded the upload, 1 if the program refused the
  ///   upload, 3 if the program could not write the output.
  package func run(
    reportDescriptor: Int32, decode: ([UInt8]) throws(SoundRefusal) -> Recording
  ) -> Int32 {
    // By default, glibc can keep the memory of a large array that was freed. With this setting,
    // glibc returns the memory to the kernel at once. The setting is necessary, because the address
    // space is limited.
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
    do {
      try confine()
      let recording = try decode(Self.readUpload())
      let format = recording.format
      let tone = try Normalizer(recording)
      let report = DecoderReport.tone(
        milliseconds: tone.samples.count / 48, loudnessLUFS: tone.loudness.lufs,
        truePeakDecibels: tone.loudness.peakDecibels, format: format)
      let isWritten = writeAll(STDOUT_FILENO, CanonicalWAV.encode(tone.samples))
      return isWritten && Self.send(report, to: reportDescriptor) ? 0 : 3
    } catch {
      return Self.send(error.report, to: reportDescriptor) ? 1 : 3
    }
  }

  /// Enters the sandbox and then tries a forbidden action. Only tests use this function.
  ///
  /// For some forbidden actions, the kernel returns an error, and the process continues. For the
  /// other forbidden actions, the kernel kills the process.
  package func tryConfined(_ attempt: String) -> Int32 {
    do {
      try confine()
    } catch {
      printError("\(error)")
      return 3
    }
    let code = prompter_sandbox_try(attempt)
    printError(code == 0 ? "allowed" : "refused: \(String(cString: strerror(code)))")
    return code == 0 ? 0 : 1
  }

  /// Enters the sandbox. If the process cannot enter the sandbox, the function throws a refusal,
  /// and the program does not decode the recording.
  package func confine() throws(SoundRefusal) {
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
  var report: DecoderReport {
    switch self {
    case .notAudio: .refused(.notAudio, sentence: sentence)
    case .tooShort: .refused(.tooShort, sentence: sentence)
    case .tooLong: .refused(.tooLong, sentence: sentence)
    case .tooLarge: .refused(.tooLarge, sentence: sentence)
    case .tooQuiet: .refused(.tooQuiet, sentence: sentence)
    case .clipped: .refused(.clipped, sentence: sentence)
    case .decoderFailed, .incomplete: .refused(.decoderFailed, sentence: sentence)
    case .needsFormats(let container): .otherFormat(container.phrase)
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
