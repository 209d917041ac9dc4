import Alarms
import ArgumentParser
import ClientKit
import EventCoding
import JSONValue
import Report
import StudyExport

/// `prompter pool`: joins the exports of several homes.
struct PoolCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool",
    abstract: "Join the exports of several homes into one directory.",
    discussion: """
      Needs no daemon. The exports must have the same profile, and must be of the same version. Each file \
      is compared with the manifest of its export. No export, device or person may come twice.

      Each table gets the columns site, home and device. prompts.csv also gets study_day: day 1 is the \
      first day of the person in the study. The name of a home is the name of its directory. With --list, \
      a file names the directory, the site and the home of each export. Then use "prompter report", \
      analysis.py or analysis.R as with one export.

      Examples:
        prompter pool all-homes exports/*
        prompter pool all-homes --site berlin exports/*
        prompter pool all-homes --list homes.csv       (with the columns directory,site,home)
      """)

  @Argument(help: "The new directory. It must be new or empty.", completion: .directory)
  var output: String

  @Argument(
    help: ArgumentHelp("The directories of the exports.", valueName: "export"),
    completion: .directory)
  var exports: [String] = []

  @Option(help: ArgumentHelp("The site of all exports.", valueName: "name"))
  var site: String?

  @Option(
    help: ArgumentHelp(
      "A CSV file with the columns directory, site and home.", valueName: "file"),
    completion: .file())
  var list: String?

  /// The parser stores the value of this flag in the options of `PrompterCommand`. The declaration
  /// here only adds the flag to the help.
  @Flag(help: "Print the result as JSON.")
  var json = false

  @ParentCommand var prompter: PrompterCommand

  func check() throws {
    if exports.isEmpty == (list == nil) {
      throw ValidationError("Name the exports, or name a file with --list.")
    }
    if site != nil, list != nil {
      throw ValidationError("--site and --list cannot be combined: the file names the sites.")
    }
  }

  func run() throws {
    let places = try list.map(Self.places(inList:)) ?? exports.map(place(ofDirectory:))
    let sources = try ProgressLine.during("reading the exports") {
      try places.map { try PoolSource($0) }
    }
    do throws(PoolError) {
      try PoolRules.check(sources.map(\.export))
    } catch {
      throw Failure.badUsage("cannot pool the exports: \(error)")
    }
    let writer = try PoolWriter(into: output, sources)
    let files: [ExportedFile]
    do {
      files = try ProgressLine.during("pooling") {
        try writer.write(version: Release.version, madeAt: "\(TextFormat.now())")
      }
    } catch {
      writer.discard()
      throw error
    }
    if prompter.connection.json {
      Terminal.print(
        json: .object([
          ("directory", .string(output)), ("files", .array(files.map { .string($0.name) })),
        ]))
    } else {
      let prompts = files.first { $0.name == "prompts.csv" }?.rows ?? 0
      Terminal.print(
        "Pooled \(TextFormat.counted(sources.count, "home")) with "
          + "\(TextFormat.counted(prompts, "prompt")) into \(output).")
    }
  }

  private func place(ofDirectory path: String) throws -> PoolPlace {
    let home = path.split(separator: "/").last.map(String.init) ?? ""
    return try PoolPlace(directory: path, site: site ?? "", home: home)
  }

  /// The maximum size of the file that lists the exports, in bytes.
  private static let listBytes = 1 << 20

  /// Reads the file that lists the exports. If a path in this file is relative, it starts at the
  /// directory of this file.
  private static func places(inList path: String) throws -> [PoolPlace] {
    let bytes = try Files.read(path, atMost: listBytes)
    var rows: [(directory: String, site: String, home: String)] = []
    var reader = CSVTableReader()
    do {
      try reader.feed(bytes + (bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")])) {
        rows.append(($0["directory"] ?? "", $0["site"] ?? "", $0["home"] ?? ""))
      }
    } catch {
      throw Failure.badUsage("cannot read \(path): \(error.detail)")
    }
    guard !rows.isEmpty else {
      throw Failure.badUsage(
        "cannot read \(path): it names no export; it needs the columns directory, site and home")
    }
    let base = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return try rows.map { row in
      guard !row.directory.isEmpty else {
        throw Failure.badUsage("cannot read \(path): a row has no directory")
      }
      return try PoolPlace(
        directory: row.directory.hasPrefix("/") ? row.directory : base + row.directory,
        site: row.site, home: row.home)
    }
  }
}

/// The directory of an export, and the names of its site and its home.
struct PoolPlace {
  var directory: String
  var site: String
  var home: String

  /// - Throws: `Failure.badUsage` if the name of the site or of the home cannot be used.
  init(directory: String, site: String, home: String) throws {
    for (what, name) in [("site", site), ("home", home)] where what == "home" || !name.isEmpty {
      guard PoolRules.isName(name) else {
        throw Failure.badUsage(
          "cannot pool \(directory): \"\(name)\" is not the name of a \(what); use 1 to 40 letters from a "
            + "to z, digits, and the signs . _ -, beginning with a letter or a digit")
      }
    }
    (self.directory, self.site, self.home) = (directory, site, home)
  }
}
