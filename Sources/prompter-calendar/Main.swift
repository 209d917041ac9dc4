import CSandbox
import CivilTime
@preconcurrency import Glibc
import ICalendar
import ICalendarParser
import JSONValue
import Sandbox

/// The main program of prompter-calendar, the only program that reads calendar files with libical.
///
/// The command `prompter` communicates with prompter-calendar through pipes. If prompter-calendar
/// crashes, hangs or is killed, `prompter` only reports this failure.
@main struct Main {
  static let usage = """
    usage: prompter-calendar read --now SECONDS
             Read a calendar file on stdin, and write its components and lines as JSON to stdout.
             SECONDS is the present instant in seconds since 1970. The offsets of each zone in the
             file are computed for the eleven years around it.
    """

  /// The maximum size of a calendar file, in bytes.
  static let largestFile = 10 << 20
  /// The maximum number of lines; a continuation line (folded line) does not count. libical needs
  /// some hundred bytes of memory for each line. A calendar of 10 MiB has at most half of this
  /// number of lines.
  static let mostLines = 1_000_000
  /// The limit of the address space of this process, in bytes.
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

  /// Returns true if the file has at most `mostLines` lines. A line that begins with a space or a
  /// tab continues the previous line, so the function does not count it.
  private static func hasFewLines(_ file: [UInt8]) -> Bool {
    var lines = 1
    var isAfterBreak = false
    for byte in file {
      if isAfterBreak, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { lines += 1 }
      isAfterBreak = byte == UInt8(ascii: "\n")
    }
    return lines <= mostLines
  }

  /// Returns the exit status: 0 if the program read the file, 1 if it could not read the file, 3 if
  /// it could not write the output, 4 if the file has too many lines.
  private static func run(now: Instant) -> Int32 {
    // The library ICU needs the time zone of the machine. If the variable `TZ` is set, ICU opens no
    // file to find the zone.
    setenv("TZ", "UTC", 1)
    CalendarReader.prepare()
    do {
      try SandboxedProgram.enter(
        addressSpaceBytes: addressSpaceBytes, processorSeconds: processorSeconds)
      let file = try SandboxedProgram.readUpload(atMost: largestFile)
      guard hasFewLines(file) else {
        printError("the file has more than \(mostLines) lines")
        return 4
      }
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
