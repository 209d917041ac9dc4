import Alarms
import ArgumentParser
import ClientKit
import Glibc
import JSONValue
import Report
import StudyExport

/// `prompter report`: writes a page of charts and a table of numbers from an export.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a page of charts and a table of numbers from an export.",
    discussion: """
      Needs no daemon. The page loads nothing from a network, so you can store, send and print it. The \
      table, summary.csv, contains the numbers that analysis.py and analysis.R of the export compute from \
      prompts.csv.

      Examples:
        prompter report study-2026-12
        prompter report study-2026-12 -o for-the-meeting.html
      """)

  @Argument(help: "The directory of an export.", completion: .directory)
  var directory: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file of the page (default: report.html in the directory).", valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The file of the table (default: summary.csv beside the page).", valueName: "file"))
  var summary: String?

  @Flag(help: "Print the names of the written files as JSON.")
  var json = false

  func run() throws {
    let source = try Self.source(directory)
    var study = Study()
    for file in Study.files {
      let path = "\(directory)/\(file)"
      // Only the first file is required. For example, early versions of Prompter had no check-ins,
      // so their exports contain no file for responses.
      if file != Study.files.first, access(path, F_OK) != 0 { continue }
      var reader = CSVTableReader()
      try Files.stream(path) { bytes in
        do throws(Refusal) {
          try reader.feed(bytes) { study.add($0, of: file) }
        } catch {
          throw Failure.badUsage("cannot read \(path): \(error.detail)")
        }
      }
    }
    let page = output ?? "\(directory)/report.html"
    let table = summary ?? Self.beside(page, "summary.csv")
    let numbers = study.summary
    try Files.replace(
      page, with: Array(ReportPage(study, summary: numbers, source: source).html.utf8))
    try Files.replace(table, with: Array(numbers.csv.utf8))
    if json {
      Terminal.print(json: .object([("page", .string(page)), ("summary", .string(table))]))
    } else {
      Terminal.print("Wrote \(page) and \(table).")
    }
  }

  /// The sentence of the report that names the last event, the head and the profile of the export.
  private static func source(_ directory: String) throws -> String {
    let path = "\(directory)/MANIFEST.json"
    let bytes = try Files.read(path, atMost: 1 << 20)
    guard let manifest = try? JSON(parsing: bytes), let head = manifest["head"] else {
      throw Failure.badUsage("cannot read \(path): it is not a manifest of an export")
    }
    let layout = manifest["layout"]?.string ?? ExportLayout.frictionless.rawValue
    guard layout == ExportLayout.frictionless.rawValue else {
      throw Failure.badUsage(
        "cannot report on \(directory): it has the layout \(layout); export again without --layout")
    }
    return "Source: the record up to event \(head.text("seq")), head \(head.text("code")), profile "
      + "\(manifest.text("profile"))."
  }

  private static func beside(_ path: String, _ name: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return name }
    return "\(path[...slash])\(name)"
  }
}
