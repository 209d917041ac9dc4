import ArchiveProtocol
import ArgumentParser
import CLinux
import EventCoding
import Glibc
import LinkTimer
import Processes
import StudyLink

/// The program that sends the record of a home to the archive of a study.
@main
struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-link",
    abstract: "Send the record of this home to the archive of a study.",
    discussion: """
      The program sends nothing before "prompter-link enrol". It reads the record with the role courier, so it \
      cannot read names, typed words or voices. It contacts the archive every 15 minutes.
      """,
    version: Release.version,
    subcommands: [
      Run.self, Contact.self, Enrol.self, Status.self, Pause.self, Resume.self, Revoke.self,
    ],
    defaultSubcommand: Run.self)
}

/// The options of all commands.
struct LinkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory for the key, the enrolment and the status.", valueName: "directory"),
    completion: .directory)
  var state = "/var/lib/prompter-link"

  var files: LinkFiles { LinkFiles(directory: state) }

  /// If root runs the command, becomes the owner of the state directory. Therefore
  /// `prompter-link run`, which runs as this owner, can read and write the new files.
  func takeUser() throws {
    guard geteuid() == 0 else { return }
    var status = stat()
    guard stat(state, &status) == 0 else {
      report("cannot open \(state): \(String(cString: strerror(errno)))")
      throw ExitCode(2)
    }
    guard status.st_uid != 0 else { return }
    guard setgroups(0, nil) == 0, setgid(status.st_gid) == 0, setuid(status.st_uid) == 0 else {
      report("cannot take the user of \(state): \(String(cString: strerror(errno)))")
      throw ExitCode(2)
    }
  }
}

/// The options of the commands that send rows.
struct SocketOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The socket of the daemon.", valueName: "path"))
  var socket = "/run/prompter/control.sock"
}

/// `prompter-link run`: sends the rows until the program is stopped.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send new rows of the record until the program is stopped (default).")

  @OptionGroup var daemon: SocketOptions

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  var config = "/etc/prompter-link/config.toml"

  @OptionGroup var options: LinkOptions

  /// Checks the configuration and the enrolment, and then replaces this program with
  /// `prompter-link-timer`, which needs much less memory. For each contact, `prompter-link-timer`
  /// starts `prompter-link contact`.
  func run() throws {
    try explained {
      let settings = try LinkSettings(path: config)
      _ = try options.files.readCurrentEnrolment()
      let name = "prompter-link-timer"
      let words = [name, daemon.socket, options.state, settings.isAtOnce ? "at_once" : "regular"]
      if let program = SiblingProgram.path(name) {
        var list: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        execv(program, &list)
      }
      report("cannot start \(name): \(String(cString: strerror(errno)))")
      throw ExitCode(1)
    }
  }
}

/// `prompter-link contact`: contacts the archive once. The program `prompter-link-timer` runs this
/// command.
struct Contact: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Contact the archive once, and print when the next contact begins.",
    shouldDisplay: false)

  @OptionGroup var daemon: SocketOptions

  @Option(
    help: ArgumentHelp(
      "The number of contacts that failed since the last good one.", valueName: "number"))
  var failures = 0

  @OptionGroup var options: LinkOptions

  func run() throws {
    // The kernel ends this process when its parent ends. Otherwise, a new parent could start a
    // second contact during this contact, and both contacts would write the same files.
    _ = prompter_die_with_parent()
    signal(SIGPIPE, SIG_IGN)
    try explained {
      let contact = try ArchiveContact(
        files: options.files, daemon: DaemonRows(socket: daemon.socket), report: report)
      // A line `alive` shows that the contact still makes progress. The last line contains the time
      // of the next contact.
      let next = contact.run(failures: failures, alive: { Self.say("alive") })
      Self.say(next.description)
    }
  }

  /// Writes a line to standard output at once. The function ignores an error: if
  /// `prompter-link-timer` has ended, nobody needs the line.
  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}

/// `prompter-link enrol`: joins a study.
struct Enrol: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Join a study: from then on, the record of this home goes to the archive of the study.",
    discussion: """
      The invitation of the study contains the address, the code and the pin. The pin proves that the server is \
      the archive of the study. Example: prompter-link enrol https://archive.study.example --code \
      7k3m-9x2p-4qwz --pin sha256//...
      """)

  @Argument(help: "The address of the archive, as in the invitation.")
  var url: String

  @Option(help: "The code of the invitation. It can be used once.")
  var code: String

  @Option(help: "The pin of the archive, as in the invitation: sha256// and 44 characters.")
  var pin: String

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var options: LinkOptions

  func validate() throws {
    guard url.hasPrefix("https://"), !url.hasSuffix("/") else {
      throw ValidationError(
        "\"\(url)\" is not the address of an archive; it begins with https:// and has no / at the end"
      )
    }
    guard pin.hasPrefix("sha256//"), pin.utf8.count == 52, pin.hasSuffix("=") else {
      throw ValidationError("the pin must be \"sha256//\" and 44 characters, as in the invitation")
    }
  }

  func run() throws {
    try explained {
      if let old = try options.files.readEnrolment() {
        report(
          "this home already takes part in the study \"\(old.study)\"; use \"prompter-link revoke\" first"
        )
        throw ExitCode(1)
      }
      try askIfNeeded()
      try options.takeUser()
      let files = options.files
      try files.makeKey()
      let client = ArchiveClient(
        url: url, identity: TLSIdentity(certificate: files.certificate, key: files.key, pin: pin))
      let reply = try client.enrol(code: code)
      try files.begin(LinkEnrolment(url: url, pin: pin, reply: reply))
      print(reply.words)
      print("This home is \(reply.home) in the study \(reply.study).")
    }
  }

  private func askIfNeeded() throws {
    if yes { return }
    print(
      """
      This home will send its record to \(url):
      - what happened with each prompt of the people in the study: times, rings, answers, delays, numbers and choices
      - when the device worked, and changes of alarms, without their words
      Not sent: names, typed words, voices and pictures. Of people outside the study, only the number of their rows.
      Each person in the study must have agreed to this.
      """)
    print("Type yes to join: ", terminator: "")
    fflush(nil)
    guard readLine() == "yes" else {
      report("not enrolled")
      throw ExitCode(1)
    }
  }
}

/// `prompter-link status`: shows the state of the link, and the rows that the archive has.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what the archive has, and when it was last reached.")

  @OptionGroup var options: LinkOptions

  func run() throws {
    try explained {
      guard let enrolment = try options.files.readEnrolment() else {
        print("This home is not enrolled at an archive.")
        throw ExitCode(1)
      }
      print("Home \(enrolment.home), study \(enrolment.study), archive \(enrolment.url)")
      print(try options.files.readStatusLines().joined(separator: "\n"))
    }
  }
}

/// `prompter-link pause`: pauses the link, so that it sends no rows.
struct Pause: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Stop sending until \"prompter-link resume\". Nothing is lost: the record keeps the rows.")

  @OptionGroup var options: LinkOptions

  func run() throws {
    try options.takeUser()
    try explained { try options.files.pause() }
    print("Paused.")
  }
}

/// `prompter-link resume`: ends the pause, so that the link sends rows again.
struct Resume: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Send again after a pause.")

  @OptionGroup var options: LinkOptions

  func run() throws {
    try options.takeUser()
    try explained { try options.files.resume() }
    print("The home sends its rows again.")
  }
}

/// `prompter-link revoke`: leaves the study.
struct Revoke: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Leave the study: forget the enrolment and the key of this home.",
    discussion: """
      The archive keeps the rows that it has. Ask the study to erase them, if this is your wish.
      """)

  @OptionGroup var options: LinkOptions

  func run() throws {
    try options.takeUser()
    try explained { try options.files.forget() }
    print(
      "This home is no longer enrolled. Stop the program with: systemctl disable --now prompter-link"
    )
  }
}

/// Runs the action of a command. If the action throws a `LinkError`, writes the error as one
/// sentence to standard error, and ends the program with exit code 1.
private func explained(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as LinkError {
    report(error.description)
    throw ExitCode(1)
  }
}

/// Writes a line to standard error. systemd writes standard error to the journal.
func report(_ line: String) {
  let bytes = Array("prompter-link: \(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
