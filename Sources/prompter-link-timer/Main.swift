import Glibc
import LinkTimer
import Processes
import Systemd

/// The part of `prompter-link run` that runs all the time. This program contains no argument parser
/// and no network library, so it needs little memory.
@main
enum Main {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    // The program can end at once, because it writes no file. If a contact is in progress, the
    // kernel then kills the process of the contact.
    signal(SIGTERM) { _ in _exit(0) }
    let words = CommandLine.arguments
    guard words.count == 4, ["regular", "at_once"].contains(words[3]) else {
      report(
        "\"prompter-link run\" starts this program; its arguments are SOCKET DIRECTORY regular|at_once"
      )
      exit(64)
    }
    guard let program = SiblingProgram.path("prompter-link") else {
      report("cannot find prompter-link: \(String(cString: strerror(errno)))")
      exit(1)
    }
    let manager = ServiceManager()
    let timer = ContactTimer(
      program: program, socket: words[1], directory: words[2], wakesAtOnce: words[3] == "at_once",
      report: report)
    manager.ready(status: "sending the record to the archive")
    timer.run(alive: manager.alive)
    exit(1)
  }

  /// Writes a line to standard error. systemd writes standard error to the journal.
  private static func report(_ line: String) {
    let bytes = Array("prompter-link: \(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
