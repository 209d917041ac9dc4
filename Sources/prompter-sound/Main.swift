import CALSAShim
import CSandbox
@preconcurrency import Glibc
import Sandbox
import SoundProcessing

/// The main program of prompter-sound, which is the only program that uses ALSA and sound decoders.
///
/// The daemon communicates with prompter-sound only through pipes. Therefore, if prompter-sound
/// crashes, hangs or is killed, the daemon continues.
@main struct Main {
  static let usage = """
    usage: prompter-sound play [--parent PID] [--state DIR]
             Play rings. Commands and reports are JSON lines on stdin and stdout.
           prompter-sound decode [--report-fd N]
             Decode an upload on stdin to WAV on stdout.
           prompter-sound speak --program PATH --language NAME --words-per-minute N [--report-fd N]
             Speak words on stdin with espeak-ng, and write WAV to stdout.
           prompter-sound record [--device PCM] [--seconds N] [--sound-fd N] [--parent PID]
             Record a microphone to WAV. The first line on stdin starts, the next one ends it.
           prompter-sound tones --write DIR
             Write the built-in tones as WAV files.
           prompter-sound devices [--json]
             List the ALSA devices that can play a sound.
           prompter-sound confined --try WHAT
             For tests: try an action that the sandbox of the decoder forbids.
    """

  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    exit(run(arguments))
  }

  nonisolated private static func run(_ arguments: [String]) -> Int32 {
    let options = Options(arguments.dropFirst())
    switch arguments.first {
    case "play":
      return playRings(options)
    case "decode":
      return decode(options)
    case "speak":
      return speak(options)
    case "record":
      return record(options)
    case "confined":
      guard let attempt = options["--try"] else { break }
      return SoundDecoding.program.tryConfined(attempt)
    case "tones":
      guard let directory = options["--write"] else { break }
      return ToneWriter.run(directory: directory)
    case "devices":
      _ = prompter_alsa_set_log(nil)
      return DeviceList.run(json: arguments.contains("--json"))
    default: break
    }
    printError(usage)
    return 2
  }

  nonisolated private static func playRings(_ options: Options) -> Int32 {
    guard SandboxedProgram.stayWithParent(options) else { return 0 }
    prompter_close_from(3)
    _ = prompter_alsa_set_log(nil)
    // This call fails if the process has no permission for real-time scheduling. The player then
    // runs at normal priority.
    _ = prompter_hurry()
    guard let streams = PlayerStreams() else {
      printError("cannot set up standard input and output: \(String(cString: strerror(errno)))")
      return 1
    }
    var mixer: MixerRestorer?
    if let directory = options["--state"] { mixer = MixerRestorer(directory: directory) }
    Player(streams: streams, mixer: mixer).run()
    return 0
  }

  nonisolated private static func decode(_ options: Options) -> Int32 {
    guard SandboxedProgram.stayWithParent(options) else { return 0 }
    let report = options["--report-fd"].flatMap { Int32($0) } ?? STDERR_FILENO
    prompter_close_from(max(3, UInt32(clamping: report) + 1))
    return SoundDecoding.program.run(
      reportDescriptor: report, decode: SoundFile.decode)
  }

  nonisolated private static func speak(_ options: Options) -> Int32 {
    guard SandboxedProgram.stayWithParent(options) else { return 0 }
    let report = options["--report-fd"].flatMap { Int32($0) } ?? STDERR_FILENO
    prompter_close_from(max(3, UInt32(clamping: report) + 1))
    return Speak.run(options)
  }

  nonisolated private static func record(_ options: Options) -> Int32 {
    guard SandboxedProgram.stayWithParent(options) else { return 0 }
    let output = options["--sound-fd"].flatMap { Int32($0) } ?? 3
    prompter_close_from(max(3, UInt32(clamping: output) + 1))
    _ = prompter_alsa_set_log(nil)
    guard let streams = RecorderStreams() else {
      printError("cannot set up standard input and output: \(String(cString: strerror(errno)))")
      return 1
    }
    var recorder = Recorder(
      streams: streams, device: options["--device"] ?? "default", output: output,
      seconds: options["--seconds"].flatMap { Int($0) } ?? Recorder.longestSeconds)
    return recorder.run()
  }
}
