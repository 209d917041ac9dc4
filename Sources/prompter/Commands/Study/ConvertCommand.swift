import Alarms
import ArgumentParser
import ClientKit
import EventCoding
import FileSystem
import Glibc
import JSONValue
import Report
import StudyExport

/// `prompter convert`: writes an export in a file format that another system can import.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write an export in a form that REDCap or a CDISC system imports.",
    discussion: """
      Needs no daemon. The result contains these tables: participants, phases, prompts, items, responses \
      and diary. It contains only the data of the export, so choose the profile when you export.

      redcap  data_dictionary.csv, repeating_instruments.csv and data.csv. Each person is a record, each \
      table is a repeating instrument.
      odm     odm.xml, a file of the CDISC Operational Data Model 1.3.2. It needs about 20 times the \
      memory of the tables.

      Examples:
        prompter convert study-2026-12 for-redcap --to redcap
        prompter convert all-homes for-archive --to odm
      """)

  enum Target: String, ExpressibleByArgument, CaseIterable {
    case redcap, odm
  }

  @Argument(help: "The directory of an export or of a pool.", completion: .directory)
  var directory: String

  @Argument(help: "The new directory. It must be new or empty.", completion: .directory)
  var output: String

  @Option(help: ArgumentHelp("The system that imports the files.", valueName: "system"))
  var to: Target

  /// The parser stores the value of this flag in the options of `PrompterCommand`. The declaration
  /// here only adds the flag to the help.
  @Flag(help: "Print the result as JSON.")
  var json = false

  @ParentCommand var prompter: PrompterCommand

  /// The maximum size of datapackage.json, in bytes.
  private static let descriptorBytes = 4 << 20

  func run() throws {
    let manifest = try ExportManifest(directory: directory)
    guard manifest.layout == ExportLayout.frictionless.rawValue else {
      throw Failure.badUsage(
        "cannot convert \(directory): it has the layout \(manifest.layout); export again without "
          + "--layout")
    }
    try manifest.check("convert")
    let tables = try tables(manifest)
    try makeDirectory()
    let names: [String]
    switch to {
    case .redcap:
      var project = REDCapProject(tables)
      var data = project.header
      try readRows(of: tables) { data += project.add($0, of: $1) }
      try write("data_dictionary.csv", project.dictionary)
      try write("repeating_instruments.csv", project.repeatingInstruments)
      try write("data.csv", data)
      names = ["data_dictionary.csv", "repeating_instruments.csv", "data.csv"]
    case .odm:
      var file = ODMFile(tables)
      var studies: Set<String> = []
      try readRows(of: tables) { line, table in
        if table.name == "participants", let study = line["study_id"] { studies.insert(study) }
        file.add(line, of: table)
      }
      let study = studies.count == 1 ? studies.first ?? "prompter" : "prompter"
      try write(
        "odm.xml",
        file.bytes(
          ODMFile.Source(
            study: study, manifestSHA256: manifest.sha256, version: Release.version,
            madeAt: "\(TextFormat.now())")))
      names = ["odm.xml"]
    }
    if prompter.connection.json {
      Terminal.print(
        json: .object([
          ("directory", .string(output)), ("files", .array(names.map { .string($0) })),
        ]))
    } else {
      Terminal.print("Wrote \(names.joined(separator: ", ")) into \(output).")
    }
  }

  /// Returns the tables that the export contains.
  private func tables(_ manifest: ExportManifest) throws -> [ConvertedTable] {
    let path = "\(directory)/datapackage.json"
    let bytes = try Files.read(path, atMost: Self.descriptorBytes)
    guard let descriptor = try? JSON(parsing: bytes) else {
      throw Failure.badUsage("cannot read \(path): it is not JSON")
    }
    let tables: [ConvertedTable]
    do throws(ConversionError) {
      tables = try ConvertedTable.all(descriptor)
    } catch {
      throw Failure.badUsage("cannot convert \(directory): \(error)")
    }
    for name in ["datapackage.json"] + tables.map(\.file)
    where !manifest.files.contains(where: { $0.name == name }) {
      throw Failure.refused(
        "cannot convert \(directory): MANIFEST.json does not list \(name), so nobody can tell whether the "
          + "file was changed")
    }
    return tables
  }

  private func readRows(
    of tables: [ConvertedTable], _ row: (CSVTableReader.Line, ConvertedTable) -> Void
  ) throws {
    for table in tables {
      let path = "\(directory)/\(table.file)"
      var reader = CSVTableReader()
      try Files.stream(path) { bytes in
        do throws(Refusal) {
          try reader.feed(bytes) { row($0, table) }
        } catch {
          throw Failure.badUsage("cannot read \(path): \(error.detail)")
        }
      }
    }
  }

  /// Makes the directory for the files. The export can contain names, so only the user of this
  /// command can read the directory.
  private func makeDirectory() throws {
    if let entries = try? fileNames(in: output) {
      guard entries.isEmpty else {
        throw Failure.badUsage("cannot convert into \(output): the directory is not empty")
      }
    } else if mkdir(output, 0o700) != 0 {
      throw Failure.badUsage("cannot convert into \(output): \(String(cString: strerror(errno)))")
    }
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    try Files.replace("\(output)/\(name)", with: bytes)
  }
}
