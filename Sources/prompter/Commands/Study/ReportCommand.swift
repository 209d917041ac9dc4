import Alarms
import ArgumentParser
import ClientKit
import Glibc
import JSONValue
import Report
import StudyExport

/// `prompter report`: writes a page of charts and two tables of numbers from an export.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write a page of charts and two tables of numbers from an export.",
    discussion: """
      Needs no daemon. The page loads nothing from a network, so you can store, send and print it. \
      summary.csv contains the numbers of prompts and people. estimates.csv contains the differences between \
      the phases or the arms, with 95 % intervals. The scripts analysis.py and analysis.R of the export \
      compute the same tables.

      If the export contains prompts of one study, the report counts only the prompts of this study. If it \
      contains several studies, name one with --study.

      Examples:
        prompter report study-2026-12
        prompter report study-2026-12 --study trial-1 -o for-the-meeting.html
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

  @Option(
    help: ArgumentHelp(
      "The file of the estimates (default: estimates.csv beside the page).", valueName: "file"))
  var estimates: String?

  @Option(help: ArgumentHelp("Count only the prompts of this study.", valueName: "id"))
  var study: String?

  @Flag(help: "Count all prompts, also those outside of a study.")
  var everybody = false

  @Flag(
    help:
      "Leave small numbers empty in the tables, hide them on the page, and leave out the charts of single people and prompts."
  )
  var suppressSmall = false

  /// The parser stores the value of this flag in the options of `PrompterCommand`. The declaration
  /// here only adds the flag to the help.
  @Flag(help: "Print the result as JSON.")
  var json = false

  @ParentCommand var prompter: PrompterCommand

  func run() throws {
    guard study == nil || !everybody else {
      throw Failure.badUsage("cannot use both --study and --everybody; give one of them")
    }
    let manifest = try ExportManifest(directory: directory)
    guard manifest.layout == ExportLayout.frictionless.rawValue else {
      throw Failure.badUsage(
        "cannot report on \(directory): it has the layout \(manifest.layout); export again without "
          + "--layout")
    }
    try manifest.check("report on")
    var study = try read(manifest)
    do throws(StudyChoiceError) {
      try study.select(everybody ? .everybody : self.study.map { .study($0) } ?? .onlyStudy)
    } catch {
      throw Failure.badUsage("cannot report on \(directory): \(error)")
    }
    let page = output ?? "\(directory)/report.html"
    let table = summary ?? Self.beside(page, "summary.csv")
    let estimatesTable = estimates ?? Self.beside(page, "estimates.csv")
    let (numbers, effects) = (study.summary, study.estimates)
    let source = ExportSource.introduction(manifest.source, study)
    let html = ReportPage(
      study, summary: numbers, estimates: effects, source: source, suppressesSmall: suppressSmall
    ).html
    try Files.replace(page, with: Array(html.utf8))
    try Files.replace(table, with: Array(numbers.csv(suppressesSmall: suppressSmall).utf8))
    try Files.replace(
      estimatesTable, with: Array(effects.csv(suppressesSmall: suppressSmall).utf8))
    if prompter.connection.json {
      Terminal.print(
        json: .object([
          ("page", .string(page)), ("summary", .string(table)),
          ("estimates", .string(estimatesTable)),
        ]))
    } else {
      Terminal.print("Wrote \(page), \(table) and \(estimatesTable). \(study.selection)")
    }
  }

  /// Reads the files of the export that the report needs.
  ///
  /// - Throws: `Failure` if the manifest does not list a file that the report needs, because the
  ///   digest of such a file cannot be checked.
  private func read(_ manifest: ExportManifest) throws -> Study {
    var study = Study()
    for file in Study.files {
      let path = "\(directory)/\(file)"
      guard manifest.files.contains(where: { $0.name == file }) else {
        // Only the first file is required. Early versions of Prompter had no check-ins, for
        // example, so their exports contain no file of responses.
        if file != Study.files.first, access(path, F_OK) != 0 { continue }
        throw Failure.refused(
          "cannot report on \(directory): MANIFEST.json does not list \(file), so nobody can tell "
            + "whether the file was changed")
      }
      var reader = CSVTableReader()
      try Files.stream(path) { bytes in
        do throws(Refusal) {
          try reader.feed(bytes) { study.add($0, of: file) }
        } catch {
          throw Failure.badUsage("cannot read \(path): \(error.detail)")
        }
      }
    }
    return study
  }

  private static func beside(_ path: String, _ name: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return name }
    return "\(path[...slash])\(name)"
  }
}
