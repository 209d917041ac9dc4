import API
import ArgumentParser
import ClientKit
import StudyExport

/// `prompter study diary`: what a care partner wrote.
struct StudyDiary: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diary", abstract: "Bring in a care partner's diary.",
    subcommands: [DiaryImport.self])
}

/// `prompter study diary import`: from a file of comma-separated values.
struct DiaryImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Record a diary that was kept in a CSV file.",
    discussion: """
      The first line names the columns: day or prompt_id, then completion (0 nothing to 3 all), and where \
      they are wanted burden (0 none to 4 very much), note and person. One wrong cell and nothing is \
      recorded. The same file can be brought again: what is known is left alone, what differs is a \
      correction.

      Example: prompter study diary import anna.csv
      """)

  @Argument(help: ArgumentHelp("The file.", valueName: "file"))
  var file: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    var request = Request(.importDiary)
    request.headers.append(("Content-Type", "text/csv"))
    request.body = try Files.read(file, atMost: Route.diaryBody)
    try connection.carryOut(request) { reply in
      let document = try reply.document()
      return "\(document.count("new")) new, \(document.count("corrected")) corrected, "
        + "\(document.count("unchanged")) known already."
    }
  }
}
