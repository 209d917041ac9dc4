import API
import ArgumentParser
import ClientKit
import JSONValue
import StudyExport

/// `prompter export`: writes an export of the record into a directory.
struct Export: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the study package into a new or empty directory.",
    discussion: """
      The same record gives the same bytes. MANIFEST.json contains the digest of every file, and in the \
      profiles identified and limited also the head of the record. Keep a copy of it away from the device, for "prompter verify --manifest".

      Examples:
        prompter export study-2026-12 --profile limited
        prompter export for-mpathr --layout mpath
        prompter export mine --own                  all data about you, with texts and a page to read
      """)

  @Argument(help: "The directory. It must be new or empty.", completion: .directory)
  var directory: String

  @Option(
    help: ArgumentHelp(
      "How much of a person is shown: identified, limited or safe_harbor (default: safe_harbor).",
      valueName: "profile"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "The layout: \(ExportLayout.allCases.map(\.rawValue).joined(separator: ", ")) "
        + "(default: frictionless).", valueName: "layout"))
  var layout: String?

  @Flag(
    help:
      "Export all data about one person, with all texts, instead of the study package.")
  var own = false

  @Option(
    help: ArgumentHelp(
      "With --own: the person (default: the person you are tied to, else patient).",
      valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if person != nil, !own { throw ValidationError("--person needs --own.") }
    if own, profile != nil || layout != nil {
      throw ValidationError(
        "--own cannot be combined with --profile or --layout: it exports all data of one person.")
    }
  }

  /// Returns the person to whose data the configuration restricts this user. If the configuration
  /// does not restrict the user to one person, the result is `patient`.
  private func personOfCaller() throws -> String {
    let status = try connection.client.send(Request(.status)).document()
    return status["you"]?["person"]?.string ?? "patient"
  }

  func run() throws {
    var request =
      own
      ? Request(.ownData, ["id": try person ?? personOfCaller()])
      : Request(.export, query: [("profile", profile), ("layout", layout)])
    request.timeoutSeconds = Request.recordTimeoutSeconds
    let unpacking = try Unpacking(into: directory)
    let activity = ProgressLine("exporting", ask: connection.progress(of: .export))
    do {
      let reply = try connection.client.send(
        request,
        consume: { bytes in
          activity.add(bytes: bytes.count)
          try unpacking.take(bytes)
        }, begin: { activity.expect(bytes: $0.archiveBytes) })
      activity.end()
      let files = try unpacking.finish()
      if let bad = reply.firstBadSequence {
        Terminal.printError(
          "prompter: the hash chain of the record is broken at event \(bad): MANIFEST.json counts "
            + "the faults; \"prompter verify\" describes the first one")
      }
      if connection.json {
        Terminal.print(
          json: .object([
            ("directory", .string(directory)), ("files", .array(files.map(JSON.string))),
          ]))
      } else {
        Terminal.print(
          "Wrote \(TextFormat.counted(files.count, "file")) to \(directory): "
            + files.joined(separator: ", "))
      }
    } catch {
      activity.end()
      unpacking.discard()
      throw error
    }
  }
}
