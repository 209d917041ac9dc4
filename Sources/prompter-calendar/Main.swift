import CSandbox
import CivilTime
@preconcurrency import Glibc
import ICalendar
import ICalendarParser
import JSONValue
import Sandbox

/// The main program of prompter-calendar, the only program that gives calendar files to libical.
///
/// If this program crashes, hangs or is killed, the command line program says so, and nothing else
/// happens. The command line program communicates with prompter-calendar through pipes.
@main struct Main {
  static let usage = """
    usage: prompter-calendar read --now SECONDS
             Read a calendar file on stdin, and write its components and lines as JSON to stdout.
             SECONDS is the present instant in seconds since 1970. The offsets of each zone in the
             file are computed for the eleven years around it.
    """

  /// The maximum size of a calendar file, in bytes.
  static let largestFile = 10 << 20
  /// The limit of the address space of this process, in bytes. Of all tested files, a file of 10
  /// MiB with an event on each line needs the most memory: see Tests/Fuzz/calendar_files.py.
  static let addressSpaceBytes: UInt64 = 1_024 << 20
  static let processorSeconds: UInt32 = 20

  nonisolated static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let options = Options(arguments.dropFirst())
    guard arguments.first == "read", let now = options["--now"].flatMap({ Int64($0) }),
      abs(now) < 1 << 40
    else {
      printError(usage)
      exit(2)
    }
    guard SandboxedProgram.stayWithParent(options) else { exit(0) }
    prompter_close_from(3)
    exit(run(now: Instant(seconds: now)))
  }

  /// Returns the exit status: 0 if the program read the file, 1 if it could not, 3 if it could not
  /// write the output.
  private static func run(now: Instant) -> Int32 {
    // The library ICU reads the zone of the machine. If this variable is set, ICU opens no file to
    // find the zone.
    setenv("TZ", "UTC", 1)
    CalendarReader.prepare()
    do {
      try SandboxedProgram.enter(
        addressSpaceBytes: addressSpaceBytes, processorSeconds: processorSeconds)
      let file = try SandboxedProgram.readUpload(atMost: largestFile)
      let tree = CalendarReader.tree(file, now: now)
      return writeAll(1, Array(tree.json.description.utf8)) ? 0 : 3
    } catch {
      switch error {
      case SandboxedProgram.Failure.cannotEnter(let why):
        printError("cannot start the sandbox of the calendar reader: \(why)")
      case SandboxedProgram.Failure.tooLarge:
        printError("the file is larger than \(largestFile >> 20) MiB")
      default: printError("cannot read the file: \(error)")
      }
      return 1
    }
  }
}
