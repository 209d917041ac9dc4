import ArgumentParser
import EventCoding
import StudyArchive

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the rows of all homes into a directory.",
    discussion: """
      The files have the columns of a pool of exports (prompter pool). The profile limited contains prompts.csv, \
      rings.csv, participants.csv, phases.csv and events.csv, the profile safe_harbor only prompts.csv without dates \
      and names. MANIFEST.json names each home with missing rows, and the newest row of each stream. The command checks \
      the hash chain of each stream.

      If a stream has a fault, the directory is complete, MANIFEST.json names the fault, and the exit code is 1.
      """)

  @OptionGroup var options: DatabaseOption
  @Argument(help: "The directory. It must be new or empty.", completion: .directory)
  var directory: String
  @Option(help: ArgumentHelp("Only the homes of this study [all studies].", valueName: "name"))
  var study: String?
  @Option(help: ArgumentHelp("limited or safe_harbor [limited].", valueName: "profile"))
  var profile: String = ArchiveExport.Profile.limited.rawValue

  func run() throws {
    guard let profile = ArchiveExport.Profile(rawValue: profile) else {
      throw ValidationError("\"--profile\" must be limited or safe_harbor, not \"\(profile)\"")
    }
    var hasFault = false
    try prompter_archive.run { () throws(ArchiveError) in
      let export = try ArchiveExport.write(
        into: directory, profile: profile, study: study, version: Release.version,
        try options.connect())
      for fault in export.verification.faults { print("fault: \(fault)") }
      for sentence in export.unreadable { print("unreadable: \(sentence)") }
      for sentence in export.missingSentences { print("missing: \(sentence)") }
      print(
        "Exported \(export.prompts) prompts of \(export.homes.count) homes into \(directory). Rows of "
          + "\(export.missing.count) homes are missing.")
      hasFault = !export.verification.faults.isEmpty
    }
    if hasFault {
      report(
        "\(directory) contains a stream whose hash chain has a fault; do not analyse its home before you have found "
          + "the cause")
      throw ExitCode(1)
    }
  }
}
