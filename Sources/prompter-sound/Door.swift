import CALSAShim
@preconcurrency import Glibc

/// The only program of the house that touches ALSA and sound decoders. It may crash, hang or be
/// killed alone; the daemon talks to it through pipes.
@main struct Door {
  static let usage = """
    usage: prompter-sound play [--parent PID] [--state DIR]   rings, by JSON lines on stdin/stdout
           prompter-sound decode [--report-fd N]              an upload on stdin to WAV on stdout
           prompter-sound tones --write DIR                   the built-in tones as WAV files
           prompter-sound devices                             ALSA PCM names as JSON
    """

  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    exit(run(arguments))
  }

  nonisolated private static func run(_ arguments: [String]) -> Int32 {
    let options = Options(arguments.dropFirst())
    switch arguments.first {
    case "play":
      return playRings(parent: options["--parent"].flatMap { Int32($0) })
    default:
      complain(usage)
      return 2
    }
  }

  nonisolated private static func playRings(parent: Int32?) -> Int32 {
    _ = prompter_die_with_parent()
    // The parent may have died before the line above; then nobody would ever end us.
    if let parent, getppid() != parent { return 0 }
    _ = prompter_close_from(3)
    _ = prompter_alsa_set_log(nil)
    guard let wire = PlayerWire() else {
      complain("cannot set up standard input and output: \(String(cString: strerror(errno)))")
      return 1
    }
    Player(wire: wire).run()
    return 0
  }
}

/// `--name value` pairs.
struct Options {
  private var values: [String: String] = [:]

  init(_ arguments: some Sequence<String>) {
    var name: String?
    for argument in arguments {
      if let waiting = name {
        values[waiting] = argument
        name = nil
      } else {
        name = argument
      }
    }
  }

  subscript(name: String) -> String? { values[name] }
}

/// Writes a line to standard error, which the daemon takes for its log.
func complain(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
