import ArgumentParser
import EventCoding
import Glibc
import StudyArchive

/// The program that collects the records of all homes of a study.
@main
struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-archive",
    abstract: "Collect the records of a study's homes.",
    discussion: """
      The program stores the rows of each home in PostgreSQL, and proves that they are one unbroken hash chain. \
      docs/user/FLEET.md describes the server.
      """,
    version: Release.version,
    subcommands: [
      Serve.self, Migrate.self, HomeCommand.self, FindingCommand.self, Verify.self, Report.self,
      Export.self, Heads.self, Safe.self,
    ])
}

/// The option that every command of this program has: the database.
struct DatabaseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The database, as a URL or as keywords; do not write a password here, use a file ~/.pgpass.",
      valueName: "url"))
  var database = "postgresql:///prompter"

  func connect() throws(ArchiveError) -> DatabasePool {
    let pool = DatabasePool(database)
    try pool.use { connection throws(ArchiveError) in try Schema.check(connection) }
    return pool
  }
}

/// Runs the action of a command. If the action throws, prints the error in one line and ends the
/// program with exit code 2.
func run(_ body: () throws(ArchiveError) -> Void) throws {
  do throws(ArchiveError) {
    try body()
  } catch {
    report("\(error)")
    throw ExitCode(2)
  }
}

/// Writes a line to standard error. systemd writes standard error to the journal.
@Sendable func report(_ line: String) {
  let bytes = Array("prompter-archive: \(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Accept the rows of homes.")

  @OptionGroup var options: DatabaseOption

  @Option(
    help: ArgumentHelp(
      "A Unix socket for nginx, or an address that serves only /metrics.",
      valueName: "path|host:port"))
  var listen: String

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    // The server acknowledges a batch only after the COMMIT of the batch, so the program can end at
    // once without a loss.
    signal(SIGTERM) { _ in _exit(0) }
    guard let socket = ArchiveSocket(listen) else {
      throw ValidationError("\"--listen\" must be a path or HOST:PORT, not \"\(listen)\"")
    }
    // Except for the owner, only the group of the socket's directory can connect to the socket.
    umask(0o007)
    try prompter_archive.run { () throws(ArchiveError) in
      let service = ArchiveService(
        pool: try options.connect(), monotonicSeconds: monotonicSeconds, report: report)
      do {
        let server = try ArchiveServer(at: socket, service: service)
        report(server.port > 0 ? "listening on port \(server.port)" : "listening on \(listen)")
      } catch {
        throw .refused("cannot listen on \(listen): \(error)")
      }
    }
    while true { pause() }
  }
}

/// Returns the time of the monotonic clock, in seconds since the start of the machine.
@Sendable private func monotonicSeconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec)
}

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create the tables and roles, or change them for this version.",
    discussion: "The user of the database must be allowed to create tables and roles.")

  @OptionGroup var options: DatabaseOption

  func run() throws {
    try prompter_archive.run { () throws(ArchiveError) in
      let versions = try DatabasePool(options.database).use { connection throws(ArchiveError) in
        try Schema.migrate(connection)
      }
      print(
        versions.from == versions.to
          ? "The tables have version \(versions.to) already."
          : "The tables now have version \(versions.to).")
    }
  }
}

struct HomeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home", abstract: "Manage the expected homes of a study.",
    subcommands: [Add.self, Code.self, List.self, Revoke.self, Withdraw.self, Erase.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a home, and print the code with which it enrols.")

    @OptionGroup var options: DatabaseOption
    @Argument(help: "The name of the home, which must not identify a person.") var home: String
    @Option(help: ArgumentHelp("The site of the study.", valueName: "name")) var site: String
    @Option(help: ArgumentHelp("The study.", valueName: "name")) var study: String

    func run() throws {
      try prompter_archive.run { () throws(ArchiveError) in
        printCode(
          try HomeRegistry(try options.connect()).add(home, site: site, study: study))
      }
    }
  }

  struct Code: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a new code for a home. Older codes of the home end.")

    @OptionGroup var options: DatabaseOption
    @Argument(help: "The name of the home.") var home: String

    func run() throws {
      try prompter_archive.run { () throws(ArchiveError) in
        printCode(try HomeRegistry(try options.connect()).code(for: home))
      }
    }
  }

  private static func printCode(_ code: String) {
    print("\(code)\nThe code works once, for \(HomeRegistry.codeHours) hours.")
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the homes: study, site, home, state, newest contact.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
      try prompter_archive.run { () throws(ArchiveError) in
        for home in try HomeRegistry(try options.connect()).list() {
          print(
            [home.study, home.site, home.home, home.state, home.contact ?? "never"]
              .joined(separator: "\t"))
        }
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Accept no further row of a home, for example of a lost device.")

    @OptionGroup var options: DatabaseOption
    @Argument(help: "The name of the home.") var home: String

    func run() throws {
      try prompter_archive.run { () throws(ArchiveError) in
        try HomeRegistry(try options.connect()).end(home, state: .revoked)
      }
    }
  }

  struct Withdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Accept no further row of a home that withdrew its consent.")

    @OptionGroup var options: DatabaseOption
    @Argument(help: "The name of the home.") var home: String

    func run() throws {
      try prompter_archive.run { () throws(ArchiveError) in
        try HomeRegistry(try options.connect()).end(home, state: .withdrawn)
      }
    }
  }
}

extension HomeCommand {
  struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Erase the content of a home's rows. Their hashes stay.",
      discussion: """
        Rows that arrive later are erased before they are stored. Backups of the database keep the content until \
        they are deleted.
        """)

    @OptionGroup var options: DatabaseOption
    @Argument(help: "The name of the home.") var home: String
    @Option(
      help: ArgumentHelp("Only the rows about this person [all rows].", valueName: "pseudonym"))
    var person: String?

    func run() throws {
      try prompter_archive.run { () throws(ArchiveError) in
        let rows = try Erasure.run(home: home, person: person, try options.connect())
        print("\(rows) rows were erased.")
      }
    }
  }
}

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the hash chains of all streams.",
    discussion: "The exit code is 1 if a stream has a fault.")

  @OptionGroup var options: DatabaseOption

  func run() throws {
    var hasFault = false
    try prompter_archive.run { () throws(ArchiveError) in
      let result = try ArchiveVerification.run(try options.connect())
      for fault in result.faults { print(fault) }
      print(
        "\(result.streams) streams, \(result.rows) rows (\(result.sealedRows) sealed), "
          + "\(result.faults.count) faults")
      hasFault = !result.faults.isEmpty
    }
    if hasFault { throw ExitCode(1) }
  }
}

struct Heads: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the newest row of each stream. Run this before a backup.")

  @OptionGroup var options: DatabaseOption

  func run() throws {
    try prompter_archive.run { () throws(ArchiveError) in
      print(try SafeHeads.list(try options.connect()), terminator: "")
    }
  }
}

struct Safe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell homes which rows a backup contains. Run this after a backup.")

  @OptionGroup var options: DatabaseOption
  @Argument(help: "The output of \"heads\" from before the backup.", completion: .file())
  var file: String

  func run() throws {
    try prompter_archive.run { () throws(ArchiveError) in
      guard let stream = fopen(file, "r") else {
        throw .refused("cannot read \"\(file)\": \(String(cString: strerror(errno)))")
      }
      defer { fclose(stream) }
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while case let count = fread(&piece, 1, piece.count, stream), count > 0 {
        bytes += piece[..<count]
      }
      let marked = try SafeHeads.mark(
        String(decoding: bytes, as: UTF8.self), try options.connect())
      print("\(marked) streams have a new safe head.")
    }
  }
}

struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a page and a table of all homes.",
    discussion: "The directory then contains index.html and summary.csv.")

  @OptionGroup var options: DatabaseOption
  @Argument(help: "The directory.", completion: .directory) var directory: String

  func run() throws {
    try prompter_archive.run { () throws(ArchiveError) in
      let report = try FleetReport(try options.connect())
      try write(report.summary, "summary.csv")
      try write(report.page, "index.html")
    }
  }

  /// Writes a temporary file, and then renames it to `name`. Therefore a web server never serves an
  /// incomplete file.
  private func write(_ text: String, _ name: String) throws(ArchiveError) {
    let path = "\(directory)/\(name)"
    func failure() -> ArchiveError {
      .refused("cannot write \"\(path)\": \(String(cString: strerror(errno)))")
    }
    guard mkdir(directory, 0o755) == 0 || errno == EEXIST,
      let file = fopen("\(path).new", "w")
    else { throw failure() }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten, rename("\(path).new", path) == 0 else { throw failure() }
  }
}
