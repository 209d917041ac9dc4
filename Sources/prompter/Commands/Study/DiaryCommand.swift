import API
import ArgumentParser
import ClientKit
import StudyExport

/// `prompter study diary`: imports the diary of a care partner. A care partner is a person who
/// cares for the participant.
struct StudyDiary: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diary", abstract: "Import a care partner's diary.",
    subcommands: [DiaryImport.self])
}

/// `prompter study diary import`: imports a diary from a CSV file.
struct DiaryImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Record the entries of a diary from a CSV file.",
    discussion: """
      The first line names the columns. Required: day or prompt_id, and completion (0 nothing to 3 all). \
      Optional: burden (from 0, none, to 4, very much), note and person (the id, or the code in the study; \
      needed if the home has several people). If one cell is wrong, nothing is recorded. You can import the \
      same file again: known entries stay unchanged, and a changed entry is recorded as a correction. An \
      older file does not undo a correction.

      Example: prompter study diary import anna.csv
      """)

  @Argument(help: ArgumentHelp("The CSV file.", valueName: "file"))
  var file: String

  @Flag(help: "Also record entries that equal an earlier, corrected entry.")
  var older = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    var request = Request(.importDiary, query: [("older", older ? "yes" : nil)])
    request.headers.append(("Content-Type", "text/csv"))
    request.body = try Files.read(file, atMost: Route.diaryBody)
    try connection.carryOut(request) { reply in
      let document = try reply.document()
      return "\(document.count("new")) new, \(document.count("corrected")) corrected, "
        + "\(document.count("unchanged")) unchanged."
        + (document.count("older") == 0
          ? ""
          : " \(TextFormat.counted(document.count("older"), "entry", "entries")) of an older file not "
            + "taken; --older takes them, too.")
    }
  }
}
