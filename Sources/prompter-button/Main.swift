import ArgumentParser
import Glibc
import Sentences

/// The program for a button with which a patient answers prompts. The program reads the input
/// device of the button.
@main
struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-button",
    abstract: "Answer alarms with one button.",
    discussion: """
      A short press means "done", or "on my way" if the alarm asks for that first. A press of two seconds \
      means "later": after two seconds, a sound says that you can release the button. A press of five \
      seconds asks a contact to call back; this is not an emergency call. If no prompt waits for an answer, a short press says how much of the day is done. A \
      sound confirms each answer. If an answer is not possible, a voice says why.
      """)

  @Option(
    help: ArgumentHelp(
      "The input device, by a stable name: /dev/input/by-id/... or by-path.",
      valueName: "path"))
  var device: String

  @Option(help: "The code of the only key that counts, as evtest shows it (default: any key).")
  var key: UInt16?

  @Option(help: "The socket of the daemon.")
  var socket = "/run/prompter/control.sock"

  @Option(
    help: ArgumentHelp(
      "The language of the spoken words, for example de (default: the language of the person, then "
        + "of the home).", valueName: "tag"))
  var language: String?

  @Option(help: "The directory of the confirmation sounds.", completion: .directory)
  var sounds = "/usr/share/prompter/sounds"

  /// The interval between two searches for a missing button, in milliseconds.
  private static let lookMilliseconds: Int64 = 2_000

  func validate() throws {
    guard let language, Language(tag: language) == nil else { return }
    let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("\"\(language)\" is not one of: \(known)")
  }

  func run() {
    signal(SIGPIPE, SIG_IGN)
    // `prompter` inherits this variable, and tells the daemon that a person pressed a button.
    setenv("PROMPTER_CLIENT", "button", 1)
    var button = Button(path: device, key: key)
    var recogniser = PressRecogniser()
    var answers = Answers(
      socket: socket, sounds: sounds, language: language.map { ButtonLanguage([$0]) })
    var wasPlugged: Bool?
    while true {
      let isPlugged = button.look()
      if isPlugged != wasPlugged {
        report(isPlugged ? "listening to \(device)" : "cannot open \(device); trying again")
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
    let timeout = deadline.map { max(0, $0 - now()) } ?? -1
    if button.isPlugged {
      _ = poll(&polled, 1, CInt(timeout))
    } else {
      _ = poll(nil, 0, CInt(Self.lookMilliseconds))
    }
  }

  /// Returns the time of CLOCK_MONOTONIC, in milliseconds. Nobody can set this clock.
  private func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Writes a line to standard error. systemd writes standard error to the journal.
func report(_ line: String) {
  let bytes = Array("prompter-button: \(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
