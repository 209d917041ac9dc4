import ArgumentParser
import StudyArchive

struct FindingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finding", abstract: "List and close the findings about homes.",
    subcommands: [List.self, Close.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the open findings: home, kind, stream, row, count, newest time, detail.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
      try prompter_archive.run { () throws(ArchiveError) in
        for finding in try Finding.open(try options.connect()) {
          print(
            [
              finding.home, finding.kind, finding.stream, "\(finding.sequence)",
              "\(finding.count)", finding.newest, finding.detail,
            ].joined(separator: "\t"))
        }
      }
    }
  }

  struct Close: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Close the findings of one kind about a home, after you have looked at them.",
      discussion: """
        The table of findings keeps them. If the same finding occurs again, it opens again.
        """)

    @OptionGroup var options: DatabaseOption
    @Argument(help: "The name of the home.") var home: String
    @Argument(
      help: ArgumentHelp(
        "The kind: \(FindingKind.allCases.map(\.rawValue).joined(separator: ", ")).",
        valueName: "kind"))
    var kind: String

    func run() throws {
      guard let kind = FindingKind(rawValue: kind) else {
        throw ValidationError(
          "the kind of a finding must be one of "
            + "\(FindingKind.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(kind)\"")
      }
      try prompter_archive.run { () throws(ArchiveError) in
        let count = try Finding.close(kind, of: home, try options.connect())
        print("\(count) findings were closed.")
      }
    }
  }
}
