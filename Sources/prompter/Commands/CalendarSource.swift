import CivilTime
import ClientKit
import ICalendar
import JSONValue

/// Reads the calendar files that a command imports.
enum CalendarSource {
  /// The maximum size of a file in bytes. A calendar with many appointments for one year is only a
  /// few hundred kilobytes long.
  private static let largest = 10 << 20

  /// Reads a file in the sandbox of prompter-calendar.
  ///
  /// - Parameter path: the path of a file, a pipe or a device; `-` for standard input.
  /// - Throws: `Failure.badUsage` if the file cannot be read.
  static func read(_ path: String) throws -> ICalendarTree {
    let bytes = try Files.readInput(path, atMost: largest)
    let json = try CalendarProgram.read(bytes, path: path, now: TextFormat.now().seconds)
    guard let tree = ICalendarTree(json) else {
      throw Failure.badUsage(
        "cannot read \(path): prompter-calendar is from another version; install Prompter again")
    }
    return tree
  }
}
