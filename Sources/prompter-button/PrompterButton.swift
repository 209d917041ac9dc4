import ArgumentParser
import Glibc

/// The patient's button: reads an input device and gives answers.
@main
struct PrompterButton: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-button",
    abstract: "Answers what rings at the press of one button.",
    discussion: """
      A short press means done, or "on my way" where the alarm asks for that first. Holding it for two seconds \
      means later. A press while nothing is to be answered says how much of the day is done. Each answer is \
      confirmed by a sound.
      """)

  @Option(
    help: ArgumentHelp(
      "The input device, by a name that stays: /dev/input/by-id/... or by-path.",
      valueName: "path"))
  var device: String

  @Option(help: "The code of the one key that counts, as evtest shows it; any key unless given.")
  var key: UInt16?

  @Option(help: "The daemon's socket.")
  var socket = "/run/prompter/control.sock"

  @Option(help: "Where the sounds of confirmation are.", completion: .directory)
  var sounds = "/usr/share/prompter/sounds"

  /// Time between two searches for a missing button.
  private static let lookMilliseconds: Int64 = 2_000

  func run() {
    signal(SIGPIPE, SIG_IGN)
    var button = Button(path: device, key: key)
    var recogniser = PressRecogniser()
    var answers = Answers(socket: socket, sounds: sounds)
    var wasPlugged: Bool?
    while true {
      let isPlugged = button.look()
      if isPlugged != wasPlugged {
        report(isPlugged ? "listening to \(device)" : "\(device) is not there; looking for it")
        wasPlugged = isPlugged
      }
      wait(for: button, recogniser.deadline)
      var presses: [Press] = []
      if isPlugged {
        if let edges = button.edges() {
          presses += edges.compactMap { recogniser.take(isDown: $0, at: now()) }
        } else {
          recogniser.lose()
        }
      }
      if let press = recogniser.elapse(at: now()) { presses.append(press) }
      for press in presses { answers.give(press) }
    }
  }

  private func wait(for button: Button, _ deadline: Int64?) {
    var polled = [pollfd(fd: button.descriptor, events: Int16(POLLIN), revents: 0)]
    let patience = deadline.map { max(0, $0 - now()) } ?? -1
    if button.isPlugged {
      _ = poll(&polled, 1, CInt(patience))
    } else {
      _ = poll(nil, 0, CInt(Self.lookMilliseconds))
    }
  }

  /// Milliseconds of a clock that cannot be set.
  private func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Writes a line to standard error, which is the journal.
func report(_ line: String) {
  let bytes = Array("prompter-button: \(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
